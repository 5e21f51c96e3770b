import { ApiError } from './api-error.ts'
import type { RequestState } from './request-state.ts'

/** A limit of so many requests in a window. */
export interface RateLimit {
  readonly windowSeconds: number
  readonly limit: number
}

/** What became of one counted request: the window to report, and whether any refused it. */
export interface RateLimitVerdict extends RateLimit {
  readonly allowed: boolean
  readonly remaining: number
  /** When the window ends, in Unix seconds. */
  readonly resetAtS: number
  /** Whole seconds until the window ends, at least 1. */
  readonly retryAfterS: number
}

/** What is needed of the rate limiter. */
export interface RequestCounter {
  count(request: { subject: string; limits: readonly RateLimit[] }): Promise<RateLimitVerdict> | RateLimitVerdict
}

/** Puts the verdict's headers on every answer to this request. @throws {ApiError} RATE_LIMIT_EXCEEDED */
export function applyVerdict(state: RequestState, verdict: RateLimitVerdict): void {
  const { allowed, limit, remaining, resetAtS, retryAfterS, windowSeconds } = verdict
  state.headers.set('X-RateLimit-Limit', String(limit))
  state.headers.set('X-RateLimit-Remaining', String(allowed ? remaining : 0))
  state.headers.set('X-RateLimit-Reset', String(resetAtS))
  if (allowed) return
  throw new ApiError('RATE_LIMIT_EXCEEDED', {
    message: `Expected at most ${limit} requests in ${windowSeconds} seconds but received more.`,
    details: { limit, window: `${windowSeconds}s`, retry_after: retryAfterS },
    headers: { 'Retry-After': String(retryAfterS) },
  })
}
