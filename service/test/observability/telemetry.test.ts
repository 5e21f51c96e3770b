import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { TestService } from '../http/test-service.ts'
import { type ReceivedMetric, type ReceivedSpan, startOtlpReceiver } from '../servers/otlp-receiver.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const CALLER_SPAN_ID = 'b7ad6b7169203331'

function attributesOf({ attributes }: Pick<ReceivedSpan, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

test('a collector receives each request as a span with its stages, under the caller’s trace, and the metrics', async () => {
  await using receiver = await startOtlpReceiver()
  const service = await TestService.start('sqlite', {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret%2C1',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=tests',
    },
  })
  let exposed = ''
  try {
    const { key } = await service.customer()
    const body = { template_id: 'one-frame', artwork_url: `${service.origin.url}/red.png`, width: 40 }
    const answer = await service.generate(key, body, { traceparent: `00-${TRACE_ID}-${CALLER_SPAN_ID}-01` })
    assert.equal(answer.status, 200)
    await service.generate(key, { template_id: 'no-such', artwork_url: `${service.origin.url}/red.png` })
    exposed = await (await fetch(`${service.running.url}/metrics`)).text()
  } finally {
    // Stopping the service sends what is left.
    await service[Symbol.asyncDispose]()
  }
  const generated = receiver.spans.find(({ traceId, name }) => traceId === TRACE_ID && name.startsWith('POST'))
  assert.ok(generated !== undefined)
  assert.equal(generated.name, 'POST /api/v1/mockups/generate')
  assert.equal(generated.parentSpanId, CALLER_SPAN_ID)
  const attributes = attributesOf(generated)
  assert.equal(attributes['http.request.method'], 'POST')
  assert.equal(attributes['http.route'], '/api/v1/mockups/generate')
  assert.equal(Number(attributes['http.response.status_code']), 200)
  assert.equal(Number(attributes['vitrine.credits']), 1)
  const stages = receiver.spans.filter(({ parentSpanId }) => parentSpanId === generated.spanId)
  assert.deepEqual(stages.map(({ name }) => name).sort(), ['fetch', 'queue', 'render'])
  for (const { traceId, startTimeUnixNano: begun, endTimeUnixNano: ended } of stages) {
    assert.equal(traceId, TRACE_ID)
    assert.ok(generated.startTimeUnixNano <= begun && begun <= ended)
  }
  const refused = receiver.spans.find(span => Number(attributesOf(span)['http.response.status_code']) === 404)
  assert.ok(refused !== undefined, 'a refused request is a span')
  assert.notEqual(refused.traceId, TRACE_ID)

  const names = [...exposed.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
  assert.deepEqual(
    new Set(receiver.metrics.map(({ name }) => name)),
    new Set(names),
    'the metrics of /metrics, all of them',
  )
  const metric = (name: string): ReceivedMetric => {
    const found = receiver.metrics.find(each => each.name === name)
    assert.ok(found !== undefined, name)
    return found
  }
  const credits = metric('vitrine_credits_total').sum
  assert.equal(credits?.isMonotonic, true)
  assert.deepEqual(
    credits.dataPoints.map(point => [attributesOf(point)['movement'], point.asDouble]),
    [['consumed', 1]],
  )
  for (const { count, bucketCounts, explicitBounds } of metric('vitrine_request_duration_seconds').histogram
    ?.dataPoints ?? []) {
    assert.ok(count > 0)
    assert.equal(
      bucketCounts.reduce((sum, each) => sum + each, 0),
      count,
    )
    assert.equal(bucketCounts.length, explicitBounds.length + 1)
  }
  assert.equal(receiver.resource.get('service.name'), 'vitrine')
  assert.equal(receiver.resource.get('deployment.environment'), 'tests')
  assert.ok(receiver.authorizations.length > 1)
  for (const authorization of receiver.authorizations) assert.equal(authorization, 'Bearer secret,1')
})

test('OTEL_TRACES_SAMPLER_ARG=0 traces only what the caller wants traced', async () => {
  await using receiver = await startOtlpReceiver()
  const service = await TestService.start('sqlite', {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: '0' },
  })
  const { key } = await service.customer()
  await service.send({ key })
  await service.send({ key, headers: { traceparent: `00-${TRACE_ID}-${CALLER_SPAN_ID}-01` } })
  await service[Symbol.asyncDispose]()
  assert.deepEqual(
    receiver.spans.map(({ traceId, name }) => [traceId, name]),
    [[TRACE_ID, 'GET /api/v1/templates']],
  )
})

test('a collector that does not answer does not affect requests', async () => {
  await using service = await TestService.start('sqlite', {
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_METRIC_EXPORT_INTERVAL: '100' },
  })
  const { key } = await service.customer()
  assert.equal((await service.send({ key })).status, 200)
})

test('without OTEL_EXPORTER_OTLP_ENDPOINT nothing of OpenTelemetry’s SDK is loaded', () => {
  const main = path.resolve(import.meta.dirname, '../../src/main.ts')
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    await import(${JSON.stringify(main)})
    process.stdout.write(JSON.stringify(loaded.filter(url => /opentelemetry\\/(sdk|exporter|otlp|resources|core)|otlp-/.test(url))))
    process.exit(0)`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(printed), [])
})
