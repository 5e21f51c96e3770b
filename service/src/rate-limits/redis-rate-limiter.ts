import { Redis } from 'ioredis'
import type { Clock } from '../database/clock.ts'
import type { CountedRequest, RateLimiter } from './rate-limiter.ts'
import { decide, type RateDecision } from './rate-windows.ts'

/** Counts a request in every window, a counter that expires. Returns count and milliseconds left of each. */
const COUNT_SCRIPT = `
local result = {}
for i, key in ipairs(KEYS) do
  local count = redis.call('INCR', key)
  local left = redis.call('PTTL', key)
  if left < 0 then
    redis.call('PEXPIRE', key, ARGV[i])
    left = tonumber(ARGV[i])
  end
  result[2 * i - 1] = count
  result[2 * i] = left
end
return result`

/** After this the fallback decides. */
const COMMAND_TIMEOUT_MS = 250

/** After a failure Redis is not asked for this long. */
const RETRY_AFTER_MS = 1_000

/**
 * Counts exactly over all nodes. While Redis is unreachable, slow or read-only, each node counts alone with
 * `fallback`: then each node allows requests up to the limit.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #redis: Redis
  readonly #fallback: RateLimiter
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  #awayUntilMs = 0

  constructor(
    url: string,
    options: { readonly fallback: RateLimiter; readonly clock?: Clock; readonly onError: (error: unknown) => void },
  ) {
    this.#fallback = options.fallback
    this.#clock = options.clock ?? Date.now
    this.#onError = options.onError
    this.#redis = new Redis(url, {
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 2_000,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: attempt => Math.min(100 * attempt, 2_000),
    })
    this.#redis.on('error', error => this.#onError(error))
  }

  async count(request: CountedRequest): Promise<RateDecision> {
    if (performance.now() < this.#awayUntilMs || this.#redis.status !== 'ready') return this.#fallback.count(request)
    const { subject, limits } = request
    try {
      // The braces keep a subject's windows on one node of a Redis cluster.
      const keys = limits.map(({ windowSeconds }) => `vitrine:rate:{${subject}}:${windowSeconds}`)
      const lengths = limits.map(({ windowSeconds }) => windowSeconds * 1000)
      const reply: unknown = await this.#redis.eval(COUNT_SCRIPT, keys.length, ...keys, ...lengths)
      const numbers = Array.isArray(reply) ? reply.map(Number) : []
      const nowMs = this.#clock()
      const windows = limits.map(({ windowSeconds }, i) => {
        const [count, leftMs] = [numbers[2 * i], numbers[2 * i + 1]]
        if (count === undefined || leftMs === undefined) throw new TypeError('Redis gave no answer for a window')
        return { windowSeconds, count, startedAtMs: nowMs + leftMs - windowSeconds * 1000 }
      })
      return decide(windows, limits, nowMs)
    } catch (error) {
      this.#awayUntilMs = performance.now() + RETRY_AFTER_MS
      this.#onError(error)
      return this.#fallback.count(request)
    }
  }

  async close(): Promise<void> {
    this.#redis.disconnect()
    await this.#fallback.close()
  }

  /** Resolves when Redis is connected. Until then the fallback decides. */
  async ready(): Promise<void> {
    if (this.#redis.status === 'ready') return
    await new Promise<void>(resolve => this.#redis.once('ready', () => resolve()))
  }
}
