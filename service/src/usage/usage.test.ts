import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { newId } from '../database/new-id.ts'
import { Usage } from './usage.ts'
import type { UsageRecord } from './usage-buffer.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)
const dayMs = 86_400_000
const fail = (error: unknown) => {
  throw error
}

describeOnBothDatabases('usage', use => {
  const open = () => new Usage(use().database, { onError: fail })
  const success = (accountId: string, keyId: string | null, templateIds: string[], atMs = nowMs): UsageRecord => ({
    accountId,
    keyId,
    status: 200,
    templateIds,
    creditsConsumed: templateIds.length,
    creditsRefunded: 0,
    atMs,
  })
  const failure = (
    accountId: string,
    keyId: string | null,
    status: number,
    code: string,
    refunded = 0,
  ): UsageRecord => ({
    ...success(accountId, keyId, []),
    status,
    code,
    creditsRefunded: refunded,
  })

  test('counts requests, failures by code, credits and templates', async () => {
    const [usage, accountId] = [open(), newId('acc')]
    usage.record(success(accountId, 'key_a', ['t1', 't2', 't2']))
    usage.record(success(accountId, 'key_a', []))
    usage.record(failure(accountId, 'key_a', 404, 'TEMPLATE_NOT_FOUND'))
    usage.record(failure(accountId, 'key_a', 500, 'MOCKUP_GENERATION_FAILED', 1))
    usage.record(failure(accountId, 'key_a', 429, 'RATE_LIMIT_EXCEEDED'))
    usage.record(failure(accountId, 'key_a', 429, 'RATE_LIMIT_EXCEEDED'))
    const statistics = await usage.statistics({ accountId, keyId: 'key_a' }, 1, nowMs)
    assert.deepEqual(statistics, {
      totalRequests: 6,
      successfulRequests: 2,
      failedRequests: 4,
      creditsConsumed: 3,
      creditsRefunded: 1,
      topTemplates: [
        { templateId: 't2', count: 2 },
        { templateId: 't1', count: 1 },
      ],
      requestsByDay: [{ date: '2026-11-21', count: 6 }],
      failuresByCode: [
        { code: 'RATE_LIMIT_EXCEEDED', count: 2 },
        { code: 'MOCKUP_GENERATION_FAILED', count: 1 },
        { code: 'TEMPLATE_NOT_FOUND', count: 1 },
      ],
    })
    await usage.close()
  })

  test('one key’s are its own; the account’s are the sum, the dashboard’s included', async () => {
    const [usage, accountId, other] = [open(), newId('acc'), newId('acc')]
    usage.record(success(accountId, 'key_b', ['t1']))
    usage.record(success(accountId, 'key_c', ['t1']))
    usage.record(success(accountId, null, ['t1']))
    usage.record(success(other, 'key_d', ['t1']))
    assert.equal((await usage.statistics({ accountId, keyId: 'key_b' }, 30, nowMs)).totalRequests, 1)
    const ofAccount = await usage.statistics({ accountId }, 30, nowMs)
    assert.deepEqual([ofAccount.totalRequests, ofAccount.topTemplates], [3, [{ templateId: 't1', count: 3 }]])
    assert.equal((await usage.statistics({ accountId: other, keyId: 'key_b' }, 30, nowMs)).totalRequests, 0)
    await usage.close()
  })

  test('lists every UTC day of the period, ascending, today included, zeros too', async () => {
    const [usage, accountId] = [open(), newId('acc')]
    usage.record(success(accountId, 'key_e', [], Date.UTC(2026, 10, 19, 0, 0, 0)))
    usage.record(success(accountId, 'key_e', [], Date.UTC(2026, 10, 18, 23, 59, 59, 999)))
    usage.record(success(accountId, 'key_e', [], Date.UTC(2026, 10, 21, 23, 59, 59, 999)))
    const { requestsByDay, totalRequests } = await usage.statistics({ accountId, keyId: 'key_e' }, 3, nowMs)
    assert.deepEqual(requestsByDay, [
      { date: '2026-11-19', count: 1 },
      { date: '2026-11-20', count: 0 },
      { date: '2026-11-21', count: 1 },
    ])
    assert.equal(totalRequests, 2)
    const year = await usage.statistics({ accountId, keyId: 'key_e' }, 365, nowMs)
    assert.equal(year.requestsByDay.length, 365)
    assert.deepEqual([year.requestsByDay[0]?.date, year.requestsByDay[364]?.date], ['2025-11-22', '2026-11-21'])
    await usage.close()
  })

  test('names at most ten templates, by successful mockups and then by id', async () => {
    const [usage, accountId] = [open(), newId('acc')]
    for (let i = 12; i >= 1; i--) usage.record(success(accountId, 'key_f', [`t${String(i).padStart(2, '0')}`]))
    usage.record(success(accountId, 'key_f', ['t12']))
    const { topTemplates } = await usage.statistics({ accountId, keyId: 'key_f' }, 1, nowMs)
    assert.deepEqual(
      topTemplates.map(each => each.templateId),
      ['t12', 't01', 't02', 't03', 't04', 't05', 't06', 't07', 't08', 't09'],
    )
    await usage.close()
  })

  test('what is recorded by two nodes at once adds up, and nothing is lost at a stop', async () => {
    const [accountId, nodes] = [newId('acc'), [open(), open()]]
    for (let i = 0; i < 200; i++) {
      for (const node of nodes) node.record(success(accountId, `key_${i % 20}`, [`t${i % 7}`]))
      if (i % 50 === 0) await Promise.all(nodes.map(node => node.flush()))
    }
    await Promise.all(nodes.map(node => node.close()))
    const usage = open()
    const statistics = await usage.statistics({ accountId }, 1, nowMs)
    assert.deepEqual([statistics.totalRequests, statistics.creditsConsumed], [400, 400])
    await usage.close()
  })

  test('is in the database within a second, unasked: a crash loses no more', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const [usage, accountId] = [open(), newId('acc')]
    t.after(() => usage.close())
    usage.record(success(accountId, 'key_i', ['t1']))
    t.mock.timers.tick(1000)
    const written = () =>
      use().database.queries.selectFrom('usage_days').select('total').where('account_id', '=', accountId).execute()
    while ((await written()).length === 0) await delay(5, undefined, { signal: t.signal })
    assert.deepEqual(
      (await written()).map(row => row.total),
      [1],
    )
  })

  test('counts that cannot be written are kept and written later', async () => {
    const { database } = use()
    const accountId = newId('acc')
    const errors: unknown[] = []
    const usage = new Usage(database, { onError: error => errors.push(error) })
    usage.record(success(accountId, 'key_g', ['t1']))
    await database.queries.schema.alterTable('usage_days').renameTo('usage_days_away').execute()
    await usage.flush()
    assert.equal(errors.length, 1)
    usage.record(success(accountId, 'key_g', ['t1']))
    await database.queries.schema.alterTable('usage_days_away').renameTo('usage_days').execute()
    const { totalRequests, topTemplates } = await usage.statistics({ accountId }, 1, nowMs)
    assert.deepEqual([totalRequests, topTemplates], [2, [{ templateId: 't1', count: 2 }]])
    await usage.close()
  })

  test('details of days that no period reaches are forgotten, totals never', async () => {
    const [usage, accountId] = [open(), newId('acc')]
    usage.record(success(accountId, 'key_h', ['t1'], nowMs - 401 * dayMs))
    usage.record(success(accountId, 'key_h', ['t1'], nowMs - 364 * dayMs))
    await usage.flush()
    await usage.forgetOldDays(nowMs)
    const rows = (table: 'usage_days' | 'usage_templates') =>
      use().database.queries.selectFrom(table).select('day').where('account_id', '=', accountId).execute()
    assert.deepEqual([(await rows('usage_days')).length, (await rows('usage_templates')).length], [2, 1])
    await usage.close()
  })
})
