import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { openDatabase } from '../database/database.ts'
import { DatabaseRateLimiter } from './rate-limiter.ts'

const limits = [
  { windowSeconds: 60, limit: 100 },
  { windowSeconds: 86_400, limit: 250 },
]
const fail = (error: unknown) => {
  throw error
}

describeOnBothDatabases('rate limits', use => {
  const open = (clock: () => number) => new DatabaseRateLimiter(use().database, { clock, onError: fail })

  test('of five hundred concurrent requests near the limit exactly the remaining number is allowed', async () => {
    const limiter = open(() => 1_000_000)
    for (let i = 0; i < 30; i++) await limiter.count({ subject: 'key_edge', limits })
    const decisions = await Promise.all(
      Array.from({ length: 500 }, async () => limiter.count({ subject: 'key_edge', limits })),
    )
    assert.equal(decisions.filter(decision => decision.allowed).length, 70)
    await limiter.close()
  })

  test('a request that one window refuses counts in both', async () => {
    let nowMs = 5_000_000
    const limiter = open(() => nowMs)
    const count = () => limiter.count({ subject: 'key_both', limits })
    for (let i = 0; i < 240; i++) await count() // 140 of them refused by the minute
    nowMs += 60_000
    for (let i = 0; i < 10; i++) assert.equal((await count()).allowed, true)
    const refused = await count()
    assert.deepEqual([refused.allowed, refused.windowSeconds, refused.limit], [false, 86_400, 250])
    await limiter.close()
  })

  test('counters survive a restart; a crash loses at most the last second', async () => {
    let nowMs = 9_000_000
    const first = open(() => nowMs)
    for (let i = 0; i < 60; i++) await first.count({ subject: 'key_kept', limits })
    await first.flush()
    // not written: lost in a crash
    for (let i = 0; i < 5; i++) await first.count({ subject: 'key_kept', limits })
    const afterCrash = open(() => nowMs)
    assert.equal((await afterCrash.count({ subject: 'key_kept', limits })).remaining, 39)
    await afterCrash.close()
    const afterStop = open(() => nowMs)
    assert.equal((await afterStop.count({ subject: 'key_kept', limits })).remaining, 38)
    nowMs += 60_000
    const inNextMinute = await afterStop.count({ subject: 'key_kept', limits })
    assert.deepEqual([inNextMinute.remaining, inNextMinute.windowSeconds], [99, 60])
    await afterStop.close()
    await first.close()
  })

  test('a count is written to the database within a second', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const limiter = open(Date.now)
    t.after(() => limiter.close())
    await limiter.count({ subject: 'key_written', limits })
    t.mock.timers.tick(1000)
    const written = () =>
      use().database.queries.selectFrom('rate_windows').select('count').where('subject', '=', 'key_written').execute()
    while ((await written()).length === 0) await delay(5, undefined, { signal: t.signal })
    assert.deepEqual(
      (await written()).map(row => row.count),
      [1, 1],
    )
  })

  test('two nodes on one database see each other’s counts', async t => {
    const nowMs = 20_000_000
    const other = await openDatabase(use().location)
    t.after(() => other.close())
    const nodes = [open(() => nowMs), new DatabaseRateLimiter(other, { clock: () => nowMs + 300, onError: fail })]
    const count = (node: DatabaseRateLimiter) => node.count({ subject: 'key_nodes', limits })
    for (let i = 0; i < 21; i++) for (const node of nodes) await count(node)
    for (const node of nodes) await node.flush()
    // A node learns the sum when it writes its next count.
    for (const node of nodes) {
      await count(node)
      await node.flush()
    }
    const remaining = []
    for (const node of nodes) remaining.push((await count(node)).remaining)
    assert.deepEqual(remaining, [100 - 44, 100 - 45])
    await Promise.all(nodes.map(node => node.close()))
    const rows = await other.queries
      .selectFrom('rate_windows')
      .selectAll()
      .where('subject', '=', 'key_nodes')
      .orderBy('window_seconds')
      .execute()
    assert.deepEqual(
      rows.map(row => [row.window_seconds, row.started_at_ms, row.count]),
      [
        [60, nowMs, 46],
        [86_400, nowMs, 46],
      ],
    )
  })

  for (const nodeCount of [2, 4]) {
    test(`${nodeCount} nodes together exceed a limit by less than a quarter; strict limits are exact`, async t => {
      const databases = await Promise.all(Array.from({ length: nodeCount }, () => openDatabase(use().location)))
      const options = { clock: () => 30_000_000, countNodes: () => nodeCount, onError: fail }
      const nodes = databases.map(database => new DatabaseRateLimiter(database, options))
      t.after(async () => {
        for (const node of nodes) await node.close()
        for (const database of databases) await database.close()
      })
      const perMinute = [{ windowSeconds: 60, limit: 50 }]
      const burst = async (isStrict: boolean) => {
        const request = { subject: `burst_${nodeCount}_${isStrict}`, limits: perMinute, isStrict }
        const decisions = await Promise.all(
          Array.from({ length: 400 }, async (_, i) => nodes[i % nodeCount]?.count(request)),
        )
        return decisions.filter(decision => decision?.allowed === true).length
      }
      const admitted = await burst(false)
      assert.ok(admitted >= 50 && admitted < 50 * 1.25, `${admitted}`)
      assert.equal(await burst(true), 50)
    })
  }

  test('a single active node of several allows the whole limit, and no more', async t => {
    const limiter = new DatabaseRateLimiter(use().database, { countNodes: () => 4, onError: fail })
    t.after(() => limiter.close())
    const decisions = []
    for (let i = 0; i < 120; i++) decisions.push(await limiter.count({ subject: 'key_alone', limits }))
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 100)
    assert.deepEqual(
      decisions.slice(0, 3).map(({ remaining }) => remaining),
      [99, 98, 97],
    )
  })

  test('expired windows are removed from the database', async () => {
    let nowMs = 30_000_000
    const limiter = open(() => nowMs)
    await limiter.count({ subject: 'address:192.0.2.1', limits: [{ windowSeconds: 60, limit: 60 }] })
    await limiter.flush()
    const stored = () =>
      use()
        .database.queries.selectFrom('rate_windows')
        .select('subject')
        .where('subject', '=', 'address:192.0.2.1')
        .execute()
    assert.equal((await stored()).length, 1)
    nowMs += 61_000
    await limiter.flush()
    assert.equal((await stored()).length, 0)
    await limiter.close()
  })
})
