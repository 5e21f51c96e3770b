import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { startOwnRedis, startRedis, type TestRedis } from '../../test/servers/redis.ts'
import { createTestDatabase, type TestDatabase } from '../../test/servers/test-database.ts'
import { DatabaseRateLimiter } from './rate-limiter.ts'
import { RedisRateLimiter } from './redis-rate-limiter.ts'

const limits = [
  { windowSeconds: 60, limit: 100 },
  { windowSeconds: 86_400, limit: 250 },
]

describe('rate limits in Redis', () => {
  let server: TestRedis | null = null
  let created: TestDatabase | null = null
  before(async () => {
    server = await startRedis()
    created = await createTestDatabase('sqlite')
  })
  after(async () => {
    await server?.stop()
    await created?.remove()
  })
  const open = async (changes: (Error | null)[] = [], url = server?.url) => {
    assert.ok(url && created)
    const onChange = (error: Error | null) => changes.push(error)
    const fallback = new DatabaseRateLimiter(created.database, { onError: error => assert.fail(String(error)) })
    const limiter = new RedisRateLimiter({ urls: [url], topology: 'single', sentinelName: '' }, { fallback, onChange })
    await limiter.ready()
    return limiter
  }

  test('several nodes together allow exactly the limit', async () => {
    const nodes = await Promise.all([open(), open(), open(), open()])
    const decisions = await Promise.all(
      nodes.flatMap(node => Array.from({ length: 100 }, () => node.count({ subject: 'key_nodes', limits }))),
    )
    assert.equal(decisions.filter(decision => decision.allowed).length, 100)
    // The refused requests also counted in the day's window.
    const day = await nodes[0]?.count({ subject: 'key_nodes', limits: limits.slice(1) })
    assert.deepEqual([day?.allowed, day?.windowSeconds, day?.remaining], [false, 86_400, 0])
    await Promise.all(nodes.map(node => node.close()))
  })

  test('a window ends after its length, and survives a restart of the service until then', async () => {
    const short = [{ windowSeconds: 2, limit: 1 }]
    const first = await open()
    assert.equal((await first.count({ subject: 'key_short', limits: short })).allowed, true)
    await first.close()
    const second = await open()
    const refused = await second.count({ subject: 'key_short', limits: short })
    assert.equal(refused.allowed, false)
    assert.ok(refused.retryAfterS >= 1 && refused.retryAfterS <= 2)
    await delay(refused.retryAfterS * 1000)
    assert.equal((await second.count({ subject: 'key_short', limits: short })).allowed, true)
    await second.close()
  })

  test('while Redis does not answer the node counts locally, and then returns to Redis by itself', async () => {
    assert.ok(server)
    const changes: (Error | null)[] = []
    const limiter = await open(changes)
    const control = new Redis(server.url)
    await limiter.count({ subject: 'key_away', limits })
    await control.client('PAUSE', 1_500, 'ALL')
    const startedMs = performance.now()
    const alone = await limiter.count({ subject: 'key_away', limits })
    assert.deepEqual([alone.allowed, alone.remaining], [true, 99]) // the node's own first count
    assert.ok(performance.now() - startedMs < 1_400, 'it did not wait for Redis')
    assert.equal(changes.length, 1)
    let stored = 0
    for (let i = 0; i < 100 && stored === 0; i++) {
      await delay(100)
      await limiter.count({ subject: 'key_back', limits })
      stored = Number(await control.get('vitrine:rate:{key_back}:60'))
    }
    assert.ok(stored > 0, 'Redis counts again')
    control.disconnect()
    await limiter.close()
  })

  test('an outage and its end are reported once each, however many requests and connection attempts fail', async () => {
    const own = await startOwnRedis()
    const changes: (Error | null)[] = []
    const limiter = await open(changes, own.url)
    const countUntil = async (isEnough: () => boolean) => {
      while (!isEnough()) {
        await limiter.count({ subject: 'key_outage', limits })
        await delay(20)
      }
    }
    for (const outage of [1, 2]) {
      await own.kill()
      let asked = 0
      await countUntil(() => ++asked > 50)
      assert.equal(changes.length, 2 * outage - 1)
      assert.ok(changes.at(-1) instanceof Error)
      await own.startAgain()
      await countUntil(() => changes.length === 2 * outage)
      assert.equal(changes.at(-1), null)
    }
    await limiter.close()
    await own.stop()
  })
})
