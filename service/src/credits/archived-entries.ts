import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { Book, LedgerEntry, Reservation, Schema } from '../database/schema.ts'

/** An entry as the archive has it. The one that made a reservation has the reservation with it. */
export type ArchivedEntry = LedgerEntry & { readonly reservation?: Reservation }

/** What an archive needs of one entry to be summed. */
type SummedEntry = Pick<LedgerEntry, 'kind' | 'debit_book' | 'credit_book' | 'credits' | 'reservation_id'> & {
  readonly reservation?: Pick<Reservation, 'key_id'> | undefined
}

/** The books of a sealed balance: nothing is reserved in it, because reservations are archived whole. */
export const sealedBooks = ['granted', 'purchased', 'spendable', 'consumed'] as const satisfies readonly Book[]

export type SealedBooks = Readonly<Record<(typeof sealedBooks)[number], number>>

type KeyCredits = { readonly consumed: number; readonly refunded: number }

export type EntrySums = {
  readonly entries: number
  /** Every book, `reserved` too. */
  readonly books: Readonly<Record<Book, number>>
  /** By key; the empty id stands for renders in the dashboard. */
  readonly keys: ReadonlyMap<string, KeyCredits>
}

/** One transaction removes at most so many reservations. On SQLite the service's writes wait for it. */
export const partReservations = { sqlite: 250, postgres: 5_000 } as const

/**
 * The next entries of an account from before a moment, in their order: the oldest reservations that had ended
 * by then, each with all of its entries, and the oldest entries without one. What got a refund since stays.
 */
export async function readClosedEntries(
  queries: Kysely<Schema>,
  accountId: string,
  beforeMs: number,
  limit: number,
): Promise<ArchivedEntry[]> {
  const others = await readWithoutReservation(queries, accountId, beforeMs, limit)
  // Credits are sealed before what they paid for: no sealed balance is below zero.
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

/** Reservations that had ended, and got no refund since. */
async function readEnded(queries: Kysely<Schema>, accountId: string, beforeMs: number, limit: number) {
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

async function readWithoutReservation(queries: Kysely<Schema>, accountId: string, beforeMs: number, limit: number) {
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

/**
 * The condition of the index of these entries, letter for letter: databases use the index for this text only.
 */
export const isNoMockup = sql<boolean>`ledger_entries.kind in ('grant', 'purchase', 'refund', 'reverse')`

/** One JSON object a line. */
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

/** @throws SyntaxError or ZodError for other lines than an archive's */
export function parseLines(text: string): SummedEntry[] {
  return text
    .trimEnd()
    .split('\n')
    .map(each => line.parse(JSON.parse(each)))
}

/** What entries moved: `granted` and `purchased` are sources, their sums are debits less credits. */
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
