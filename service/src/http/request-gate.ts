import type { IncomingMessage } from 'node:http'
import { addressSubject } from '../rate-limits/address-subject.ts'
import { ApiError } from './api-error.ts'
import { type Authenticator, authenticate, type CallingKey } from './authentication.ts'
import { applyVerdict, type RateLimit, type RequestCounter } from './rate-limiting.ts'
import { requestState } from './request-state.ts'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

export interface RequestLimits {
  readonly perMinute: number
  readonly perDay: number
  readonly unauthenticatedPerMinute: number
}

/**
 * Authenticates every request and counts it: against its key, or against its client's address where it has no valid one. Both windows of
 * a key are counted together, whatever the answer will be.
 */
export class RequestGate {
  readonly #apiKeys: Authenticator
  readonly #counter: RequestCounter
  readonly #limitsOfKey: readonly RateLimit[]
  readonly #limitsOfAddress: readonly RateLimit[]

  constructor(services: { apiKeys: Authenticator; rateLimiter: RequestCounter }, limits: RequestLimits) {
    this.#apiKeys = services.apiKeys
    this.#counter = services.rateLimiter
    this.#limitsOfKey = [
      { windowSeconds: MINUTE_SECONDS, limit: limits.perMinute },
      { windowSeconds: DAY_SECONDS, limit: limits.perDay },
    ]
    this.#limitsOfAddress = [{ windowSeconds: MINUTE_SECONDS, limit: limits.unauthenticatedPerMinute }]
  }

  /** @throws {ApiError} RATE_LIMIT_EXCEEDED @returns whether there was a valid key; if not, nothing is counted yet */
  async enterByKey(request: IncomingMessage): Promise<boolean> {
    const caller = await authenticate(request, this.#apiKeys)
    if (caller instanceof ApiError) return false
    await this.#enterAs(caller, request)
    return true
  }

  /** @throws {ApiError} MISSING_API_KEY, INVALID_API_KEY, RATE_LIMIT_EXCEEDED */
  async enter(request: IncomingMessage, address: string): Promise<void> {
    const caller = await authenticate(request, this.#apiKeys)
    if (caller instanceof ApiError) {
      applyVerdict(
        requestState(request),
        await this.#counter.count({ subject: addressSubject(address), limits: this.#limitsOfAddress }),
      )
      throw caller
    }
    await this.#enterAs(caller, request)
  }

  async #enterAs(caller: CallingKey, request: IncomingMessage): Promise<void> {
    const state = requestState(request)
    state.caller = caller
    const verdict = this.#counter.count({ subject: caller.keyId, limits: this.#limitsOfKey })
    applyVerdict(state, verdict instanceof Promise ? await verdict : verdict)
  }
}
