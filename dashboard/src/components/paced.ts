import { Observable } from './observable.ts'

/** A value that changes at most once per interval; values set sooner wait. */
export class Paced<T> extends Observable {
  #value: T
  readonly #everyMs: number
  readonly #join: (waiting: T, newest: T) => T
  #waiting: { readonly value: T } | null = null
  #isResting = false

  /**
   * @param everyMs shortest time between two changes
   * @param join combines the waiting value with a newer one
   */
  constructor(value: T, everyMs: number, join: (waiting: T, newest: T) => T) {
    super()
    this.#value = value
    this.#everyMs = everyMs
    this.#join = join
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
    this.notify()
  }

  #continue(): void {
    this.#isResting = false
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting !== null) this.set(waiting.value)
  }
}
