import type { Arrival } from '../account-budget/arrivals.ts'
import { EARLY_PERMIT_MS } from '../mockups/limits.ts'
import type { Permit } from '../mockups/permit.ts'

/** What a generation holds while its body arrives. Its disposal gives everything back. */
export class Admission implements Disposable {
  readonly arrival: Arrival
  /** Whether its account can pay for a mockup, as far as is known. */
  readonly isFunded: boolean
  readonly #permit: Permit | null
  readonly #timer: NodeJS.Timeout | undefined

  constructor(arrival: Arrival, permit: Permit | null) {
    this.arrival = arrival
    this.isFunded = permit !== null
    this.#permit = permit
    if (permit !== null) this.#timer = setTimeout(() => permit.release(), EARLY_PERMIT_MS)
  }

  /** The permit that is kept now that the body is complete; null without one, or where the body was slow. */
  keepPermit(): Permit | null {
    clearTimeout(this.#timer)
    return this.#permit?.isReleased === false ? this.#permit : null
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#permit?.release()
    this.arrival[Symbol.dispose]()
  }
}
