import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../database/clock.ts'
import { DashboardError } from '../errors/dashboard-error.ts'
import { networkOf, siteOf } from '../rate-limits/address-subject.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { RateDecision } from '../rate-limits/rate-windows.ts'
import { emailKeyOf } from './device-cookies.ts'
import {
  ADDRESS_CHANGES_PER_ACCOUNT,
  ATTEMPT_WINDOW_S,
  attemptLimits,
  HOUR_S,
  signUpLimits,
  turnLimits,
} from './limits.ts'

/** Purposes with separate counts. */
type Purpose = 'secret' | 'mail' | 'reset'

/** A client without a session. `device` identifies a browser that the account has signed in with before. */
type Stranger = { readonly address: string; readonly email: string | null; readonly device: string | null }

/** Limits guesses at passwords and codes, sign-ups, and requests that make us send mail. */
export class Attempts {
  readonly #limiter: RateLimiter
  readonly #signUpsPerHour: number
  readonly #clock: Clock
  readonly #sleep: (timeMs: number) => Promise<unknown>
  /** When the last delayed guess is checked, by account. */
  readonly #turns = new Map<string, number>()

  constructor(
    limiter: RateLimiter,
    {
      signUpsPerHour,
      clock = Date.now,
      sleep = delay,
    }: { signUpsPerHour: number; clock?: Clock; sleep?: (timeMs: number) => Promise<unknown> },
  ) {
    this.#limiter = limiter
    this.#signUpsPerHour = signUpsPerHour
    this.#clock = clock
    this.#sleep = sleep
  }

  /**
   * Counts a guess at a password or code. After many guesses at one account it is delayed. @throws
   * DashboardError
   */
  async guess(stranger: Stranger): Promise<void> {
    await this.#countStranger('secret', stranger)
    if (stranger.email === null || stranger.device !== null) return
    const account = emailKeyOf(stranger.email)
    const { freeGuesses, delayStepMs, delayMaxMs } = turnLimits
    const limit = freeGuesses + delayMaxMs / delayStepMs
    const { remaining } = await this.#count(`sign-in:secret:account:${account}`, limit, ATTEMPT_WINDOW_S)
    const delayMs = delayStepMs * (limit - remaining - freeGuesses)
    if (delayMs > 0) await this.#waitForTurn(account, delayMs)
  }

  /** Counts a guess within a session, from any address. @throws DashboardError */
  async guessInside(accountId: string): Promise<void> {
    await this.#assertBelow(`sign-in:inside:${accountId}`, attemptLimits.perAccountInside)
  }

  /** Counts a request for a mail. MailBudget limits the mails per recipient. @throws DashboardError */
  async askForMail(stranger: Stranger): Promise<void> {
    await this.#countStranger('mail', stranger)
  }

  /** Counts an account's request to confirm a new address. @throws DashboardError */
  async changeAddress(accountId: string): Promise<void> {
    await this.#assertBelow(`address-change:${accountId}`, ADDRESS_CHANGES_PER_ACCOUNT, HOUR_S)
  }

  /** Counts a use of a password-reset link, separately from guesses. @throws DashboardError */
  async reset(address: string): Promise<void> {
    await this.#countStranger('reset', { address, email: null, device: null })
  }

  /** Counts a sign-up. @throws DashboardError */
  async signUp(address: string): Promise<void> {
    await this.#assertBelow(`sign-up:network:${networkOf(address)}`, signUpLimits.perNetwork, HOUR_S)
    await this.#assertBelow(`sign-up:site:${siteOf(address)}`, signUpLimits.perSite, HOUR_S)
    await this.#assertBelow('sign-up', this.#signUpsPerHour, HOUR_S)
  }

  async #countStranger(purpose: Purpose, { address, email, device }: Stranger): Promise<void> {
    const prefix = `sign-in:${purpose}`
    if (device !== null) {
      await this.#assertBelow(`${prefix}:device:${device}`, attemptLimits.perKnownDevice)
      return
    }
    const [network, site] = [networkOf(address), siteOf(address)]
    await this.#assertBelow(`${prefix}:network:${network}`, attemptLimits.perNetwork)
    await this.#assertBelow(`${prefix}:site:${site}`, attemptLimits.perSite)
    if (email === null) return
    const account = emailKeyOf(email)
    await this.#assertBelow(`${prefix}:network:${network}:account:${account}`, attemptLimits.perAccountAndNetwork)
    await this.#assertBelow(`${prefix}:site:${site}:account:${account}`, attemptLimits.perAccountAndSite)
  }

  async #waitForTurn(account: string, delayMs: number): Promise<void> {
    const nowMs = this.#clock()
    const turnMs = Math.max(nowMs, this.#turns.get(account) ?? 0) + delayMs
    if (turnMs - nowMs > turnLimits.waitMaxMs) throw tooMany('Wait a minute')
    this.#turns.set(account, turnMs)
    await this.#sleep(turnMs - nowMs)
    if (this.#turns.get(account) === turnMs) this.#turns.delete(account)
  }

  async #assertBelow(subject: string, limit: number, windowSeconds = ATTEMPT_WINDOW_S): Promise<void> {
    const { allowed, retryAfterS } = await this.#count(subject, limit, windowSeconds)
    if (!allowed) throw tooMany(`Wait ${Math.ceil(retryAfterS / 60)} minutes`)
  }

  async #count(subject: string, limit: number, windowSeconds: number): Promise<RateDecision> {
    return this.#limiter.count({ subject, limits: [{ windowSeconds, limit }], isStrict: true })
  }
}

function tooMany(wait: string): DashboardError {
  return new DashboardError('TOO_MANY_ATTEMPTS', {
    hint: `${wait} and try again, or sign in by a link: with “Forgot your password?”, or from the operator.`,
  })
}
