/** Who has work in the house: counted from before a request's body is read until its job starts. */
export class Admissions {
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
   * Whether a key may send one more request.
   *
   * A key that waits alone may fill the whole queue. While other keys wait, each has an equal share of it; and a key that is
   * below its share gets in although the queue is full, because the one that filled it must not keep the others out. Twice
   * the limit is the most that ever waits.
   */
  mayEnter(keyId: string): boolean {
    const own = this.#countByKey.get(keyId) ?? 0
    const keyCount = this.#countByKey.size + (own === 0 ? 1 : 0)
    const share = this.#queueLimit / keyCount
    // Where the shares are not whole, the first to come have the rest: rounded up for all, they would add up to more than the queue.
    if (this.#count < this.#queueLimit) return own < share
    return own < Math.max(1, Math.floor(share)) && this.#count < 2 * this.#queueLimit
  }

  /** Counts a request in. The place that it holds must be left exactly when its job starts or it ends. */
  enter(keyId: string): Place {
    this.#countByKey.set(keyId, (this.#countByKey.get(keyId) ?? 0) + 1)
    this.#count += 1
    return new Place(keyId, () => this.#leave(keyId))
  }

  #leave(keyId: string): void {
    const left = (this.#countByKey.get(keyId) ?? 0) - 1
    if (left > 0) this.#countByKey.set(keyId, left)
    else this.#countByKey.delete(keyId)
    this.#count -= 1
  }
}

/** A request's place in the house. Leaving twice is leaving once. */
export class Place implements Disposable {
  readonly keyId: string
  /** When the request came in, by the process's monotonic clock. */
  readonly enteredAtMs = performance.now()
  readonly #onLeave: () => void
  #isLeft = false

  constructor(keyId: string, onLeave: () => void) {
    this.keyId = keyId
    this.#onLeave = onLeave
  }

  leave(): void {
    if (this.#isLeft) return
    this.#isLeft = true
    this.#onLeave()
  }

  [Symbol.dispose](): void {
    this.leave()
  }
}
