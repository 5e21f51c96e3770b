import type { Arrival } from '../account-budget/arrivals.ts'
import { EARLY_PERMIT_MS } from '../mockups/limits.ts'
import type { Permit } from '../mockups/permit.ts'

/** The resources of a generation while its body is being received. Disposing releases all of them. */
export class Admission implements Disposable {
  readonly arrival: Arrival
  /** Whether the account is believed to have credits for at least one mockup. */
  readonly isFunded: boolean
  readonly #permit: Permit | null
  readonly #timer: NodeJS.Timeout | undefined

  constructor(arrival: Arrival, permit: Permit | null) {
    this.arrival = arrival
    this.isFunded = permit !== null
    this.#permit = permit
    if (permit !== null) this.#timer = setTimeout(() => permit.release(), EARLY_PERMIT_MS)
  }

  /** The permit, for use once the body is complete; null if there was none or it expired on a slow body. */
  takePermit(): Permit | null {
    clearTimeout(this.#timer)
    return this.#permit?.isReleased === false ? this.#permit : null
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#permit?.release()
    this.arrival[Symbol.dispose]()
  }
}
