import { sql } from 'kysely'
import { z } from 'zod'
import type { Book, LedgerEntry, Queries, Reservation } from '../database/schema.ts'

/** An entry in the archive. The one that created a reservation includes the reservation. */
export type ArchivedEntry = LedgerEntry & { readonly reservation?: Reservation }

/** The fields of an entry that sums need. */
type SummedEntry = Pick<LedgerEntry, 'kind' | 'debit_book' | 'credit_book' | 'credits' | 'reservation_id'> & {
  readonly reservation?: Pick<Reservation, 'key_id'> | undefined
}

/** The books of a sealed balance. Nothing is reserved in it, because reservations are archived whole. */
export const sealedBooks = ['granted', 'purchased', 'spendable', 'consumed'] as const satisfies readonly Book[]

export type SealedBooks = Readonly<Record<(typeof sealedBooks)[number], number>>

type KeyCredits = { readonly consumed: number; readonly refunded: number }

export type EntrySums = {
  readonly entries: number
  /** Every book, including `reserved`. */
  readonly books: Readonly<Record<Book, number>>
  /** By key; the empty id stands for renders from the dashboard. */
  readonly keys: ReadonlyMap<string, KeyCredits>
}

/** The most reservations that one transaction removes. On SQLite the service's writes wait for it. */
export const partReservations = { sqlite: 250, postgres: 5_000 } as const

/**
 * An account's next entries from before a moment, in order: the oldest reservations that had ended by then,
 * each with all its entries, and the oldest entries without a reservation. Reservations that were refunded
 * later are left out.
 */
export async function readClosedEntries(
  queries: Queries,
  accountId: string,
  beforeMs: number,
  limit: number,
): Promise<ArchivedEntry[]> {
  const others = await readWithoutReservation(queries, accountId, beforeMs, limit)
  // Credits are sealed before what they paid for, so that no sealed balance is negative.
  const reservations = others.length < limit ? await readEnded(queries, accountId, beforeMs, limit) : []
  const byId = new Map(reservations.map(reservation => [reservation.id, reservation]))
  const ofReservations =
    byId.size === 0
      ? []
      : await queries
          .selectFrom('ledger_entries')
          .selectAll()
          .where('reservation_id', 'in', [...byId.keys()])
          .execute()
  return [...ofReservations, ...others]
    .sort((a, b) => a.sequence - b.sequence)
    .map(entry => {
      const reservation = entry.kind === 'reserve' ? byId.get(entry.reservation_id ?? '') : undefined
      return reservation === undefined ? entry : { ...entry, reservation }
    })
}

/** Reservations that had ended and were not refunded later. */
async function readEnded(queries: Queries, accountId: string, beforeMs: number, limit: number) {
  return queries
    .selectFrom('reservations')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('created_at_ms', '<', beforeMs)
    .where('resolved_at_ms', '<', beforeMs)
    .where(build =>
      build.or([
        build('refunded', '=', 0),
        build.not(
          build.exists(
            build
              .selectFrom('ledger_entries')
              .select('ledger_entries.id')
              .whereRef('ledger_entries.reservation_id', '=', 'reservations.id')
              .where('ledger_entries.created_at_ms', '>=', beforeMs),
          ),
        ),
      ]),
    )
    .orderBy('created_at_ms')
    .limit(limit)
    .execute()
}

async function readWithoutReservation(queries: Queries, accountId: string, beforeMs: number, limit: number) {
  return queries
    .selectFrom('ledger_entries')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(isNoMockup)
    .where('reservation_id', 'is', null)
    .where('created_at_ms', '<', beforeMs)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}

/** The index condition of these entries, verbatim: databases use the index only for exactly this text. */
export const isNoMockup = sql<boolean>`ledger_entries.kind in ('grant', 'purchase', 'refund', 'reverse')`

/** One JSON object per line. */
export function writeLines(entries: readonly ArchivedEntry[]): string {
  return entries.map(entry => `${JSON.stringify(entry)}\n`).join('')
}

const book = z.enum(['granted', 'purchased', 'spendable', 'reserved', 'consumed'])
const line = z.object({
  kind: z.enum(['grant', 'purchase', 'reserve', 'settle', 'release', 'expire', 'refund', 'reverse']),
  debit_book: book,
  credit_book: book,
  credits: z.int(),
  reservation_id: z.string().nullable(),
  reservation: z.object({ key_id: z.string().nullable() }).optional(),
})

/** @throws SyntaxError or ZodError if the text is not an archive's */
export function parseLines(text: string): SummedEntry[] {
  return text
    .trimEnd()
    .split('\n')
    .map(each => line.parse(JSON.parse(each)))
}

/** The sums that entries moved. `granted` and `purchased` are sources: their sums are debits less credits. */
export function sumEntries(entries: readonly SummedEntry[]): EntrySums {
  const books = { granted: 0, purchased: 0, spendable: 0, reserved: 0, consumed: 0 }
  const keyOf = new Map<string | null, string>()
  const keys = new Map<string, KeyCredits>()
  const add = (book: Book, credits: number) => {
    books[book] += book === 'granted' || book === 'purchased' ? -credits : credits
  }
  for (const { kind, debit_book, credit_book, credits, reservation_id, reservation } of entries) {
    add(debit_book, -credits)
    add(credit_book, credits)
    if (reservation !== undefined) keyOf.set(reservation_id, reservation.key_id ?? '')
    const keyId = keyOf.get(reservation_id)
    if (keyId === undefined || kind === 'reserve') continue
    const { consumed, refunded } = keys.get(keyId) ?? { consumed: 0, refunded: 0 }
    const spent = kind === 'settle' ? credits : kind === 'refund' ? -credits : 0
    keys.set(keyId, { consumed: consumed + spent, refunded: refunded + (kind === 'settle' ? 0 : credits) })
  }
  return { entries: entries.length, books, keys }
}
