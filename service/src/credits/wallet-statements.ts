import { sql } from 'kysely'
import { prepareQuery } from '../database/prepared-query.ts'
import type { Queries } from '../database/schema.ts'
import { ends, type NewReservation, type ReservationEnd, type Resolution } from './wallet-store.ts'

export type WalletStatements = ReturnType<typeof buildWalletStatements>

/**
 * The two operations that every mockup needs, as batches of statements that are built once. Each statement
 * contains its condition: reading first would let two readers spend the same credit.
 */
export function buildWalletStatements(queries: Queries) {
  const take = prepareQuery<NewReservation, { spendable: number }>(slot =>
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
  const open = prepareQuery<NewReservation, unknown>(slot =>
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
    }),
  )
  const enterReserved = prepareQuery<NewReservation, unknown>(slot =>
    queries.insertInto('ledger_entries').values({
      id: slot('entryId'),
      account_id: slot('accountId'),
      kind: 'reserve',
      debit_book: 'spendable',
      credit_book: 'reserved',
      credits: slot('credits'),
      reservation_id: slot('reservationId'),
      created_at_ms: slot('nowMs'),
    }),
  )
  const end = prepareQuery<Resolution, unknown>(slot =>
    queries
      .updateTable('reservations')
      .set({ state: slot('state'), cause: slot('cause'), resolved_at_ms: slot('nowMs') })
      .where('id', '=', slot('reservationId'))
      .where('state', '=', 'reserved'),
  )
  const moveTo = { consumed: buildMove(queries, 'consumed'), spendable: buildMove(queries, 'spendable') }
  const enterEnd = {
    settled: buildEntry(queries, 'settled'),
    released: buildEntry(queries, 'released'),
    expired: buildEntry(queries, 'expired'),
  }
  return {
    /** Moves credits from `spendable` to `reserved`. `take` returns no row if there are too few. */
    reserve: (reservation: NewReservation) => ({
      take: take(reservation),
      open: open(reservation),
      enter: enterReserved(reservation),
    }),
    /** Ends an open reservation. `end` returns no row if it has already ended. */
    resolve: (resolution: Resolution) => ({
      end: end(resolution),
      move: moveTo[ends[resolution.state].creditBook](resolution),
      enter: enterEnd[resolution.state](resolution),
    }),
  }
}

/** Moves the credits of a reservation to another book of its wallet. */
function buildMove(queries: Queries, book: 'consumed' | 'spendable') {
  return prepareQuery<Resolution, { spendable: number }>(slot =>
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

/** Writes the ledger entry for the end of a reservation. */
function buildEntry(queries: Queries, state: ReservationEnd) {
  const { kind, creditBook } = ends[state]
  return prepareQuery<Resolution, unknown>(slot =>
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
            sql.lit(kind).as('kind'),
            sql.lit('reserved').as('debit_book'),
            sql.lit(creditBook).as('credit_book'),
            'credits',
            'id',
            slot('cause').as('reason'),
            slot('nowMs').as('created_at_ms'),
          ]),
      ),
  )
}
