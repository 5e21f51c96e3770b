/** A value that changes at most once in a while; what comes sooner waits until then. */
export class Paced<T> {
  #value: T
  readonly #everyMs: number
  readonly #join: (waiting: T, newest: T) => T
  #waiting: { readonly value: T } | null = null
  #isResting = false
  readonly #listeners = new Set<() => void>()

  /**
   * @param everyMs between two changes, at least
   * @param join of what waits and what comes, what waits from now on
   */
  constructor(value: T, everyMs: number, join: (waiting: T, newest: T) => T) {
    this.#value = value
    this.#everyMs = everyMs
    this.#join = join
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): T => this.#value

  set(value: T): void {
    if (this.#isResting) {
      this.#waiting = { value: this.#waiting === null ? value : this.#join(this.#waiting.value, value) }
      return
    }
    this.#value = value
    this.#isResting = true
    setTimeout(() => this.#goOn(), this.#everyMs)
    for (const listener of this.#listeners) listener()
  }

  #goOn(): void {
    this.#isResting = false
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting !== null) this.set(waiting.value)
  }
}
