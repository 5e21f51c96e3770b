import { sql } from 'kysely'
import type { Queries } from '../database/schema.ts'

/** All credits of the account if `keyId` is missing; null selects renders from the dashboard. */
export type CreditScope = { readonly accountId: string; readonly keyId?: string | null }

/** `consumed` is net of refunds; `refunded` counts reserved or consumed credits that were given back. */
export type CreditDay = { readonly day: string; readonly consumed: number; readonly refunded: number }

/** The days with entries from `firstDay` to `lastDay` (UTC, `YYYY-MM-DD`), in ascending order. */
export async function readCreditDays(
  queries: Queries,
  { accountId, keyId }: CreditScope,
  firstDay: string,
  lastDay: string,
): Promise<CreditDay[]> {
  return queries
    .selectFrom('credit_days')
    .where('account_id', '=', accountId)
    .$if(keyId !== undefined, query => query.where('key_id', '=', keyId ?? ''))
    .where('day', '>=', firstDay)
    .where('day', '<=', lastDay)
    .groupBy('day')
    .orderBy('day')
    .select(['day', sql<number>`sum(consumed)`.as('consumed'), sql<number>`sum(refunded)`.as('refunded')])
    .execute()
}

/** The credits that each key has consumed, net of refunds. Keys without any are omitted. */
export async function readCreditsOfKeys(
  queries: Queries,
  accountId: string,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keyIds.length === 0) return new Map()
  const rows = await queries
    .selectFrom('credit_days')
    .where('account_id', '=', accountId)
    .where('key_id', 'in', keyIds)
    .groupBy('key_id')
    .select(['key_id', sql<number>`sum(consumed)`.as('consumed')])
    .execute()
  return new Map(rows.map(row => [row.key_id, row.consumed]))
}
