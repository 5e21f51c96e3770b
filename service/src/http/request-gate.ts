import type { IncomingMessage } from 'node:http'
import { addressSubject } from '../rate-limits/address-subject.ts'
import { ApiError } from './api-error.ts'
import { type Authenticator, authenticate } from './authentication.ts'
import { clientAddressOf, type ProxyTrust } from './client-address.ts'
import { applyVerdict, type RateLimit, type RequestCounter } from './rate-limiting.ts'
import { requestState } from './request-state.ts'

const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

export interface RequestLimits {
  readonly perMinute: number
  readonly perDay: number
  readonly unauthenticatedPerMinute: number
}

export interface RequestGateOptions {
  readonly limits: RequestLimits
  readonly isProxy: ProxyTrust
  /** What refuses every authenticated request now, if anything does. */
  readonly refusalOfAll: () => ApiError | null
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
  readonly #isProxy: ProxyTrust
  readonly #refusalOfAll: () => ApiError | null

  constructor(
    services: { apiKeys: Authenticator; rateLimiter: RequestCounter },
    { limits, isProxy, refusalOfAll }: RequestGateOptions,
  ) {
    this.#apiKeys = services.apiKeys
    this.#counter = services.rateLimiter
    this.#limitsOfKey = [
      { windowSeconds: MINUTE_SECONDS, limit: limits.perMinute },
      { windowSeconds: DAY_SECONDS, limit: limits.perDay },
    ]
    this.#limitsOfAddress = [{ windowSeconds: MINUTE_SECONDS, limit: limits.unauthenticatedPerMinute }]
    this.#isProxy = isProxy
    this.#refusalOfAll = refusalOfAll
  }

  /**
   * Lets a request in, once.
   *
   * @throws {ApiError} MISSING_API_KEY, INVALID_API_KEY, RATE_LIMIT_EXCEEDED, or what refuses all
   */
  async enter(request: IncomingMessage): Promise<void> {
    const state = requestState(request)
    if (state.caller !== null) return
    // Asked for first: a client that leaves meanwhile must not take its address with it.
    const address = clientAddressOf(request, this.#isProxy)
    const caller = await authenticate(request, this.#apiKeys)
    if (caller instanceof ApiError) {
      applyVerdict(
        state,
        await this.#counter.count({ subject: addressSubject(address), limits: this.#limitsOfAddress }),
      )
      throw caller
    }
    state.caller = caller
    const verdict = this.#counter.count({ subject: caller.keyId, limits: this.#limitsOfKey })
    applyVerdict(state, verdict instanceof Promise ? await verdict : verdict)
    const refusal = this.#refusalOfAll()
    if (refusal !== null) throw refusal
  }
}
