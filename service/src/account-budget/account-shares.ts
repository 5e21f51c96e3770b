/** Bounds the requests between admission (before their body is read) and the start of their job. */
export class AdmissionControl {
  readonly #queueLimit: number
  readonly #countByKey = new Map<string, number>()
  #count = 0

  /** @param queueLimit requests that may wait while only one key asks */
  constructor(queueLimit: number) {
    this.#queueLimit = queueLimit
  }

  get count(): number {
    return this.#count
  }

  /**
   * A permit, or null where the key has its share already. Keys that wait have equal shares of the queue. A
   * key below its share is admitted although another filled the queue; at most twice the limit ever waits.
   */
  tryAdmit(keyId: string): Permit | null {
    const own = this.#countByKey.get(keyId) ?? 0
    if (!this.#isWithinShare(own)) return null
    this.#countByKey.set(keyId, own + 1)
    this.#count += 1
    return new Permit(keyId, () => this.#release(keyId))
  }

  #isWithinShare(own: number): boolean {
    const keyCount = this.#countByKey.size + (own === 0 ? 1 : 0)
    const share = this.#queueLimit / keyCount
    // The remainder of the division goes to the first keys.
    if (this.#count < this.#queueLimit) return own < share
    return own < Math.max(1, Math.floor(share)) && this.#count < 2 * this.#queueLimit
  }

  #release(keyId: string): void {
    const left = (this.#countByKey.get(keyId) ?? 0) - 1
    if (left > 0) this.#countByKey.set(keyId, left)
    else this.#countByKey.delete(keyId)
    this.#count -= 1
  }
}

/** The admission of one request. Releasing it again has no effect. */
export class Permit implements Disposable {
  readonly keyId: string
  /** By the process's monotonic clock. */
  readonly admittedAtMs = performance.now()
  readonly #onRelease: () => void
  #isReleased = false

  constructor(keyId: string, onRelease: () => void) {
    this.keyId = keyId
    this.#onRelease = onRelease
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#onRelease()
  }

  [Symbol.dispose](): void {
    this.release()
  }
}
