import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { ReceivedAnswer } from './documented-answer.ts'
import { TestService } from './test-service.ts'

let service: TestService
before(async () => {
  service = await TestService.start('sqlite', { rendersLate: false })
})
after(async () => {
  await service[Symbol.asyncDispose]()
})

const line = z.looseObject({ msg: z.string().optional(), requestId: z.string().optional() })

/**
 * The single log line of a request; it is written when the answer has been sent, which may be after it was
 * received.
 */
async function lineOf({ headers }: ReceivedAnswer): Promise<Record<string, unknown>> {
  const requestId = headers.get('x-request-id') ?? ''
  const find = () =>
    service.log
      .map(text => line.parse(JSON.parse(text)))
      .filter(each => each.msg === 'request' && each.requestId === requestId)
  while (find().length === 0) await delay(5)
  const [first, ...more] = find()
  assert.deepEqual(more, [])
  return { ...first }
}

/** The fields of every line, whatever the request. */
const ofEvery = [
  'clientNetwork',
  'durationMs',
  'level',
  'method',
  'msg',
  'outcome',
  'requestId',
  'route',
  'status',
  'time',
]

test('a mockup is logged with its account, key, template, stages and outcome, and nothing else', async () => {
  const { key, keyId, accountId } = await service.customer(10)
  const { url } = service.origin
  const answer = await service.generate(key, {
    template_id: 'two-frames',
    artwork_urls: { 0: `${url}/red.png?signature=a`, 1: `${url}/red.png?signature=b` },
    width: 20,
  })
  assert.equal(answer.status, 200)
  const logged = await lineOf(answer)
  const ofMockups = ['accountId', 'keyId', 'templateIds', 'stagesMs', 'decodedBy', 'creditsConsumed']
  assert.deepEqual(Object.keys(logged).sort(), [...ofEvery, ...ofMockups].sort())
  const { accountId: account, keyId: loggedKey, templateIds, outcome, status, route, creditsConsumed } = logged
  assert.deepEqual(
    { account, loggedKey, templateIds, outcome, status, route, creditsConsumed },
    {
      account: accountId,
      loggedKey: keyId,
      templateIds: ['two-frames'],
      outcome: 'ok',
      status: 200,
      route: 'POST /api/v1/mockups/generate',
      creditsConsumed: 1,
    },
  )
  // The log and the header agree about the stages.
  const timed = [...(answer.headers.get('server-timing') ?? '').matchAll(/([\w-]+);dur=([\d.]+)/g)].map(
    ([, name = '', duration]) => [name, Math.round(Number(duration))] as const,
  )
  assert.ok(timed.length >= 4, 'decoding, drawing and encoding are separate stages')
  const stages = z.record(z.string(), z.number()).parse(logged['stagesMs'])
  assert.deepEqual(Object.keys(stages).sort(), timed.map(([name]) => name).sort())
  for (const [name, duration] of timed) assert.ok(Math.abs((stages[name] ?? 0) - duration) <= 1, name)
})

test('a refused request is logged with its code and refund', async () => {
  const { key, keyId } = await service.customer(10)
  const broken = await service.generate(key, { template_id: 'one-frame', artwork_url: `${service.origin.url}/text` })
  const { outcome, status, creditsRefunded, creditsConsumed } = await lineOf(broken)
  assert.deepEqual(
    { outcome, status, creditsRefunded, creditsConsumed },
    { outcome: 'INVALID_ARTWORK', status: 400, creditsRefunded: 1, creditsConsumed: undefined },
  )
  const unknown = await lineOf(await service.generate(key, { template_id: 'no' }))
  assert.deepEqual([unknown['outcome'], unknown['keyId']], ['MISSING_ARTWORK', keyId])
})

test('a failed authentication is logged without the key, and an unknown path without its name', async () => {
  const stranger = await lineOf(await service.send({ key: 'vt_not-a-key' }))
  assert.deepEqual(Object.keys(stranger).sort(), [...ofEvery].sort())
  assert.deepEqual([stranger['outcome'], stranger['status']], ['INVALID_API_KEY', 401])
  const { key } = await service.customer()
  const lost = await lineOf(await service.send({ path: '/a-name-that-nobody-knows', key }))
  assert.ok(!JSON.stringify(lost).includes('a-name-that-nobody-knows'))
  assert.equal(lost['outcome'], 'NOT_FOUND')
})

/** All metric values by name and labels. */
async function readMetrics(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${service.running.url}/metrics`)).text()
  return new Map(
    [...text.matchAll(/^(vitrine_\w+(?:\{[^}]*\})?) (\S+)$/gm)].map(
      ([, name = '', value]) => [name, Number(value)] as const,
    ),
  )
}

test('metrics count requests by route, status and code, measure them and their stages, and count credits', async () => {
  const { key } = await service.customer(10)
  const before = await readMetrics()
  const { url } = service.origin
  const batch = { template_ids: ['one-frame', 'one-frame'], artwork_url: `${url}/red.png`, response_format: 'json' }
  const answers = [
    await service.generate(key, { ...batch, width: 20 }),
    await service.generate(key, { template_id: 'one-frame', artwork_url: `${url}/text` }),
    await service.send({ path: '/templates', key }),
  ]
  assert.deepEqual(
    answers.map(answer => answer.status),
    [200, 400, 200],
  )
  // A request is counted when its line is written.
  for (const answer of answers) await lineOf(answer)
  const after = await readMetrics()
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  const generate = 'route="POST /api/v1/mockups/generate"'
  for (const [name, count] of [
    [`vitrine_requests_total{${generate},status="200",code="ok"}`, 1],
    [`vitrine_requests_total{${generate},status="400",code="INVALID_ARTWORK"}`, 1],
    ['vitrine_requests_total{route="GET /api/v1/templates",status="200",code="ok"}', 1],
    [`vitrine_request_duration_seconds_count{${generate}}`, 2],
    ['vitrine_credits_total{movement="consumed"}', 2],
    ['vitrine_credits_total{movement="refunded"}', 1],
  ] as const)
    assert.equal(grown(name), count, name)
  const stages = [...after.keys()].filter(name => name.startsWith('vitrine_stage_duration_seconds_count'))
  assert.ok(stages.length >= 4, stages.join())
  assert.ok(stages.some(name => name.includes('"decode"') && grown(name) > 0))
  assert.deepEqual(
    ['', '_ready', '_busy'].map(each => after.get(`vitrine_render_processes${each}`)),
    [1, 1, 0],
  )
})

test('successful probes are not logged; a change is one line', async () => {
  const { url } = service.running
  const probe = async () => {
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    return (await fetch(`${url}/readyz`)).status
  }
  const before = service.log.length
  assert.deepEqual([await probe(), await probe()], [200, 200])
  await rename(service.dataDir, `${service.dataDir}-away`)
  const away = [await probe(), await probe()].join()
  await rename(`${service.dataDir}-away`, service.dataDir)
  assert.deepEqual([away, await probe(), await probe()], ['503,503', 200, 200])
  // Requests are logged in order: once this one is, earlier ones are, too.
  await lineOf(await service.send({ path: '/nowhere', key: null }))
  const lines = service.log
    .slice(before)
    .map(text => line.parse(JSON.parse(text)))
    .filter(each => each['level'] !== 'debug' && each['route'] !== 'other')
  assert.deepEqual(
    lines.map(({ msg, level, reason }) => [level, msg, reason]),
    [
      ['warn', 'not ready', 'the data folder cannot be read'],
      ['info', 'ready', undefined],
    ],
  )
})
