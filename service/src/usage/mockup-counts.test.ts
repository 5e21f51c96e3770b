import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { describeOnBothDatabases } from '../../test/servers/test-database.ts'
import { usageSumsOfHistory } from '../../test/usage-sums.ts'
import { newId } from '../database/new-id.ts'
import { countMockupsByDay, countTopTemplates, spansOf } from './mockup-counts.ts'
import { Usage } from './usage.ts'
import { DAY_MS, utcDay } from './utc-day.ts'

const nowMs = Date.UTC(2026, 2, 10, 12)

test('a period consists of whole months and few days', () => {
  assert.deepEqual(spansOf('2026-01-30', '2026-03-10', 'months'), {
    added: [
      '2026-01-30',
      '2026-01-31',
      '2026-02',
      ...Array.from({ length: 10 }, (_, i) => utcDay(Date.UTC(2026, 2, i + 1))),
    ],
    subtracted: [],
  })
  const late = spansOf('2026-02-27', '2026-03-29', 'months')
  assert.deepEqual(late, {
    added: ['2026-02-27', '2026-02-28', '2026-03'],
    subtracted: ['2026-03-30', '2026-03-31'],
  })
})

describeOnBothDatabases('mockups of an account over all keys', use => {
  test('are the sums over its keys for every period, as counted by two nodes and as summed from history', async () => {
    const { database } = use()
    const { queries } = database
    const accountId = newId('acc')
    const fail = (error: unknown) => {
      throw error
    }
    const nodes = [new Usage(database, { onError: fail }), new Usage(database, { onError: fail })]
    for (let i = 0; i < 600; i++) {
      const keyId = i % 7 === 0 ? null : `key_${i % 5}`
      // Includes later days, which no period may count.
      const atMs = nowMs + (3 - ((i * 13) % 110)) * DAY_MS
      const templateIds = Array.from({ length: 1 + (i % 3) }, (_, j) => `t${(i * 31 + j * 7) % 23}`)
      nodes[i % 2]?.record({ accountId, keyId, status: 200, templateIds, atMs })
      if (i % 50 === 0) await Promise.all(nodes.map(node => node.flush()))
    }
    await Promise.all(nodes.map(node => node.close()))

    const rows = await queries.selectFrom('usage_templates').selectAll().where('account_id', '=', accountId).execute()
    for (const days of [1, 7, 10, 11, 30, 38, 90, 365]) {
      const [first, last] = [utcDay(nowMs - (days - 1) * DAY_MS), utcDay(nowMs)]
      const counted = new Map<string, number>()
      const byDay = new Map<string, number>()
      for (const { template_id, day, count } of rows.filter(row => row.day >= first && row.day <= last)) {
        counted.set(template_id, (counted.get(template_id) ?? 0) + count)
        byDay.set(day, (byDay.get(day) ?? 0) + count)
      }
      const expected = [...counted].map(([templateId, count]) => ({ templateId, count }))
      expected.sort((a, b) => b.count - a.count || (a.templateId < b.templateId ? -1 : 1))
      const top = await countTopTemplates(queries, { accountId }, first, last, 10)
      assert.deepEqual(top, expected.slice(0, 10), `${days} days`)
      assert.deepEqual(new Map(await countMockupsByDay(queries, { accountId }, first, last)), byDay)
    }

    const sums = () =>
      queries
        .selectFrom('usage_sums')
        .selectAll()
        .orderBy('account_id')
        .orderBy('span')
        .orderBy('template_id')
        .execute()
    const kept = await sums()
    await queries.deleteFrom('usage_sums').execute()
    for (const statement of usageSumsOfHistory) await sql.raw(statement).execute(queries)
    assert.deepEqual(await sums(), kept)
  })

  test('are deleted with the days that no period includes', async () => {
    const { database } = use()
    const usage = new Usage(database, { onError: assert.ifError })
    const accountId = newId('acc')
    for (const days of [450, 300])
      usage.record({ accountId, keyId: null, status: 200, templateIds: ['t'], atMs: nowMs - days * DAY_MS })
    await usage.flush()
    await usage.forgetOldDays(nowMs)
    const rows = await database.queries
      .selectFrom('usage_sums')
      .select(['span', 'template_id'])
      .where('account_id', '=', accountId)
      .orderBy('span')
      .orderBy('template_id')
      .execute()
    const day = utcDay(nowMs - 300 * DAY_MS)
    assert.deepEqual(
      rows.map(row => [row.span, row.template_id]),
      [
        [day.slice(0, 7), 't'],
        [day, ''],
        [day, 't'],
      ],
    )
    await usage.close()
  })
})
