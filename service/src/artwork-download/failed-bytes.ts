import { FAILED_BYTES_MAX, FAILED_BYTES_SPAN_MS } from './limits.ts'

/** Bytes downloaded for failed requests, as of a moment. */
type Failed = { readonly bytes: number; readonly atMs: number }

/**
 * The bytes that each account has downloaded for failed requests: a leaky bucket that drains
 * `FAILED_BYTES_MAX` per `FAILED_BYTES_SPAN_MS`, which is thus the maximum long-term rate.
 */
export class FailedBytes {
  readonly #failedByAccount = new Map<string, Failed>()

  /** @param nowMs by a monotonic clock */
  note(accountId: string, bytes: number, nowMs: number): void {
    for (const [id, failed] of this.#failedByAccount)
      if (bytesLeft(failed, nowMs) === 0) this.#failedByAccount.delete(id)
    const before = this.#failedByAccount.get(accountId)
    const sum = bytes + (before === undefined ? 0 : bytesLeft(before, nowMs))
    this.#failedByAccount.set(accountId, { bytes: sum, atMs: nowMs })
  }

  /** Milliseconds until the account may download again; 0 if it may now. */
  waitMs(accountId: string, nowMs: number): number {
    const failed = this.#failedByAccount.get(accountId)
    if (failed === undefined) return 0
    return Math.max(0, (bytesLeft(failed, nowMs) - FAILED_BYTES_MAX) / BYTES_PER_MS)
  }
}

const BYTES_PER_MS = FAILED_BYTES_MAX / FAILED_BYTES_SPAN_MS

function bytesLeft({ bytes, atMs }: Failed, nowMs: number): number {
  return Math.max(0, bytes - (nowMs - atMs) * BYTES_PER_MS)
}
