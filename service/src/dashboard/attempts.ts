import type { RequestCounter } from '../http/rate-limiting.ts'
import { DashboardError } from './dashboard-error.ts'

const windowSeconds = 15 * 60

/** Attempts in a window of 15 minutes. Nobody is locked out for longer, and one address can't lock another's owner out for all. */
const perAccountAndAddress = 5
const perAccount = 50
const perAddress = 20

/** Slows down who guesses passwords and codes, or makes us send mail. @throws DashboardError 429 */
export async function countAttempt(
  limiter: RequestCounter,
  { address, email }: { address: string; email: string | null },
): Promise<void> {
  const subjects = [{ subject: `sign-in:${address}`, limit: perAddress }]
  if (email !== null) {
    const account = email.trim().toLowerCase().slice(0, 254)
    subjects.push(
      { subject: `sign-in:${account}:${address}`, limit: perAccountAndAddress },
      { subject: `sign-in:${account}`, limit: perAccount },
    )
  }
  for (const { subject, limit } of subjects) {
    const verdict = await limiter.count({ subject, limits: [{ windowSeconds, limit }] })
    if (!verdict.allowed) {
      throw new DashboardError(
        429,
        'TOO_MANY_ATTEMPTS',
        'Too many attempts.',
        `Wait ${Math.ceil(verdict.retryAfterS / 60)} minutes and try again.`,
      )
    }
  }
}
