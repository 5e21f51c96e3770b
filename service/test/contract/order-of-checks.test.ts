import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { generateHead, RawConnection } from '../http/raw-connection.ts'
import { describeContract, errorOf, type TestService } from '../http/test-service.ts'

/** A request with an error at this step and at every later one. */
type FaultyRequest = {
  readonly key: (service: TestService) => Promise<string>
  readonly headers: Readonly<Record<string, string>>
  readonly body: (service: TestService) => unknown
}

const poor = async (service: TestService) => (await service.customer(0)).key
const rich = async (service: TestService) => (await service.customer(5)).key
const nobody = async () => `vt_${'x'.repeat(36)}`
const badKey = { 'Idempotency-Key': 'two words' }
const goodKey = { 'Idempotency-Key': 'one-word' }
const stall = ({ origin }: TestService) => `${origin.url}/status/404`

/** In the documented order: each error takes precedence over the following ones. */
const steps: readonly [step: string, code: string, request: FaultyRequest][] = [
  ['authentication', 'INVALID_API_KEY', { key: nobody, headers: { 'Content-Type': 'text/plain' }, body: () => 'x' }],
  ['body type', 'UNSUPPORTED_MEDIA_TYPE', { key: poor, headers: { 'Content-Type': 'text/plain' }, body: () => '{' }],
  [
    'body size',
    'REQUEST_TOO_LARGE',
    {
      key: poor,
      headers: { 'Content-Type': 'application/json', ...badKey },
      body: () => Buffer.alloc(1024 * 1024 + 1, '{'),
    },
  ],
  [
    'body syntax',
    'MALFORMED_REQUEST',
    { key: poor, headers: { 'Content-Type': 'application/json', ...badKey }, body: () => Buffer.from('{') },
  ],
  [
    'template type',
    'INVALID_PARAMETER',
    { key: poor, headers: badKey, body: () => ({ template_id: 5, template_ids: [], artwork_url: '', format: 'x' }) },
  ],
  [
    'template conflict',
    'CONFLICTING_PARAMETERS',
    { key: poor, headers: badKey, body: () => ({ template_id: '', template_ids: [], artwork_url: '', format: 'x' }) },
  ],
  [
    'template missing',
    'MISSING_TEMPLATE_ID',
    { key: poor, headers: badKey, body: () => ({ template_ids: [], artwork_url: '', format: 'x' }) },
  ],
  [
    'template count',
    'TOO_MANY_TEMPLATES',
    {
      key: poor,
      headers: badKey,
      body: () => ({ template_ids: Array.from({ length: 13 }, () => 'no'), artwork_url: '', format: 'x' }),
    },
  ],
  [
    'batch form',
    'BATCH_REQUIRES_JSON',
    {
      key: poor,
      headers: badKey,
      body: () => ({ template_ids: ['no'], artwork_url: '', format: 'x', response_format: 'x' }),
    },
  ],
  [
    'artwork conflict',
    'CONFLICTING_PARAMETERS',
    { key: poor, headers: badKey, body: () => ({ template_id: 'no', artwork_url: '', artwork_urls: {}, format: 'x' }) },
  ],
  [
    'artwork missing',
    'MISSING_ARTWORK',
    { key: poor, headers: badKey, body: () => ({ template_id: 'no', format: 'x' }) },
  ],
  [
    'artwork URL',
    'INVALID_ARTWORK_URL',
    { key: poor, headers: badKey, body: () => ({ template_id: 'no', artwork_url: '', format: 'x' }) },
  ],
  [
    'output fields',
    'INVALID_PARAMETER',
    {
      key: poor,
      headers: badKey,
      body: service => ({ template_id: 'no', artwork_url: stall(service), format: 'x', quality: 0 }),
    },
  ],
  [
    'idempotency key',
    'INVALID_PARAMETER',
    { key: poor, headers: badKey, body: service => ({ template_id: 'no', artwork_url: stall(service) }) },
  ],
  [
    'templates exist',
    'TEMPLATE_NOT_FOUND',
    { key: poor, headers: goodKey, body: service => ({ template_id: 'no', artwork_urls: { 7: stall(service) } }) },
  ],
  [
    'frames have artwork',
    'MISSING_ARTWORK',
    {
      key: poor,
      headers: goodKey,
      body: service => ({ template_id: 'two-frames', artwork_urls: { 0: stall(service) } }),
    },
  ],
  [
    'wallet',
    'INSUFFICIENT_CREDITS',
    { key: poor, headers: goodKey, body: service => ({ template_id: 'one-frame', artwork_url: stall(service) }) },
  ],
  [
    'fetch',
    'IMAGE_URL_NOT_FOUND',
    { key: rich, headers: goodKey, body: service => ({ template_id: 'one-frame', artwork_url: stall(service) }) },
  ],
  [
    'decode',
    'INVALID_ARTWORK',
    {
      key: rich,
      headers: goodKey,
      body: ({ origin }) => ({ template_id: 'one-frame', artwork_url: `${origin.url}/text` }),
    },
  ],
]

describeContract('interface.md, "Order of checks"', use => {
  for (const [step, code, request] of steps)
    test(`${step}: ${code} takes precedence over every later error`, async () => {
      const service = use()
      const asked = service.origin.asked.length
      const body = request.body(service)
      const answer = await service.generate(await request.key(service), body, request.headers)
      assert.equal(errorOf(answer).code, code, JSON.stringify(answer.json))
      const mayFetch = step === 'fetch' || step === 'decode'
      assert.equal(service.origin.asked.length > asked, mayFetch, 'nothing is fetched before credits are reserved')
    })
})

describeContract(
  'interface.md, "Order of checks": authentication, rate limit, overload, body',
  use => {
    test('a full queue is checked after authentication and the rate limit, and before the body', async () => {
      const service = use()
      const { key } = await service.customer(10)
      const held = JSON.stringify({ template_id: 'one-frame', artwork_url: `${service.origin.url}/stall?held` })
      using occupied = await RawConnection.open(service.running.url)
      occupied.send(generateHead(key, held.length) + held)
      while (!service.origin.asked.includes('/stall?held')) await delay(5)

      const codeOf = async (asking: string, contentType: string, body: string) => {
        const answer = await service.generate(asking, body, { 'Content-Type': contentType })
        return [answer.status, errorOf(answer).code]
      }
      assert.deepEqual(await codeOf(`vt_${'x'.repeat(36)}`, 'text/plain', 'x'), [401, 'INVALID_API_KEY'])
      assert.deepEqual(await codeOf(key, 'text/plain', 'x'), [503, 'SERVER_BUSY'])
      assert.deepEqual(await codeOf(key, 'application/json', '{'), [503, 'SERVER_BUSY'])
      assert.deepEqual(await codeOf(key, 'application/json', '{'), [429, 'RATE_LIMIT_EXCEEDED'])
    })
  },
  { environment: { RENDER_QUEUE_LIMIT: '1', RATE_LIMIT_PER_MINUTE: '3' } },
)
