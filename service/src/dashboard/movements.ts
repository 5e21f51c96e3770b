import type { Movement, MovementFilter, MovementOrder } from '@vitrine/contract'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { RESTORATION_PREFIX } from '../credits/reversal.ts'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'

const PAGE_SIZE = 50

/** What the customer calls a ledger entry. Reservations are not shown: they end as a mockup, or released. */
const kinds = {
  grant: 'grant',
  purchase: 'purchase',
  settle: 'mockup',
  refund: 'refund',
  reverse: 'reversal',
} as const
const isShown = (kind: string): kind is keyof typeof kinds => Object.hasOwn(kinds, kind)
const shownKinds = Object.keys(kinds).filter(isShown)

/**
 * The condition of the index of these entries, letter for letter: databases use the index for this text only.
 */
const isNoMockup = sql<boolean>`ledger_entries.kind in ('grant', 'purchase', 'refund', 'reverse')`

/** The condition on entries that a filter shows. */
function matches(show: MovementFilter, eb: ExpressionBuilder<Schema, 'ledger_entries'>): Expression<SqlBool> {
  if (show === 'all') return eb('ledger_entries.kind', 'in', shownKinds)
  if (show === 'spent') return eb('ledger_entries.kind', '=', 'settle')
  const isRestoration = eb('ledger_entries.external_id', 'like', `${RESTORATION_PREFIX}%`)
  const isPurchase = eb.and([eb('ledger_entries.kind', '=', 'purchase'), eb.not(isRestoration)])
  return show === 'received'
    ? eb.and([isNoMockup, eb.or([eb('ledger_entries.kind', '=', 'grant'), isPurchase])])
    : eb.and([isNoMockup, eb.or([eb('ledger_entries.kind', 'in', ['refund', 'reverse']), isRestoration])])
}

/** One page of an account's movements, with the key that spent and the receipt of a purchase. */
export async function listMovements(
  database: Database,
  accountId: string,
  { page, show, order }: { page: number; show: MovementFilter; order: MovementOrder },
): Promise<{ movements: Movement[]; nextPage: number | null }> {
  const rows = await database.queries
    .selectFrom('ledger_entries')
    .leftJoin('reservations', 'reservations.id', 'ledger_entries.reservation_id')
    .leftJoin('api_keys', 'api_keys.id', 'reservations.key_id')
    .leftJoin('payments', 'payments.id', 'ledger_entries.external_id')
    .where('ledger_entries.account_id', '=', accountId)
    .where(expression => matches(show, expression))
    .select([
      'ledger_entries.id',
      'ledger_entries.kind',
      'ledger_entries.credits',
      'ledger_entries.reason',
      'ledger_entries.external_id',
      'ledger_entries.created_at_ms',
      'api_keys.name as key_name',
      'payments.receipt_url',
    ])
    .orderBy('ledger_entries.sequence', order === 'newest' ? 'desc' : 'asc')
    .limit(PAGE_SIZE + 1)
    .offset((page - 1) * PAGE_SIZE)
    .execute()
  const movements = rows.slice(0, PAGE_SIZE).flatMap((row): Movement[] => {
    if (!isShown(row.kind)) return []
    const kind: Movement['kind'] = row.external_id?.startsWith(RESTORATION_PREFIX) ? 'restoration' : kinds[row.kind]
    const isOut = kind === 'mockup' || kind === 'reversal'
    const movement = {
      id: row.id,
      at: new Date(row.created_at_ms).toISOString(),
      kind,
      credits: isOut ? -row.credits : row.credits,
      cause: row.reason ?? (row.credits === 1 ? 'one mockup' : `${row.credits} mockups`),
      key_name: kind === 'mockup' ? (row.key_name ?? 'Dashboard') : null,
      receipt_url: row.receipt_url,
    }
    return [movement]
  })
  return { movements, nextPage: rows.length > PAGE_SIZE ? page + 1 : null }
}
