import { DashboardError } from '../errors/dashboard-error.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import { IMPORTS_PER_HOUR } from '../templates/limits.ts'
import type { Visitor } from './dashboard-services.ts'

/** Counts an import, whether or not it succeeds. @throws DashboardError */
export async function countImport(rateLimiter: RateLimiter, { account }: Visitor): Promise<void> {
  const decision = await rateLimiter.count({
    subject: `imports:${account.accountId}`,
    limits: [{ windowSeconds: 60 * 60, limit: IMPORTS_PER_HOUR }],
  })
  if (decision.allowed) return
  const { retryAfterS } = decision
  throw new DashboardError('TOO_MANY_IMPORTS', {
    message: `An account imports at most ${IMPORTS_PER_HOUR} templates in an hour.`,
    hint: `Try again in ${Math.ceil(retryAfterS / 60)} minutes.`,
    retryAfterS,
  })
}
