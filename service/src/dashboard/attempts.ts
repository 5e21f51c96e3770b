import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import { DashboardError } from './dashboard-error.ts'
import { emailKeyOf } from './device-cookies.ts'

const windowSeconds = 15 * 60

/** Guesses at passwords and codes, and mails that we are made to send, are counted apart: who uses up the one leaves the other. */
export type AttemptPurpose = 'secret' | 'mail'

/** Attempts in a window of 15 minutes; nobody is locked out for longer. */
const perAccountAndAddress = 5
const perAccount = 50
const perAddress = 20
/** A browser that the account was signed in with counts for itself: what strangers do from elsewhere does not slow it. */
const perKnownDevice = 10

/**
 * Slows down who guesses passwords and codes, or makes us send mail. `device` is the id of a browser that this account was
 * signed in with before. @throws DashboardError 429
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
      ? [{ subject: `sign-in:${purpose}:device:${device}`, limit: perKnownDevice }]
      : [
          { subject: `sign-in:${purpose}:${address}`, limit: perAddress },
          ...(account === null
            ? []
            : [
                { subject: `sign-in:${purpose}:${account}:${address}`, limit: perAccountAndAddress },
                { subject: `sign-in:${purpose}:${account}`, limit: perAccount },
              ]),
        ]
  for (const { subject, limit } of subjects) {
    const verdict = await limiter.count({ subject, limits: [{ windowSeconds, limit }] })
    if (!verdict.allowed) {
      throw new DashboardError(
        429,
        'TOO_MANY_ATTEMPTS',
        'Too many attempts.',
        `Wait ${Math.ceil(verdict.retryAfterS / 60)} minutes and try again, or come in by a link: with “Forgot your password?”, or from the operator.`,
      )
    }
  }
}
