import type { MovementFilter, MovementOrder } from '@vitrine/contract'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { isNoMockup } from '../credits/archived-entries.ts'
import { RESTORATION_PREFIX } from '../credits/reversal.ts'
import { readSealedBalance } from '../credits/sealed-balance.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Schema } from '../database/schema.ts'
import { DashboardError } from '../errors/dashboard-error.ts'
import type { FoundMovement } from './movement-templates.ts'

const PAGE_SIZE = 50

/** The customer's terms for ledger entries. Reservations are not shown: they end as a mockup, or released. */
const kinds = {
  grant: 'grant',
  purchase: 'purchase',
  settle: 'mockup',
  refund: 'refund',
  reverse: 'reversal',
} as const
const isShown = (kind: string): kind is keyof typeof kinds => Object.hasOwn(kinds, kind)
const shownKinds = Object.keys(kinds).filter(isShown)

/** The condition on entries for a filter. */
function matches(show: MovementFilter, eb: ExpressionBuilder<Schema, 'ledger_entries'>): Expression<SqlBool> {
  if (show === 'all') return eb('ledger_entries.kind', 'in', shownKinds)
  if (show === 'spent') return eb('ledger_entries.kind', '=', 'settle')
  const isRestoration = eb('ledger_entries.external_id', 'like', `${RESTORATION_PREFIX}%`)
  const isPurchase = eb.and([eb('ledger_entries.kind', '=', 'purchase'), eb.not(isRestoration)])
  return show === 'received'
    ? eb.and([isNoMockup, eb.or([eb('ledger_entries.kind', '=', 'grant'), isPurchase])])
    : eb.and([isNoMockup, eb.or([eb('ledger_entries.kind', 'in', ['refund', 'reverse']), isRestoration])])
}

/** The query of a page of movements; it begins after the movement with the id `after`. */
type MovementQuery = { after?: string | undefined; show: MovementFilter; order: MovementOrder }

/** One page of an account's movements, with the key that spent and the receipt of a purchase. */
export async function listMovements(
  { queries }: Database,
  accountId: string,
  { after: afterId, show, order }: MovementQuery,
): Promise<{ movements: FoundMovement[]; nextAfter: string | null }> {
  const after = afterId === undefined ? null : await placeOf(queries, accountId, afterId)
  const rows = await queries
    .selectFrom('ledger_entries')
    .leftJoin('reservations', 'reservations.id', 'ledger_entries.reservation_id')
    .leftJoin('api_keys', 'api_keys.id', 'reservations.key_id')
    .leftJoin('payments', 'payments.id', 'ledger_entries.external_id')
    .where('ledger_entries.account_id', '=', accountId)
    .where(expression => matches(show, expression))
    .$if(after !== null, query => query.where('ledger_entries.sequence', order === 'newest' ? '<' : '>', after ?? 0))
    .select([
      'ledger_entries.id',
      'ledger_entries.kind',
      'ledger_entries.credits',
      'ledger_entries.reason',
      'ledger_entries.external_id',
      'ledger_entries.created_at_ms',
      'api_keys.name as key_name',
      'reservations.request_id',
      'reservations.created_at_ms as reserved_at_ms',
      'payments.receipt_url',
    ])
    .orderBy('ledger_entries.sequence', order === 'newest' ? 'desc' : 'asc')
    .limit(PAGE_SIZE + 1)
    .execute()
  const movements = rows.slice(0, PAGE_SIZE).flatMap((row): FoundMovement[] => {
    if (!isShown(row.kind)) return []
    const kind: FoundMovement['kind'] = row.external_id?.startsWith(RESTORATION_PREFIX)
      ? 'restoration'
      : kinds[row.kind]
    const isOut = kind === 'mockup' || kind === 'reversal'
    const movement = {
      id: row.id,
      at: new Date(row.created_at_ms).toISOString(),
      kind,
      credits: isOut ? -row.credits : row.credits,
      cause: row.reason ?? (row.credits === 1 ? 'one mockup' : `${row.credits} mockups`),
      key_name: kind === 'mockup' ? (row.key_name ?? 'Dashboard') : null,
      receipt_url: row.receipt_url,
      request:
        row.request_id === null || row.reserved_at_ms === null
          ? null
          : { id: row.request_id, atMs: row.reserved_at_ms },
    }
    return [movement]
  })
  const isLast = rows.length <= PAGE_SIZE
  const nextAfter = isLast ? null : (movements.at(-1)?.id ?? null)
  if (show !== 'all' || (order === 'newest' ? !isLast : after !== null)) return { movements, nextAfter }
  const opening = await findOpeningBalance(queries, accountId)
  return { movements: order === 'newest' ? [...movements, ...opening] : [...opening, ...movements], nextAfter }
}

/** The opening balance left by archived movements, shown before all others. */
async function findOpeningBalance(queries: Queries, accountId: string): Promise<FoundMovement[]> {
  const sealed = await readSealedBalance(queries, accountId)
  if (sealed === null) return []
  const opening = {
    id: 'opening-balance',
    at: new Date(sealed.before_ms).toISOString(),
    kind: 'opening',
    credits: sealed.spendable,
    cause: `${sealed.granted + sealed.purchased} credits received and ${sealed.consumed} spent before`,
    key_name: null,
    receipt_url: null,
    request: null,
  } as const
  return [opening]
}

/** The cursor position of a movement. @throws DashboardError if the account has no such movement */
async function placeOf(queries: Queries, accountId: string, id: string): Promise<number> {
  const entry = id.includes('\0')
    ? undefined
    : await queries
        .selectFrom('ledger_entries')
        .select('sequence')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
  if (entry !== undefined) return entry.sequence
  throw new DashboardError('INVALID_FIELD', {
    message: 'Expected the id of a movement of this account for after but received another text.',
  })
}
