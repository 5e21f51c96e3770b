import type { Clock } from '../database/clock.ts'
import { DEBT_FREE_FOR_MS } from './limits.ts'

/** Whether an account has used processor time for renders that it did not pay for. */
export type IsInDebt = (accountId: string) => boolean

/**
 * Keeps one of several render processes free of accounts in debt, while other accounts ask: else every
 * process may be in the middle of a long step for them when a short job of another account comes.
 */
export class DebtFreeProcess {
  readonly #processCount: number
  readonly #isInDebt: IsInDebt
  readonly #clock: Clock
  /** When an account that is not in debt asked last. */
  #askedAtMs = Number.NEGATIVE_INFINITY

  /** @param clock a monotonic one, in milliseconds */
  constructor(processCount: number, isInDebt: IsInDebt, clock: Clock = () => performance.now()) {
    this.#processCount = processCount
    this.#isInDebt = isInDebt
    this.#clock = clock
  }

  /** Notes that an account has asked for a render. */
  note(accountId: string): void {
    if (!this.#isInDebt(accountId)) this.#askedAtMs = this.#clock()
  }

  /** How many more processes an account may take, beside the jobs that have one or are sent ahead. */
  roomFor(accountId: string, taken: readonly { readonly accountId: string }[]): number {
    const isReserved = this.#processCount > 1 && this.#clock() - this.#askedAtMs < DEBT_FREE_FOR_MS
    if (!isReserved || !this.#isInDebt(accountId)) return Number.POSITIVE_INFINITY
    const inDebtCount = taken.filter(other => this.#isInDebt(other.accountId)).length
    return Math.max(0, this.#processCount - 1 - inDebtCount)
  }
}
