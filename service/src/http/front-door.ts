import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestGate } from './request-gate.ts'
import { answerError, beginRequestOn, type LifecycleOptions } from './request-lifecycle.ts'

/** A request that may enter before it is routed. */
export interface FrontDoorOptions {
  readonly method: string
  /** Exactly this target; with a query, say, a request is routed first like any other. */
  readonly target: string
  readonly gate: RequestGate
  readonly lifecycle: LifecycleOptions
  /** Lets an authenticated request in, or throws what refuses it. */
  readonly admit: (request: IncomingMessage, response: ServerResponse) => void
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Begins, authenticates, counts and admits the requests of one target before the router sees them, as its hooks would: they find it done.
 * Thousands a second may be refused, and most of what a router and its hooks do for a request would be for nothing then.
 */
export function openFrontDoor(route: Listener, options: FrontDoorOptions): Listener {
  const { method, target, gate, lifecycle, admit } = options
  const name = `${method} ${target}`
  const enter = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await gate.enter(request)
      // The client has left meanwhile.
      if (response.destroyed) return
      admit(request, response)
    } catch (error) {
      answerError(error, request, response, lifecycle)
      return
    }
    route(request, response)
  }
  return (request, response) => {
    if (request.url !== target || request.method !== method) {
      route(request, response)
      return
    }
    beginRequestOn(request, response, () => name, lifecycle)
    void enter(request, response)
  }
}
