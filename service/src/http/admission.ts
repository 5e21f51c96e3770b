import type { onRequestAsyncHookHandler } from 'fastify'
import type { AccountBudget } from '../account-budget/account-budget.ts'
import type { Arrival } from '../account-budget/arrivals.ts'
import { EARLY_PERMIT_MS } from '../mockups/limits.ts'
import type { Permit } from '../mockups/permit.ts'
import type { RenderPool } from '../mockups/render-pool.ts'
import { ClientGoneError } from './body-reader.ts'
import { callerOf } from './request-state.ts'

/** What a generation holds while its body arrives. Its disposal gives everything back. */
export class Admission implements Disposable {
  readonly arrival: Arrival
  readonly #permit: Permit | null
  readonly #timer: NodeJS.Timeout | undefined

  constructor(arrival: Arrival, permit: Permit | null) {
    this.arrival = arrival
    this.#permit = permit
    if (permit !== null) this.#timer = setTimeout(() => permit.release(), EARLY_PERMIT_MS)
  }

  /** The permit that is kept now that the body is complete; null where there was none, or it came too slowly. */
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

/**
 * Admits an authenticated request before its body is read: a place to arrive, and a permit to render for a
 * moment where its account has credits. All is released at the latest when the response closes.
 *
 * @throws {GenerationError} `busy`
 * @throws {BudgetExhaustedError}
 */
export function admitRequest({
  pool,
  budget,
}: {
  readonly pool: Pick<RenderPool, 'admit' | 'assertRoom'>
  readonly budget: AccountBudget
}): onRequestAsyncHookHandler {
  return async (request, { raw }) => {
    const { state } = request
    const { accountId } = callerOf(request)
    state.isShed = true
    const isFunded = await budget.isFunded(accountId)
    if (raw.destroyed) {
      state.isShed = false
      throw new ClientGoneError('The client left before its request was admitted')
    }
    budget.assertMayRender(accountId)
    let permit: Permit | null = null
    if (isFunded) permit = pool.admit(accountId, state.startedMs)
    else pool.assertRoom(accountId)
    try {
      const admission = new Admission(budget.arrive(accountId, isFunded), permit)
      raw.once('close', () => admission[Symbol.dispose]())
      state.admission = admission
      state.isShed = false
    } catch (error) {
      permit?.release()
      throw error
    }
  }
}
