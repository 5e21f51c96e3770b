import { createHash } from 'node:crypto'
import type { Clock } from '../database/clock.ts'
import type { CountedRequest, RateLimiter } from './rate-limiter.ts'
import { decide, type RateDecision } from './rate-windows.ts'
import { openRedis, type RedisClient, type RedisSettings } from './redis-client.ts'

/** Counts a request in every window, an expiring counter. Returns count and remaining ms of each. */
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

/** Identifies the script, so that it need not be sent again to a server that has it. */
const countScriptDigest = createHash('sha1').update(COUNT_SCRIPT).digest('hex')

/** How long Redis is not asked after a failure. */
const RETRY_AFTER_MS = 1_000

export type RedisRateLimiterOptions = {
  readonly fallback: RateLimiter
  readonly clock?: Clock
  /** Called with the first error of an outage, and with null when Redis works again. */
  readonly onChange: (error: Error | null) => void
}

/**
 * Counts exactly across all nodes. While Redis is unreachable, slow or read-only, each node counts alone with
 * `fallback`: then each node allows requests up to the limit.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #redis: RedisClient
  readonly #fallback: RateLimiter
  readonly #clock: Clock
  readonly #onChange: (error: Error | null) => void
  #awayUntilMs = 0
  #isOutage = false

  constructor(settings: RedisSettings, options: RedisRateLimiterOptions) {
    this.#fallback = options.fallback
    this.#clock = options.clock ?? Date.now
    this.#onChange = options.onChange
    this.#redis = openRedis(settings)
    this.#redis.on('error', error => this.#noteError(error))
  }

  /** Whether the fallback is in use. */
  get isAway(): boolean {
    return performance.now() < this.#awayUntilMs || this.#redis.status !== 'ready'
  }

  async count(request: CountedRequest): Promise<RateDecision> {
    if (this.isAway) return this.#fallback.count(request)
    const { subject, limits } = request
    try {
      // The braces (a hash tag) put a subject's windows on the same node of a Redis cluster.
      const keys = limits.map(({ windowSeconds }) => `vitrine:rate:{${subject}}:${windowSeconds}`)
      const lengths = limits.map(({ windowSeconds }) => windowSeconds * 1000)
      const reply = await this.#runScript(keys, lengths)
      const numbers = Array.isArray(reply) ? reply.map(Number) : []
      const nowMs = this.#clock()
      const windows = limits.map(({ windowSeconds }, i) => {
        const [count, leftMs] = [numbers[2 * i], numbers[2 * i + 1]]
        if (count === undefined || leftMs === undefined) throw new TypeError('Redis gave no answer for a window')
        return { windowSeconds, count, startedAtMs: nowMs + leftMs - windowSeconds * 1000 }
      })
      this.#noteSuccess()
      return decide(windows, limits, nowMs)
    } catch (error) {
      this.#awayUntilMs = performance.now() + RETRY_AFTER_MS
      this.#noteError(error)
      return this.#fallback.count(request)
    }
  }

  /** Every request and connection attempt raises an error: only the first of an outage is reported. */
  #noteError(error: unknown): void {
    if (this.#isOutage) return
    this.#isOutage = true
    this.#onChange(error instanceof Error ? error : new Error(String(error)))
  }

  #noteSuccess(): void {
    if (!this.#isOutage) return
    this.#isOutage = false
    this.#onChange(null)
  }

  /** Sends the script if the server does not have it yet, after a start or a failover. */
  async #runScript(keys: readonly string[], lengths: readonly number[]): Promise<unknown> {
    try {
      return await this.#redis.evalsha(countScriptDigest, keys.length, ...keys, ...lengths)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return this.#redis.eval(COUNT_SCRIPT, keys.length, ...keys, ...lengths)
    }
  }

  async close(): Promise<void> {
    this.#redis.disconnect()
    await this.#fallback.close()
  }

  /** Resolves when Redis is connected. Until then the fallback is used. */
  async ready(): Promise<void> {
    if (this.#redis.status === 'ready') return
    await new Promise<void>(resolve => this.#redis.once('ready', () => resolve()))
  }
}
