import type { Transaction } from 'kysely'
import { newId } from '../database/new-id.ts'
import type { Schema } from '../database/schema.ts'
import { addCredits, move, reverseCredits } from './ledger.ts'

export type Reversal = {
  readonly accountId: string
  readonly paymentId: string
  /** A whole number: what of the payment's credits the money that went back had bought, now, in all. */
  readonly creditsInAll: number
  readonly reason: string
}

/** In the ledger, credits that come back because a dispute was won are a purchase whose external id begins so. */
export const restorationPrefix = 'restore:'

/**
 * Makes `creditsInAll` the credits of a payment that are taken back. More than before: they are taken as far as they can be spent;
 * what is spent or reserved stays, as a balance never goes below zero. Fewer than were taken, because a dispute was won: the rest is
 * given again. Called again with the same number, it takes what it could not take before. `reversedCredits` is what this call took;
 * below zero, what it gave.
 */
export async function setReversedCredits(
  transaction: Transaction<Schema>,
  { accountId, paymentId, creditsInAll, reason }: Reversal,
  nowMs: number,
): Promise<{ readonly reversedCredits: number }> {
  // Touching the row first makes a second change wait for the first, on PostgreSQL too.
  const payment = await transaction
    .updateTable('payments')
    .set(build => ({ reversed_credits: build.ref('reversed_credits') }))
    .where('id', '=', paymentId)
    .where('account_id', '=', accountId)
    .returning(['credits', 'reversed_credits'])
    .executeTakeFirst()
  if (!payment) return { reversedCredits: 0 }
  const wanted = Math.min(creditsInAll, payment.credits) - payment.reversed_credits
  const entryId = newId('ent')
  if (wanted < 0) {
    const gift = { accountId, credits: -wanted, reason, externalId: `${restorationPrefix}${entryId}` }
    await addCredits(transaction, { ...gift, kind: 'purchase', entryId, nowMs })
  }
  // Moving nothing locks the wallet, so that what it holds now can be taken.
  const spendable = (await move(transaction, accountId, 'spendable', 'reserved', 0)) ?? 0
  const reversedCredits = Math.min(wanted, spendable)
  if (reversedCredits > 0) {
    const taken = { accountId, credits: reversedCredits, reason, externalId: `reverse:${entryId}`, entryId, nowMs }
    await reverseCredits(transaction, taken)
  }
  if (reversedCredits !== 0) {
    await transaction
      .updateTable('payments')
      .set({ reversed_credits: payment.reversed_credits + reversedCredits })
      .where('id', '=', paymentId)
      .execute()
  }
  return { reversedCredits }
}
