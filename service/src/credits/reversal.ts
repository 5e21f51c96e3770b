import { newId } from '../database/new-id.ts'
import type { Transaction } from '../database/schema.ts'
import { addCredits, move, reverseCredits } from './ledger.ts'

export type Reversal = {
  readonly accountId: string
  readonly paymentId: string
  /** The total of credits bought with the refunded money: a whole number. */
  readonly creditsInAll: number
  readonly reason: string
}

/** Prefix of the external id of a purchase that restores credits after a won dispute. */
export const RESTORATION_PREFIX = 'restore:'

/**
 * Sets the total of a payment's credits that are taken back to `creditsInAll`. An increase is taken as far as
 * credits are spendable; a repeated call takes the rest. A decrease, after a won dispute, adds credits again.
 * `reversedCredits` is the change made by this call, negative if credits were added.
 */
export async function setReversedCredits(
  transaction: Transaction,
  { accountId, paymentId, creditsInAll, reason }: Reversal,
  nowMs: number,
): Promise<{ readonly reversedCredits: number }> {
  // The update locks the row, so that a concurrent change waits, on PostgreSQL too.
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
    const externalId = `${RESTORATION_PREFIX}${entryId}`
    await addCredits(transaction, 'purchase', { accountId, credits: -wanted, reason, externalId, entryId, nowMs })
  }
  // Moving zero credits locks the wallet.
  const spendable = (await move(transaction, accountId, 'spendable', 'reserved', 0)) ?? 0
  const reversedCredits = Math.min(wanted, spendable)
  if (reversedCredits > 0) {
    const externalId = `reverse:${entryId}`
    await reverseCredits(transaction, { accountId, credits: reversedCredits, reason, externalId, entryId, nowMs })
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
