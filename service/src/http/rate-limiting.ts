import type { FastifyReply, onRequestHookHandler } from 'fastify'
import { whenKnown } from '../database/when-known.ts'
import { addressSubject, networkOf } from '../rate-limits/address-subject.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { RateDecision } from '../rate-limits/rate-windows.ts'
import { picturesPerAddress, type RequestLimits } from '../rate-limits/request-limits.ts'
import { ApiError } from './api-error.ts'
import { requestStep } from './request-step.ts'

/**
 * Counts a request against its key, or against the client's address if it has no valid key.
 *
 * @throws {ApiError} RATE_LIMIT_EXCEEDED
 */
export function countRequest(limiter: RateLimiter, limits: RequestLimits): onRequestHookHandler {
  return requestStep(({ state }, reply) => {
    const keyId = state.caller?.keyId ?? null
    const counted =
      keyId === null
        ? { subject: addressSubject(state.clientAddress), limits: limits.perAddress }
        : { subject: keyId, limits: limits.perKey }
    return whenKnown(limiter.count(counted), decision => setRateLimitHeaders(decision, reply))
  })
}

/** Counts a request for a stored mockup by its address. @throws {ApiError} RATE_LIMIT_EXCEEDED */
export function countPicture(limiter: RateLimiter): onRequestHookHandler {
  return requestStep(({ state }, reply) => {
    const subject = `pictures:${networkOf(state.clientAddress)}`
    return whenKnown(limiter.count({ subject, limits: picturesPerAddress }), decision =>
      setRateLimitHeaders(decision, reply),
    )
  })
}

/** Sets the rate-limit headers. @throws {ApiError} RATE_LIMIT_EXCEEDED */
export function setRateLimitHeaders(decision: RateDecision, reply: FastifyReply): void {
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
