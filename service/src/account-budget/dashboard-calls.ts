import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import { type DashboardCallGroup, dashboardCallLimits } from './limits.ts'

/** Counts the dashboard's calls by account and group of routes, across nodes and restarts. */
export class DashboardCalls {
  readonly #limiter: RateLimiter
  readonly #onRefusal: () => void

  constructor(limiter: RateLimiter, { onRefusal }: { readonly onRefusal: () => void }) {
    this.#limiter = limiter
    this.#onRefusal = onRefusal
  }

  /** Counts a call. Returns the whole seconds to wait before retrying, or null if it is allowed. */
  async count(accountId: string, group: DashboardCallGroup): Promise<number | null> {
    const subject = `dashboard:${group}:${accountId}`
    const { allowed, retryAfterS } = await this.#limiter.count({ subject, limits: [dashboardCallLimits[group]] })
    if (allowed) return null
    this.#onRefusal()
    return retryAfterS
  }
}
