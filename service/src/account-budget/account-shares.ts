/** Places shared fairly among accounts. All keys of an account count together. */
export class AccountShares {
  readonly #limit: number
  readonly #countByAccount = new Map<string, number>()
  #count = 0

  /** @param limit places available to a single account */
  constructor(limit: number) {
    this.#limit = limit
  }

  get count(): number {
    return this.#count
  }

  /**
   * Takes a place, or returns null if the account already has its share. All accounts with places have equal
   * shares. An account below its share gets a place even if others have taken all, so up to twice the limit
   * may be taken.
   */
  tryTake(accountId: string): Place | null {
    if (!this.hasRoom(accountId)) return null
    this.#countByAccount.set(accountId, (this.#countByAccount.get(accountId) ?? 0) + 1)
    this.#count += 1
    return new Place(() => this.#release(accountId))
  }

  /** Whether `tryTake` would succeed now. */
  hasRoom(accountId: string): boolean {
    const own = this.#countByAccount.get(accountId) ?? 0
    const accountCount = this.#countByAccount.size + (own === 0 ? 1 : 0)
    const share = this.#limit / accountCount
    // The remainder of the division goes to the first accounts.
    if (this.#count < this.#limit) return own < share
    return own < Math.max(1, Math.floor(share)) && this.#count < 2 * this.#limit
  }

  #release(accountId: string): void {
    const left = (this.#countByAccount.get(accountId) ?? 0) - 1
    if (left > 0) this.#countByAccount.set(accountId, left)
    else this.#countByAccount.delete(accountId)
    this.#count -= 1
  }
}

/** A place. Releasing it again has no effect. */
export class Place implements Disposable {
  readonly #onRelease: () => void
  #isReleased = false

  constructor(onRelease: () => void) {
    this.#onRelease = onRelease
  }

  get isReleased(): boolean {
    return this.#isReleased
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
