import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiError } from './api-error.ts'
import type { RequestGate } from './request-gate.ts'
import { answerError, beginRequestOn, type LifecycleOptions } from './request-lifecycle.ts'
import { requestState } from './request-state.ts'

/** A request that may enter before it is routed. */
export interface FrontDoorOptions {
  readonly method: string
  /** Exactly this target; with a query, say, a request is routed first like any other. */
  readonly target: string
  readonly gate: RequestGate
  readonly lifecycle: LifecycleOptions
  /** Lets an authenticated request in, or throws what refuses it. */
  readonly admit: (request: IncomingMessage, response: ServerResponse) => void
  /** What refuses every request now, if anything does. */
  readonly refusalOfAll: () => ApiError | null
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Begins, authenticates, counts and admits the requests of one target before the router sees them, in the order in which its hooks would do
 * the same. Thousands a second may be refused, and most of what a router and its hooks do for a request would be for nothing then. Whoever has
 * no valid key, or waits for "100 Continue", comes in by the router.
 */
export function openFrontDoor(route: Listener, options: FrontDoorOptions): Listener {
  const { method, target, gate, lifecycle, admit, refusalOfAll } = options
  const name = `${method} ${target}`
  const enter = (request: IncomingMessage, response: ServerResponse): void => {
    // The client has left meanwhile.
    if (response.destroyed) return
    try {
      const refusal = refusalOfAll()
      if (refusal !== null) throw refusal
      requestState(request).isTurnedAway = true
      admit(request, response)
      requestState(request).isTurnedAway = false
    } catch (error) {
      answerError(error, request, response, lifecycle)
      return
    }
    route(request, response)
  }
  return (request, response) => {
    if (request.url !== target || request.method !== method || request.headers.expect !== undefined) {
      route(request, response)
      return
    }
    beginRequestOn(request, response, () => name, lifecycle)
    gate.enterByKey(request).then(
      hasKey => {
        if (hasKey) enter(request, response)
        else route(request, response)
      },
      (error: unknown) => answerError(error, request, response, lifecycle),
    )
  }
}
