/** A value that changes at most once per interval; values set sooner wait. */
export class Paced<T> {
  #value: T
  readonly #everyMs: number
  readonly #join: (waiting: T, newest: T) => T
  #waiting: { readonly value: T } | null = null
  #isResting = false
  readonly #listeners = new Set<() => void>()

  /**
   * @param everyMs shortest time between two changes
   * @param join combines the waiting value with a newer one
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
    setTimeout(() => this.#continue(), this.#everyMs)
    for (const listener of this.#listeners) listener()
  }

  #continue(): void {
    this.#isResting = false
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting !== null) this.set(waiting.value)
  }
}
