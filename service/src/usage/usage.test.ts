import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { Accounts } from '../accounts/accounts.ts'
import { Wallet } from '../credits/wallet.ts'
import type { Database } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { Usage } from './usage.ts'
import type { UsageRecord } from './usage-record.ts'

const nowMs = Date.UTC(2026, 10, 21, 12)
const DAY_MS = 86_400_000
const fail = (error: unknown) => {
  throw error
}

/** Spends credits of an account with two keys over three days: settles, releases, expires and refunds. */
async function spendForThreeDays(database: Database) {
  let clockMs = nowMs - 2 * DAY_MS
  const wallet = new Wallet(database, { instanceId: newId('ins'), clock: () => clockMs })
  const { accountId } = await new Accounts(database).create({ email: `${newId('acc')}@example.org`, credits: 100 })
  const keyIds = [await insertKey(database, accountId), await insertKey(database, accountId)] as const
  const reserve = async (keyId: string | null, credits: number) => {
    const order = { accountId, keyId, credits, requestId: 'req', expiresAtMs: clockMs + 1_000 }
    const reservation = await wallet.reserve(order)
    assert.ok(reservation.ok)
    return reservation.reservationId
  }
  const first = await reserve(keyIds[0], 8)
  await wallet.settle(first)
  await wallet.settle(await reserve(keyIds[1], 4))
  clockMs += DAY_MS
  await wallet.release(await reserve(keyIds[0], 2), 'a test')
  await wallet.settle(await reserve(null, 1))
  await reserve(null, 5)
  clockMs += DAY_MS
  await wallet.sweep(clockMs)
  await wallet.refund(first, { reason: 'a test', credits: 3 })
  await reserve(keyIds[0], 7)
  return { accountId, keyIds, wallet }
}

async function insertKey(database: Database, accountId: string): Promise<string> {
  const id = newId('key')
  const row = { id, account_id: accountId, name: 'a key', key_hash: id, display: 'vt_…', created_at_ms: nowMs }
  await database.queries.insertInto('api_keys').values(row).execute()
  return id
}

/** The result of `spendForThreeDays`: consumed and refunded, by day. */
const spentByAccount = [
  [9, 3],
  [1, 2],
  [0, 5],
]
const spentByFirstKey = [
  [5, 3],
  [0, 2],
  [0, 0],
]
const spentInDashboard = [
  [0, 0],
  [1, 0],
  [0, 5],
]

const creditsOf = async (usage: Usage, scope: Parameters<Usage['statistics']>[0]) =>
  (await usage.statistics(scope, 3, nowMs)).days.map(day => [day.creditsConsumed, day.creditsRefunded])

