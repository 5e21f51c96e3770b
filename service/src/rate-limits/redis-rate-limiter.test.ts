import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { startRedis, type TestRedis } from '../../test/servers/redis.ts'
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
  const open = async (errors: unknown[] = []) => {
    assert.ok(server && created)
    const onError = (error: unknown) => errors.push(error)
    const fallback = new DatabaseRateLimiter(created.database, { onError })
    const limiter = new RedisRateLimiter(server.url, { fallback, onError })
    await limiter.ready()
    return limiter
  }

  test('several nodes together let through exactly the limit', async () => {
    const nodes = await Promise.all([open(), open(), open(), open()])
    const decisions = await Promise.all(
      nodes.flatMap(node => Array.from({ length: 100 }, () => node.count({ subject: 'key_nodes', limits }))),
    )
    assert.equal(decisions.filter(decision => decision.allowed).length, 100)
    // The refused ones counted in the day too.
    const day = await nodes[0]?.count({ subject: 'key_nodes', limits: limits.slice(1) })
    assert.deepEqual([day?.allowed, day?.windowSeconds, day?.remaining], [false, 86_400, 0])
    await Promise.all(nodes.map(node => node.close()))
  })

  test('a window ends after its length, and survives a restart of ours until then', async () => {
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

  test('while Redis does not answer the node counts by itself, and comes back to Redis by itself', async () => {
    assert.ok(server)
    const errors: unknown[] = []
    const limiter = await open(errors)
    const control = new Redis(server.url)
    await limiter.count({ subject: 'key_away', limits })
    await control.client('PAUSE', 1_500, 'ALL')
    const startedMs = performance.now()
    const alone = await limiter.count({ subject: 'key_away', limits })
    assert.deepEqual([alone.allowed, alone.remaining], [true, 99]) // the node's own first count
    assert.ok(performance.now() - startedMs < 1_400, 'it did not wait for Redis')
    assert.ok(errors.length > 0)
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
})
