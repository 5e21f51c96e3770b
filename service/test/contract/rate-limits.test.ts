import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReceivedAnswer } from '../http/documented-answer.ts'
import { describeContract, errorOf } from '../http/test-service.ts'

const window = ({ headers }: ReceivedAnswer) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
})

describeContract(
  'interface.md, "Limits" and "Rate limits"',
  use => {
    test('headers count down in the window with fewer requests left; then 429 with the seconds to wait', async () => {
      const service = use()
      const { key } = await service.customer()
      for (let request = 1; request <= 5; request++) {
        const path = request === 2 ? '/templates?page=0' : request === 3 ? '/no-such-path' : '/templates'
        assert.deepEqual(window(await service.send({ path, key })), { limit: 5, remaining: 5 - request })
      }
      const refused = await service.send({ key })
      assert.deepEqual([refused.status, errorOf(refused).code], [429, 'RATE_LIMIT_EXCEEDED'])
      assert.deepEqual(window(refused), { limit: 5, remaining: 0 })
      const retryAfter = Number(refused.headers.get('retry-after'))
      assert(retryAfter >= 1 && retryAfter <= 60)
      assert.deepEqual(errorOf(refused).details, { limit: 5, window: '60s', retry_after: retryAfter })
      const reset = Number(refused.headers.get('x-ratelimit-reset'))
      assert(Math.abs(reset - Date.now() / 1000 - retryAfter) <= 2, 'the reset is the Unix time at which the wait ends')
    })

    test('a refused request counts in both windows; when both are exceeded the one that ends later is reported', async () => {
      const service = use()
      const { key } = await service.customer()
      const answers: ReceivedAnswer[] = []
      for (let request = 1; request <= 9; request++) answers.push(await service.send({ key }))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200, 429, 429, 429, 429],
      )
      const last = answers.at(-1)
      assert(last !== undefined)
      assert.deepEqual(window(last), { limit: 8, remaining: 0 })
      assert.match(JSON.stringify(errorOf(last).details), /"window":"86400s"/)
    })

    test('requests without a valid key count against the address: 401 up to the limit, then 429', async () => {
      const service = use()
      const statuses: number[] = []
      for (const key of [null, 'vt_wrong', null, 'x', null, null]) {
        const answer = await service.send({ key })
        statuses.push(answer.status)
        assert.equal(window(answer).limit, 4)
      }
      assert.deepEqual(statuses, [401, 401, 401, 401, 429, 429])
      // Clients with a key are not affected by those who guess keys.
      const { key } = await service.customer()
      assert.equal((await service.send({ key })).status, 200)
    })

    test('a 429 neither reads the body nor charges', async () => {
      const service = use()
      const { key } = await service.customer(7)
      for (let request = 1; request <= 5; request++) await service.send({ key })
      const asked = service.origin.asked.length
      const answer = await service.generate(key, {
        template_id: 'one-frame',
        artwork_url: `${service.origin.url}/red.png`,
      })
      assert.equal(answer.status, 429)
      assert.equal(service.origin.asked.length, asked)
    })

    test('X-Forwarded-For of an unknown proxy does not count', async () => {
      const service = use()
      const answer = await service.send({ key: null, headers: { 'X-Forwarded-For': '203.0.113.9' } })
      assert.equal(answer.status, 429)
    })
  },
  {
    environment: {
      RATE_LIMIT_PER_MINUTE: '5',
      RATE_LIMIT_PER_DAY: '8',
      RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '4',
    },
  },
)

describeContract(
  'interface.md, "Rate limits", behind a proxy that TRUST_PROXY names',
  use => {
    test('addresses that the proxy names are counted one by one', async () => {
      const service = use()
      const statusFrom = async (address: string, method = 'GET', path = '/templates') =>
        (await service.send({ method, path, key: null, headers: { 'X-Forwarded-For': address } })).status
      assert.deepEqual([await statusFrom('203.0.113.9'), await statusFrom('203.0.113.9')], [401, 429])
      const generate = ['POST', '/mockups/generate'] as const
      assert.deepEqual([await statusFrom('203.0.113.10', ...generate), await statusFrom('203.0.113.10')], [401, 429])
      assert.equal(await statusFrom('203.0.113.9', ...generate), 429)
    })
  },
  { environment: { RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.1' } },
)

describeContract(
  'interface.md, "Limits": the defaults',
  use => {
    test('100 requests in 60 seconds and 10,000 in a day for a key, 60 without one', async () => {
      const service = use()
      const { key } = await service.customer()
      const first = await service.send({ key })
      assert.deepEqual(window(first), { limit: 100, remaining: 99 })
      for (let request = 2; request <= 100; request++) await service.send({ key })
      const refused = await service.send({ key })
      assert.deepEqual([refused.status, window(refused)], [429, { limit: 100, remaining: 0 }])
      assert.match(JSON.stringify(errorOf(refused).details), /"limit":100,"window":"60s"/)
      assert.deepEqual(window(await service.send({ key: null })), { limit: 60, remaining: 59 })
      assert.equal(service.settings.RATE_LIMIT_PER_DAY, 10_000)
    })
  },
  { environment: { RATE_LIMIT_PER_MINUTE: '', RATE_LIMIT_PER_DAY: '', RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '' } },
)
