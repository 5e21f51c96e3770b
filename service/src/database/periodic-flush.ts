/**
 * Calls `flush` every `everyMs`, never concurrently, and a last time when stopped. A failed flush leaves its
 * data for the next one and is reported to `onError`.
 */
export class PeriodicFlush {
  readonly #flush: () => Promise<unknown>
  readonly #onError: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | null = null

  constructor(flush: () => Promise<unknown>, everyMs: number, onError: (error: unknown) => void) {
    this.#flush = flush
    this.#onError = onError
    this.#timer = setInterval(() => void this.now(), everyMs)
    this.#timer.unref()
  }

  /** Flushes now, or waits for the current flush and then flushes what was added since. */
  async now(): Promise<void> {
    const before = this.#running
    if (before) await before
    // Several callers may have waited for the same flush: the first of them starts the next one for all.
    this.#running ??= this.#once()
    await this.#running
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.now()
  }

  async #once(): Promise<void> {
    try {
      await this.#flush()
    } catch (error) {
      this.#onError(error)
    } finally {
      this.#running = null
    }
  }
}
