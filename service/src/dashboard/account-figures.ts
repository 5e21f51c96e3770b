import type { AccountFigureOrder } from '@vitrine/contract'
import { sql } from 'kysely'
import type { Queries } from '../database/schema.ts'
import { DAY_MS, utcDay } from '../usage/utc-day.ts'

/** The days over which an account's pace is measured, including today. */
const PACE_DAYS = 30

/** What an account has and does. */
export type AccountFigures = {
  readonly spendableCredits: number
  /** Mockups of the last 30 UTC days. */
  readonly mockups: number
  /** Credits spent in that time, net of refunds. */
  readonly creditsSpent: number
  /** The last logged request, or the last use of a key, to the minute; null if there is none. */
  readonly lastActiveAtMs: number | null
  /** Whole days until the credits run out at this pace; null if none were spent. */
  readonly runsOutInDays: number | null
}

/**
 * The figures of some accounts, in one statement. Each account costs an index look-up for each of its keys
 * and days, however many templates, requests and older days it has.
 */
export async function readAccountFigures(
  queries: Queries,
  accountIds: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, AccountFigures>> {
  if (accountIds.length === 0) return new Map()
  const of = figuresAt(nowMs)
  const rows = await queries
    .selectFrom('accounts')
    .where('id', 'in', accountIds)
    .select([
      'id',
      of.spendable.as('spendable'),
      of.mockups.as('mockups'),
      of.spent.as('spent'),
      of.requested.as('requested'),
      of.used.as('used'),
    ])
    .execute()
  return new Map(
    rows.map(({ id, spendable, mockups, spent, requested, used }) => [
      id,
      {
        spendableCredits: spendable,
        mockups,
        creditsSpent: Math.max(0, spent),
        lastActiveAtMs: requested === null && used === null ? null : Math.max(requested ?? 0, used ?? 0),
        runsOutInDays: daysLeft(spendable, spent),
      },
    ]),
  )
}

/** Orders that are determined by a figure of each account. */
export type PlacingOrder = AccountFigureOrder | 'credits'

/** The sort keys of accounts in an order by a figure, in ascending order. Reads only the figures needed. */
export async function readAccountPlaces(
  queries: Queries,
  accountIds: readonly string[],
  order: PlacingOrder,
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map()
  const of = figuresAt(nowMs)
  const accounts = queries.selectFrom('accounts').where('id', 'in', accountIds).select('id')
  if (order === 'credits') {
    const rows = await accounts.select(of.spendable.as('spendable')).execute()
    return new Map(rows.map(({ id, spendable }) => [id, -spendable]))
  }
  if (order === 'mockups') {
    const rows = await accounts.select(of.mockups.as('mockups')).execute()
    return new Map(rows.map(({ id, mockups }) => [id, -mockups]))
  }
  if (order === 'active') {
    const rows = await accounts.select([of.requested.as('requested'), of.used.as('used')]).execute()
    return new Map(rows.map(({ id, requested, used }) => [id, -Math.max(requested ?? 0, used ?? 0)]))
  }
  const rows = await accounts.select([of.spendable.as('spendable'), of.spent.as('spent')]).execute()
  // Accounts that spend nothing run out last. Safe to subtract.
  return new Map(rows.map(({ id, ...row }) => [id, daysLeft(row.spendable, row.spent) ?? Number.MAX_SAFE_INTEGER]))
}

const daysLeft = (spendable: number, spent: number): number | null =>
  spent > 0 ? Math.floor((spendable * PACE_DAYS) / spent) : null

/** The columns read for each row of `accounts`. */
function figuresAt(nowMs: number) {
  const days = Array.from({ length: PACE_DAYS }, (_, i) => utcDay(nowMs - i * DAY_MS))
  return {
    spendable: sql<number>`coalesce((select spendable from wallets where account_id = accounts.id), 0)`,
    mockups: sql<number>`coalesce((select sum(count) from usage_sums where account_id = accounts.id
      and span in (${sql.join(days)}) and template_id = ''), 0)`,
    // By key, since the days of one key are adjacent, so that its other days are not read. SQLite joins the
    // tables of a cross join in the given order.
    spent: sql<number>`case when (select consumed from wallets where account_id = accounts.id) > 0
      then coalesce((select sum(consumed) from
        (select '' as id union all select id from api_keys where account_id = accounts.id) as keys
        cross join credit_days where credit_days.account_id = accounts.id and key_id = keys.id
          and day >= ${days.at(-1)} and day <= ${days[0]}), 0)
      else 0 end`,
    requested: sql<number | null>`(select max(at_ms) from request_log where account_id = accounts.id)`,
    used: sql<number | null>`(select max(last_used_at_ms) from api_keys where account_id = accounts.id)`,
  }
}
