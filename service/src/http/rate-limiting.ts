import type { onRequestAsyncHookHandler } from 'fastify'
import { addressSubject } from '../rate-limits/address-subject.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { RequestLimits } from '../rate-limits/request-limits.ts'
import { ApiError } from './api-error.ts'

/**
 * Counts a request against its key, or against its client's address where it has no valid key.
 *
 * @throws {ApiError} RATE_LIMIT_EXCEEDED
 */
export function countRequest(limiter: RateLimiter, limits: RequestLimits): onRequestAsyncHookHandler {
  return async ({ state }, reply) => {
    const keyId = state.caller?.keyId ?? null
    const decision = await limiter.count(
      keyId === null
        ? { subject: addressSubject(state.clientAddress), limits: limits.perAddress }
        : { subject: keyId, limits: limits.perKey },
    )
    const { allowed, limit, remaining, resetAtS, retryAfterS, windowSeconds } = decision
    reply.headers({
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(allowed ? remaining : 0),
      'X-RateLimit-Reset': String(resetAtS),
    })
    if (allowed) return
    throw new ApiError('RATE_LIMIT_EXCEEDED', {
      message: `Expected at most ${limit} requests in ${windowSeconds} seconds but received more.`,
      details: { limit, window: `${windowSeconds}s`, retry_after: retryAfterS },
      headers: { 'Retry-After': String(retryAfterS) },
    })
  }
}
