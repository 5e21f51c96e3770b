import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import { type DashboardCallGroup, dashboardCallLimits } from './limits.ts'

/** Counts the calls of the dashboard by account and group of routes, over all nodes and restarts. */
export class DashboardCalls {
  readonly #limiter: RateLimiter
  readonly #onRefusal: () => void

  constructor(limiter: RateLimiter, { onRefusal }: { readonly onRefusal: () => void }) {
    this.#limiter = limiter
    this.#onRefusal = onRefusal
  }

  /** Counts a call. Returns the whole seconds until it is worth trying again, or null where it is allowed. */
  async count(accountId: string, group: DashboardCallGroup): Promise<number | null> {
    const subject = `dashboard:${group}:${accountId}`
    const { allowed, retryAfterS } = await this.#limiter.count({ subject, limits: [dashboardCallLimits[group]] })
    if (allowed) return null
    this.#onRefusal()
    return retryAfterS
  }
}
