import type { Place } from '../account-budget/account-shares.ts'

/** The admission of a request to the render queue, held until its job starts. */
export class Permit implements Disposable {
  readonly accountId: string
  /** When the request began, by the monotonic clock in milliseconds. */
  readonly startedAtMs: number
  readonly #place: Place
  readonly #way: Disposable | undefined

  /** @param way the pause of background work, which ends with the permit */
  constructor(accountId: string, startedAtMs: number, place: Place, way?: Disposable) {
    this.accountId = accountId
    this.startedAtMs = startedAtMs
    this.#place = place
    this.#way = way
  }

  get isReleased(): boolean {
    return this.#place.isReleased
  }

  release(): void {
    this.#place.release()
    this.#way?.[Symbol.dispose]()
  }

  [Symbol.dispose](): void {
    this.release()
  }
}
