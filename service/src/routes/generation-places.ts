import type { IncomingMessage, ServerResponse } from 'node:http'
import { callerOf, requestState } from '../http/request-state.ts'
import type { Place } from '../mockups/admissions.ts'
import type { RenderPool } from '../mockups/render-pool.ts'

/** The places that requests for mockups hold from before their body is read. */
export class GenerationPlaces {
  readonly #pool: Pick<RenderPool, 'admit'>
  readonly #places = new WeakMap<IncomingMessage, Place>()

  constructor(pool: Pick<RenderPool, 'admit'>) {
    this.#pool = pool
  }

  /** Lets an authenticated request in, once. It leaves its place at the latest with its connection. @throws RenderBusy */
  enter(request: IncomingMessage, response: ServerResponse): void {
    if (this.#places.has(request)) return
    const { accountId, keyId } = callerOf(request)
    const state = requestState(request)
    state.isTurnedAway = true
    const place = this.#pool.admit(keyId ?? accountId)
    state.isTurnedAway = false
    this.#places.set(request, place)
    if (response.destroyed) place.leave()
    else response.once('close', () => place.leave())
  }

  of(request: IncomingMessage): Place {
    const place = this.#places.get(request)
    if (place === undefined) throw new Error('A request was handled before it was admitted')
    return place
  }
}