describeOnBothDatabases('usage', use => {
  const open = () => new Usage(use().database, { onError: fail })
  const success = (accountId: string, keyId: string | null, templateIds: string[], atMs = nowMs): UsageRecord => ({
    accountId,
    keyId,
    status: 200,
    templateIds,
    atMs,
  })
  const failure = (accountId: string, keyId: string | null, status: number, code: string): UsageRecord => ({
    ...success(accountId, keyId, []),
    status,
    code,
  })

  test('counts requests, failures by code and templates', async () => {
    const [usage, accountId] = [open(), newId('acc')]
    usage.record(success(accountId, 'key_a', ['t1', 't2', 't2']))
    usage.record(success(accountId, 'key_a', []))
    usage.record(failure(accountId, 'key_a', 404, 'TEMPLATE_NOT_FOUND'))
    usage.record(failure(accountId, 'key_a', 500, 'MOCKUP_GENERATION_FAILED'))
    usage.record(failure(accountId, 'key_a', 429, 'RATE_LIMIT_EXCEEDED'))
    usage.record(failure(accountId, 'key_a', 429, 'RATE_LIMIT_EXCEEDED'))
    const statistics = await usage.statistics({ accountId, keyId: 'key_a' }, 1, nowMs)
    const totals = { requests: 6, succeeded: 2, failed: 4, mockups: 3, creditsConsumed: 0, creditsRefunded: 0 }
    assert.deepEqual(statistics, {
      days: [{ date: '2026-11-21', ...totals }],
      totals,
      topTemplates: [
        { templateId: 't2', count: 2 },
        { templateId: 't1', count: 1 },
      ],
      failuresByCode: [
        { code: 'RATE_LIMIT_EXCEEDED', count: 2 },
        { code: 'MOCKUP_GENERATION_FAILED', count: 1 },
        { code: 'TEMPLATE_NOT_FOUND', count: 1 },
      ],
    })
    await usage.close()
  })

  test('credits come from the ledger, by key and day, even if no request was counted; a refund counts on its mockup’s day', async () => {
    const { accountId, keyIds, wallet } = await spendForThreeDays(use().database)
    const usage = open()
    assert.deepEqual(await creditsOf(usage, { accountId }), spentByAccount)
    assert.deepEqual(await creditsOf(usage, { accountId, keyId: keyIds[0] }), spentByFirstKey)
    assert.deepEqual(await creditsOf(usage, { accountId, keyId: null }), spentInDashboard)
    const { totals } = await usage.statistics({ accountId }, 365, nowMs)
    assert.equal(totals.creditsConsumed, (await wallet.balance(accountId)).consumedCredits)
    assert.deepEqual((await wallet.verifyLedger()).violations, [])
    await usage.close()
  })

  test('a key’s figures are its own; the account’s are the sum, including the dashboard’s', async () => {
    const [usage, accountId, other] = [open(), newId('acc'), newId('acc')]
    usage.record(success(accountId, 'key_b', ['t1']))
    usage.record(success(accountId, 'key_c', ['t1']))
    usage.record(success(accountId, null, ['t1']))
    usage.record(success(other, 'key_d', ['t1']))
    assert.equal((await usage.statistics({ accountId, keyId: 'key_b' }, 30, nowMs)).totals.requests, 1)
    assert.equal((await usage.statistics({ accountId, keyId: null }, 30, nowMs)).totals.requests, 1)
    const ofAccount = await usage.statistics({ accountId }, 30, nowMs)
    assert.deepEqual([ofAccount.totals.requests, ofAccount.topTemplates], [3, [{ templateId: 't1', count: 3 }]])
    assert.equal((await usage.statistics({ accountId: other, keyId: 'key_b' }, 30, nowMs)).totals.requests, 0)
    await usage.close()
  })

  test('lists every UTC day of the period, ascending, including today and days without requests', async () => {
    const [usage, accountId] = [open(), newId('acc')]
    usage.record(success(accountId, 'key_e', [], Date.UTC(2026, 10, 19, 0, 0, 0)))
    usage.record(success(accountId, 'key_e', [], Date.UTC(2026, 10, 18, 23, 59, 59, 999)))
    usage.record(success(accountId, 'key_e', [], Date.UTC(2026, 10, 21, 23, 59, 59, 999)))
    const { days, totals } = await usage.statistics({ accountId, keyId: 'key_e' }, 3, nowMs)
    assert.deepEqual(
      days.map(({ date, requests }) => [date, requests]),
      [
        ['2026-11-19', 1],
        ['2026-11-20', 0],
        ['2026-11-21', 1],
      ],
    )
    assert.equal(totals.requests, 2)
    const year = await usage.statistics({ accountId, keyId: 'key_e' }, 365, nowMs)
    assert.equal(year.days.length, 365)
    assert.deepEqual([year.days[0]?.date, year.days[364]?.date], ['2025-11-22', '2026-11-21'])
    await usage.close()
  })

  test('lists at most ten templates, by successful mockups and then by id', async () => {
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

  test('records of two concurrent nodes add up, and nothing is lost at a stop', async () => {
    const [accountId, nodes] = [newId('acc'), [open(), open()]]
    for (let i = 0; i < 200; i++) {
      for (const node of nodes) node.record(success(accountId, `key_${i % 20}`, [`t${i % 7}`]))
      if (i % 50 === 0) await Promise.all(nodes.map(node => node.flush()))
    }
    await Promise.all(nodes.map(node => node.close()))
    const usage = open()
    const { totals, topTemplates } = await usage.statistics({ accountId }, 1, nowMs)
    assert.deepEqual([totals.requests, topTemplates.reduce((sum, { count }) => sum + count, 0)], [400, 400])
    await usage.close()
  })

  test('is written to the database within a second: a crash loses no more', async t => {
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

  test('counts that cannot be written are retained and written later', async () => {
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
    const { totals, topTemplates } = await usage.statistics({ accountId }, 1, nowMs)
    assert.deepEqual([totals.requests, topTemplates], [2, [{ templateId: 't1', count: 2 }]])
    await usage.close()
  })

  test('details of days that no period includes are deleted, totals never', async () => {
    const [usage, accountId] = [open(), newId('acc')]
    usage.record(success(accountId, 'key_h', ['t1'], nowMs - 401 * DAY_MS))
    usage.record(success(accountId, 'key_h', ['t1'], nowMs - 364 * DAY_MS))
    await usage.flush()
    await usage.forgetOldDays(nowMs)
    const rows = (table: 'usage_days' | 'usage_templates') =>
      use().database.queries.selectFrom(table).select('day').where('account_id', '=', accountId).execute()
    assert.deepEqual([(await rows('usage_days')).length, (await rows('usage_templates')).length], [2, 1])
    await usage.close()
  })
})
