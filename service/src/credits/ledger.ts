import type { Kysely, Transaction } from 'kysely'
import type { Book, Schema } from '../database/schema.ts'

/** Makes an empty wallet in the transaction that makes the account. */
export async function openWallet(transaction: Transaction<Schema>, accountId: string): Promise<void> {
  await transaction
    .insertInto('wallets')
    .values({ account_id: accountId, granted: 0, purchased: 0, spendable: 0, reserved: 0, consumed: 0 })
    .execute()
}

/** The credits that can be spent. @throws RangeError for an account without a wallet */
export async function readSpendable(queries: Kysely<Schema>, accountId: string): Promise<number> {
  const wallet = await queries
    .selectFrom('wallets')
    .select('spendable')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!wallet) throw new RangeError(`Expected the id of an account but received ${accountId}`)
  return wallet.spendable
}

/**
 * Moves credits from one book of the wallet to another by one statement with the condition inside: reading
 * first would let two readers spend the same credit. Returns the spendable credits afterwards, or null when
 * the first book holds too little.
 */
export async function move(
  transaction: Transaction<Schema>,
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

/**
 * Adds granted or purchased credits, with their entry. False, and nothing done, when another entry has the
 * external id: on PostgreSQL the insert waits for a concurrent purchase with the same id.
 */
export async function addCredits(
  transaction: Transaction<Schema>,
  gift: {
    readonly kind: 'grant' | 'purchase'
    readonly accountId: string
    readonly credits: number
    readonly reason: string
    readonly externalId: string | null
    readonly entryId: string
    readonly nowMs: number
  },
): Promise<boolean> {
  const book = gift.kind === 'grant' ? 'granted' : 'purchased'
  const entry = await transaction
    .insertInto('ledger_entries')
    .values({
      id: gift.entryId,
      account_id: gift.accountId,
      kind: gift.kind,
      debit_book: book,
      credit_book: 'spendable',
      credits: gift.credits,
      reservation_id: null,
      external_id: gift.externalId,
      reason: gift.reason,
      created_at_ms: gift.nowMs,
    })
    .onConflict(conflict => conflict.column('external_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!entry) return false
  await transaction
    .updateTable('wallets')
    .set(({ eb }) => ({
      [book]: eb(book, '+', gift.credits),
      spendable: eb('spendable', '+', gift.credits),
    }))
    .where('account_id', '=', gift.accountId)
    .execute()
  return true
}

/**
 * Takes purchased credits back, with their entry. The caller holds the wallet's lock and has checked that the
 * credits are spendable.
 */
export async function reverseCredits(
  transaction: Transaction<Schema>,
  reversal: {
    readonly accountId: string
    readonly credits: number
    readonly reason: string
    readonly externalId: string
    readonly entryId: string
    readonly nowMs: number
  },
): Promise<void> {
  const wallet = await transaction
    .updateTable('wallets')
    .set(({ eb }) => ({
      purchased: eb('purchased', '-', reversal.credits),
      spendable: eb('spendable', '-', reversal.credits),
    }))
    .where('account_id', '=', reversal.accountId)
    .where('spendable', '>=', reversal.credits)
    .where('purchased', '>=', reversal.credits)
    .returning('spendable')
    .executeTakeFirst()
  if (!wallet)
    throw new Error(`the wallet of ${reversal.accountId} does not hold the ${reversal.credits} credits any more`)
  await transaction
    .insertInto('ledger_entries')
    .values({
      id: reversal.entryId,
      account_id: reversal.accountId,
      kind: 'reverse',
      debit_book: 'spendable',
      credit_book: 'purchased',
      credits: reversal.credits,
      reservation_id: null,
      external_id: reversal.externalId,
      reason: reversal.reason,
      created_at_ms: reversal.nowMs,
    })
    .execute()
}
