import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import { DashboardError } from './dashboard-error.ts'
import { emailKeyOf } from './device-cookies.ts'

const WINDOW_SECONDS = 15 * 60

/** Guesses at passwords and codes are counted apart from mails that a request makes us send. */
export type AttemptPurpose = 'secret' | 'mail'

/** Attempts in a window of 15 minutes, the longest that a person is kept out. */
const PER_ACCOUNT_AND_ADDRESS = 5
const PER_ACCOUNT = 50
const PER_ADDRESS = 20
/** A browser that signed in before has a count of its own, which strangers' attempts do not use up. */
const PER_KNOWN_DEVICE = 10

/**
 * Limits guesses at passwords and codes, and requests that make us send mail. `device` is the id of a browser
 * that this account was signed in with before. @throws DashboardError
 */
export async function countAttempt(
  limiter: RateLimiter,
  {
    address,
    email,
    purpose = 'secret',
    device = null,
  }: { address: string; email: string | null; purpose?: AttemptPurpose; device?: string | null },
): Promise<void> {
  const account = email === null ? null : emailKeyOf(email)
  const subjects =
    device !== null
      ? [{ subject: `sign-in:${purpose}:device:${device}`, limit: PER_KNOWN_DEVICE }]
      : [
          { subject: `sign-in:${purpose}:${address}`, limit: PER_ADDRESS },
          ...(account === null
            ? []
            : [
                { subject: `sign-in:${purpose}:${account}:${address}`, limit: PER_ACCOUNT_AND_ADDRESS },
                { subject: `sign-in:${purpose}:${account}`, limit: PER_ACCOUNT },
              ]),
        ]
  for (const { subject, limit } of subjects) {
    const verdict = await limiter.count({ subject, limits: [{ windowSeconds: WINDOW_SECONDS, limit }] })
    if (!verdict.allowed) {
      throw new DashboardError('TOO_MANY_ATTEMPTS', {
        hint: `Wait ${Math.ceil(verdict.retryAfterS / 60)} minutes and try again, or sign in by a link: with “Forgot your password?”, or from the operator.`,
      })
    }
  }
}
