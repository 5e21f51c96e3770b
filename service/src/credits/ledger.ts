import type { Book, Queries, ReadTransaction, Transaction } from '../database/schema.ts'

/** The reservation does not exist, which is a defect of the caller. */
export class UnknownReservationError extends Error {
  override readonly name = 'UnknownReservationError'
}

/** Creates an empty wallet in the transaction that creates the account. */
export async function openWallet(transaction: Transaction, accountId: string): Promise<void> {
  await transaction
    .insertInto('wallets')
    .values({ account_id: accountId, granted: 0, purchased: 0, spendable: 0, reserved: 0, consumed: 0 })
    .execute()
}

/** The spendable credits. @throws RangeError for an account without a wallet */
export async function readSpendable(queries: Queries, accountId: string): Promise<number> {
  const wallet = await queries
    .selectFrom('wallets')
    .select('spendable')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!wallet) throw new RangeError(`Expected the id of an account but received ${accountId}`)
  return wallet.spendable
}

/**
 * Moves credits from one of the wallet's books to another. The condition is part of the statement: reading
 * first would let two readers spend the same credit. Returns the spendable credits, or null if there are too
 * few.
 */
export async function move(
  transaction: Transaction,
  accountId: string,
  debit: Book,
  credit: Book,
  credits: number,
): Promise<number | null> {
  const wallet = await transaction
    .updateTable('wallets')
    .set(({ eb }) => ({ [debit]: eb(debit, '-', credits), [credit]: eb(credit, '+', credits) }))
    .where('account_id', '=', accountId)
    .where(debit, '>=', credits)
    .returning('spendable')
    .executeTakeFirst()
  return wallet?.spendable ?? null
}

type NewEntry = {
  readonly accountId: string
  readonly credits: number
  readonly reason: string
  readonly externalId: string | null
  readonly entryId: string
  readonly nowMs: number
}

/**
 * Adds granted or purchased credits with their ledger entry. Does nothing and returns false if the external
 * id is already used: on PostgreSQL the insert waits for a concurrent purchase with the same id.
 */
export async function addCredits(
  transaction: Transaction,
  kind: 'grant' | 'purchase',
  { accountId, credits, reason, externalId, entryId, nowMs }: NewEntry,
): Promise<boolean> {
  const book = kind === 'grant' ? 'granted' : 'purchased'
  const entry = await transaction
    .insertInto('ledger_entries')
    .values({
      id: entryId,
      account_id: accountId,
      kind,
      debit_book: book,
      credit_book: 'spendable',
      credits,
      external_id: externalId,
      reason,
      created_at_ms: nowMs,
    })
    .onConflict(conflict => conflict.column('external_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!entry) return false
  await transaction
    .updateTable('wallets')
    .set(({ eb }) => ({ [book]: eb(book, '+', credits), spendable: eb('spendable', '+', credits) }))
    .where('account_id', '=', accountId)
    .execute()
  return true
}

/**
 * Takes purchased credits back, with a ledger entry. The caller holds the wallet's lock and has checked that
 * the credits are spendable; the database refuses a negative book.
 */
export async function reverseCredits(
  transaction: Transaction,
  { accountId, credits, reason, externalId, entryId, nowMs }: NewEntry,
): Promise<void> {
  await transaction
    .updateTable('wallets')
    .set(({ eb }) => ({ purchased: eb('purchased', '-', credits), spendable: eb('spendable', '-', credits) }))
    .where('account_id', '=', accountId)
    .execute()
  await transaction
    .insertInto('ledger_entries')
    .values({
      id: entryId,
      account_id: accountId,
      kind: 'reverse',
      debit_book: 'spendable',
      credit_book: 'purchased',
      credits,
      external_id: externalId,
      reason,
      created_at_ms: nowMs,
    })
    .execute()
}

export async function findEntry(transaction: ReadTransaction, entryId: string) {
  return transaction
    .selectFrom('ledger_entries')
    .select(['account_id', 'credits'])
    .where('id', '=', entryId)
    .executeTakeFirst()
}

/** @throws UnknownReservationError */
export async function findReservation(queries: Queries, reservationId: string) {
  const reservation = await queries
    .selectFrom('reservations')
    .select(['account_id', 'state'])
    .where('id', '=', reservationId)
    .executeTakeFirst()
  if (!reservation) throw new UnknownReservationError(`there is no reservation ${reservationId}`)
  return reservation
}
