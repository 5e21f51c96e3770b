import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { type PreparedQuery, prepareQuery } from '../database/prepared-query.ts'
import type { EntryKind, Reservation, Schema } from '../database/schema.ts'

type Spendable = { readonly spendable: number }

type NewReservation = {
  readonly accountId: string
  readonly credits: number
  readonly reservationId: string
  readonly keyId: string | null
  readonly requestId: string
  readonly instanceId: string
  readonly entryId: string
  readonly nowMs: number
  readonly expiresAtMs: number
}

type Resolution = {
  readonly reservationId: string
  readonly entryId: string
  readonly state: Resolved
  readonly cause: string | null
  readonly nowMs: number
}

/** How a reservation ends. */
type Resolved = Exclude<Reservation['state'], 'reserved'>

const kindOf: Readonly<Record<Resolved, EntryKind>> = { settled: 'settle', released: 'release', expired: 'expire' }

/** Where `take` has no row, there are too few credits. */
export type ReserveBatch = {
  readonly take: CompiledQuery<Spendable>
  readonly open: CompiledQuery
  readonly enter: CompiledQuery
}

/** Where `end` has no row, the reservation has ended before. */
export type ResolveBatch = {
  readonly end: CompiledQuery
  readonly move: CompiledQuery<Spendable>
  readonly enter: CompiledQuery
}

/**
 * The two operations that every mockup needs, as batches of statements that are built once. Each statement
 * has its condition inside: reading first and writing then would let two readers spend the same credit.
 */
export class WalletStatements {
  readonly #take: PreparedQuery<Pick<NewReservation, 'accountId' | 'credits'>, Spendable>
  readonly #open: PreparedQuery<NewReservation, unknown>
  readonly #enterReserved: PreparedQuery<NewReservation, unknown>
  readonly #end: PreparedQuery<Resolution, unknown>
  readonly #moveTo: Readonly<
    Record<'consumed' | 'spendable', PreparedQuery<Pick<Resolution, 'reservationId'>, Spendable>>
  >
  readonly #enterEnd: Readonly<Record<Resolved, PreparedQuery<Resolution, unknown>>>

  constructor(queries: Kysely<Schema>) {
    this.#take = prepareQuery(slot =>
      queries
        .updateTable('wallets')
        .set(({ eb }) => ({
          spendable: eb('spendable', '-', slot('credits')),
          reserved: eb('reserved', '+', slot('credits')),
        }))
        .where('account_id', '=', slot('accountId'))
        .where('spendable', '>=', slot('credits'))
        .returning('spendable'),
    )
    this.#open = prepareQuery(slot =>
      queries.insertInto('reservations').values({
        id: slot('reservationId'),
        account_id: slot('accountId'),
        key_id: slot('keyId'),
        request_id: slot('requestId'),
        credits: slot('credits'),
        state: 'reserved',
        instance_id: slot('instanceId'),
        created_at_ms: slot('nowMs'),
        expires_at_ms: slot('expiresAtMs'),
        resolved_at_ms: null,
        cause: null,
      }),
    )
    this.#enterReserved = prepareQuery(slot =>
      queries.insertInto('ledger_entries').values({
        id: slot('entryId'),
        account_id: slot('accountId'),
        kind: 'reserve',
        debit_book: 'spendable',
        credit_book: 'reserved',
        credits: slot('credits'),
        reservation_id: slot('reservationId'),
        external_id: null,
        reason: null,
        created_at_ms: slot('nowMs'),
      }),
    )
    this.#end = prepareQuery(slot =>
      queries
        .updateTable('reservations')
        .set({ state: slot('state'), cause: slot('cause'), resolved_at_ms: slot('nowMs') })
        .where('id', '=', slot('reservationId'))
        .where('state', '=', 'reserved'),
    )
    this.#moveTo = { consumed: buildMove(queries, 'consumed'), spendable: buildMove(queries, 'spendable') }
    this.#enterEnd = {
      settled: buildEntry(queries, 'settled'),
      released: buildEntry(queries, 'released'),
      expired: buildEntry(queries, 'expired'),
    }
  }

  /** Moves credits from `spendable` to `reserved`. */
  reserve(reservation: NewReservation): ReserveBatch {
    return {
      take: this.#take(reservation),
      open: this.#open(reservation),
      enter: this.#enterReserved(reservation),
    }
  }

  /** Ends a reservation that is still open. */
  resolve(resolution: Resolution): ResolveBatch {
    const { state } = resolution
    return {
      end: this.#end(resolution),
      move: this.#moveTo[creditBookOf(state)](resolution),
      enter: this.#enterEnd[state](resolution),
    }
  }
}

function creditBookOf(state: Resolved): 'consumed' | 'spendable' {
  return state === 'settled' ? 'consumed' : 'spendable'
}

/** Moves what a reservation reserved to another book of its wallet. */
function buildMove(
  queries: Kysely<Schema>,
  book: 'consumed' | 'spendable',
): PreparedQuery<Pick<Resolution, 'reservationId'>, Spendable> {
  return prepareQuery(slot =>
    queries
      .updateTable('wallets')
      .from('reservations')
      .set(({ eb }) => ({
        reserved: eb('wallets.reserved', '-', eb.ref('reservations.credits')),
        [book]: eb(`wallets.${book}`, '+', eb.ref('reservations.credits')),
      }))
      .where('reservations.id', '=', slot('reservationId'))
      .whereRef('wallets.account_id', '=', 'reservations.account_id')
      .whereRef('wallets.reserved', '>=', 'reservations.credits')
      .returning('wallets.spendable'),
  )
}

/** Enters the end of a reservation into the ledger. */
function buildEntry(queries: Kysely<Schema>, state: Resolved): PreparedQuery<Resolution, unknown> {
  return prepareQuery(slot =>
    queries
      .insertInto('ledger_entries')
      .columns([
        'id',
        'account_id',
        'kind',
        'debit_book',
        'credit_book',
        'credits',
        'reservation_id',
        'reason',
        'created_at_ms',
      ])
      .expression(
        queries
          .selectFrom('reservations')
          .where('id', '=', slot('reservationId'))
          .select([
            slot('entryId').as('entry_id'),
            'account_id',
            sql.lit(kindOf[state]).as('kind'),
            sql.lit('reserved').as('debit_book'),
            sql.lit(creditBookOf(state)).as('credit_book'),
            'credits',
            'id',
            slot('cause').as('reason'),
            slot('nowMs').as('created_at_ms'),
          ]),
      ),
  )
}
