import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import { emailKeyOf } from './device-cookies.ts'
import { HOUR_S, MAILS_PER_RECIPIENT } from './limits.ts'

/** A password-reset link, or the mails of a sign-up. They are counted separately. */
export type StrangersMail = 'reset' | 'confirm'

/** Limits mails caused without a session. Excess mails are dropped without changing the answer. */
export class MailBudget {
  readonly #limiter: RateLimiter
  readonly #mailsPerHour: number
  readonly #onExhausted: (kind: StrangersMail) => void

  constructor(
    limiter: RateLimiter,
    { mailsPerHour, onExhausted }: { mailsPerHour: number; onExhausted: (kind: StrangersMail) => void },
  ) {
    this.#limiter = limiter
    this.#mailsPerHour = mailsPerHour
    this.#onExhausted = onExhausted
  }

  /**
   * Counts a mail, and says whether it is sent. A browser that the recipient has signed in with before has a
   * count of its own.
   */
  async allows(kind: StrangersMail, recipient: string, device: string | null): Promise<boolean> {
    const to = device === null ? `to:${emailKeyOf(recipient)}` : `device:${device}`
    if (!(await this.#isBelow(`mail:${kind}:${to}`, MAILS_PER_RECIPIENT))) return false
    if (device !== null || (await this.#isBelow(`mail:${kind}`, this.#mailsPerHour))) return true
    this.#onExhausted(kind)
    return false
  }

  async #isBelow(subject: string, limit: number): Promise<boolean> {
    const limits = [{ windowSeconds: HOUR_S, limit }]
    const { allowed } = await this.#limiter.count({ subject, limits, isStrict: true })
    return allowed
  }
}
