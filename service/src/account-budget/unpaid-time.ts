import type { Clock } from '../database/clock.ts'
import { UNPAID_WINDOW_MS } from './limits.ts'

type Used = { usedMs: number; atMs: number }

/**
 * Processor time of renders that were not paid for, by account: a leaky bucket that restores the whole budget
 * in `UNPAID_WINDOW_MS`.
 */
export class UnpaidTime {
  readonly #limitMs: number
  readonly #clock: Clock
  /** In order of last use, the most recent last. */
  readonly #used = new Map<string, Used>()

  constructor(limitMs: number, clock: Clock) {
    this.#limitMs = limitMs
    this.#clock = clock
  }

  add(accountId: string, processorMs: number): void {
    if (processorMs <= 0) return
    const usedMs = this.usedMs(accountId) + processorMs
    this.#used.delete(accountId)
    this.#used.set(accountId, { usedMs, atMs: this.#clock() })
    for (const oldest of this.#used.keys()) {
      if (this.usedMs(oldest) > 0) break
      this.#used.delete(oldest)
    }
  }

  /** Milliseconds until the account has budget again; 0 if it has some now. */
  waitMs(accountId: string): number {
    const aboveMs = this.usedMs(accountId) - this.#limitMs
    return aboveMs < 0 ? 0 : Math.max(1, (aboveMs * UNPAID_WINDOW_MS) / this.#limitMs)
  }

  /** Processor time that has not been restored. */
  usedMs(accountId: string): number {
    const used = this.#used.get(accountId)
    if (used === undefined) return 0
    const backMs = ((this.#clock() - used.atMs) * this.#limitMs) / UNPAID_WINDOW_MS
    return Math.max(0, used.usedMs - backMs)
  }
}

/** The processor time of one request's renders, which is unpaid unless its charge is settled. */
export class RenderWork {
  readonly #onUnpaid: (processorMs: number) => void
  #processorMs = 0
  #state: 'open' | 'paid' | 'unpaid' = 'open'

  constructor(onUnpaid: (processorMs: number) => void) {
    this.#onUnpaid = onUnpaid
  }

  /** Counts a job's time, even after its request has ended: a cancelled job ends later. */
  add(processorMs: number): void {
    this.#processorMs += processorMs
    if (this.#state === 'unpaid') this.#onUnpaid(processorMs)
  }

  /** The charge was settled. */
  pay(): void {
    if (this.#state === 'open') this.#state = 'paid'
  }

  /** The request failed, was cancelled or refunded. */
  fail(): void {
    if (this.#state === 'unpaid') return
    this.#state = 'unpaid'
    this.#onUnpaid(this.#processorMs)
  }
}
