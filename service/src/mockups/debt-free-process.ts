import type { Clock } from '../database/clock.ts'
import { DEBT_FREE_FOR_MS } from './limits.ts'

/** Whether an account has used processor time for renders it did not pay for. */
export type IsInDebt = (accountId: string) => boolean

/**
 * Keeps one of several render processes free of accounts in debt while other accounts are active. Otherwise
 * all processes could be in a long step for such accounts when a short job arrives.
 */
export class DebtFreeProcess {
  readonly #processCount: number
  readonly #isInDebt: IsInDebt
  readonly #clock: Clock
  /** When an account without debt last asked. */
  #askedAtMs = Number.NEGATIVE_INFINITY

  /** @param clock monotonic, in milliseconds */
  constructor(processCount: number, isInDebt: IsInDebt, clock: Clock = () => performance.now()) {
    this.#processCount = processCount
    this.#isInDebt = isInDebt
    this.#clock = clock
  }

  /** Notes that an account asked for a render. */
  note(accountId: string): void {
    if (!this.#isInDebt(accountId)) this.#askedAtMs = this.#clock()
  }

  /** How many more processes an account may take, in addition to its running and prefetched jobs. */
  roomFor(accountId: string, taken: readonly { readonly accountId: string }[]): number {
    const isReserved = this.#processCount > 1 && this.#clock() - this.#askedAtMs < DEBT_FREE_FOR_MS
    if (!isReserved || !this.#isInDebt(accountId)) return Number.POSITIVE_INFINITY
    const inDebtCount = taken.filter(other => this.#isInDebt(other.accountId)).length
    return Math.max(0, this.#processCount - 1 - inDebtCount)
  }
}
