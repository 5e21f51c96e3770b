import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { startRedisCluster, startRedisSentinel, startRedisWithTls } from '../../test/servers/redis.ts'
import type { CountedRequest, RateLimiter } from './rate-limiter.ts'
import type { RedisSettings } from './redis-client.ts'
import { RedisRateLimiter } from './redis-rate-limiter.ts'

const limits = [
  { windowSeconds: 60, limit: 1_000 },
  { windowSeconds: 86_400, limit: 1_000 },
]

/** Shows that a count was not shared. */
const alone: RateLimiter = {
  count: async () => ({ allowed: true, windowSeconds: 60, limit: 0, remaining: -1, resetAtS: 0, retryAfterS: 1 }),
  close: async () => undefined,
}

function open(settings: Partial<RedisSettings> & Pick<RedisSettings, 'urls'>, errors: unknown[] = []) {
  return new RedisRateLimiter(
    { topology: 'single', sentinelName: 'shop', ...settings },
    { fallback: alone, onChange: error => errors.push(error) },
  )
}

const countOnce = async (limiter: RateLimiter, subject: CountedRequest['subject']) =>
  (await limiter.count({ subject, limits })).remaining

test('rediss:// uses TLS, verified with the given authority instead of the public ones', async t => {
  const server = await startRedisWithTls()
  t.after(server.stop)
  const limiter = open({ urls: [server.url], caFile: server.certificates.caFile })
  t.after(() => limiter.close())
  await limiter.ready()
  assert.equal(await countOnce(limiter, 'key'), 999)
  const errors: unknown[] = []
  const unverified = open({ urls: [server.url] }, errors)
  t.after(() => unverified.close())
  while (errors.length === 0) await delay(20)
  assert.match(String(errors[0]), /certificate/)
  assert.equal(await countOnce(unverified, 'key'), -1)
})

test('on a Redis Cluster every subject is counted on the node of its slot, whichever node is configured', async t => {
  const cluster = await startRedisCluster()
  t.after(cluster.stop)
  const limiters = cluster.urls.map(url => open({ urls: [url], topology: 'cluster' }))
  t.after(() => Promise.all(limiters.map(limiter => limiter.close())))
  for (const limiter of limiters) await limiter.ready()
  for (let subject = 0; subject < 30; subject++) {
    const left: number[] = []
    for (const limiter of limiters) left.push(await countOnce(limiter, `key_${subject}`))
    assert.deepEqual(left, [999, 998, 997])
  }
  const sizes: number[] = []
  for (const url of cluster.urls) {
    const node = new Redis(url)
    sizes.push(await node.dbsize())
    node.disconnect()
  }
  assert.ok(
    sizes.every(size => size > 0),
    `keys on the nodes: ${sizes.join(', ')}`,
  )
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    60,
  )
})

test('with sentinels counting continues after a failover', async t => {
  const { url, stop } = await startRedisSentinel()
  t.after(stop)
  const limiter = open({ urls: [url], topology: 'sentinel' })
  t.after(() => limiter.close())
  await limiter.ready()
  assert.equal(await countOnce(limiter, 'key'), 999)
  const sentinel = new Redis(url)
  t.after(() => sentinel.disconnect())
  const address = () => sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'shop').then(String)
  const before = await address()
  // Refused with NOGOODSLAVE until the sentinel has recently confirmed that the replica is in sync.
  while ((await address()) === before) {
    await sentinel.call('SENTINEL', 'FAILOVER', 'shop').catch(() => undefined)
    await delay(200)
  }
  // The replica had the first count; a count sent to the old server in between is not shared.
  let left = -1
  while (left === -1) {
    await delay(50)
    left = await countOnce(limiter, 'key')
  }
  assert.ok(left < 999, `${left} left`)
})
