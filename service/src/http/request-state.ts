import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '@vitrine/contract'
import type { DecodedBy } from '@vitrine/engine'
import type { Stage } from '../mockups/generate-mockups.ts'

/** Who sends a request: an account, by one of its API keys or, without one, from the dashboard. */
export interface Caller {
  readonly accountId: string
  readonly keyId: string | null
}

/** What is known about a request while it is under way; the log line, the metrics and the usage record are made of it. */
export interface RequestState {
  readonly requestId: string
  /** Unix time in milliseconds. */
  readonly startedAtMs: number
  /** Monotonic clock, in milliseconds. */
  readonly startedMs: number
  caller: Caller | null
  /** Headers that every answer to this request carries from here on. */
  readonly headers: Map<string, string>
  templateIds: readonly string[]
  creditsConsumed: number
  creditsRefunded: number
  isReplayed: boolean
  /** Refused because the queue was full: there may be a thousand a second, so the metrics alone count them unless the log is told everything. */
  isTurnedAway: boolean
  code: ErrorCode | null
  stages: readonly Stage[]
  /** Who decoded each artwork. */
  decodedBy: readonly DecodedBy[]
}

/**
 * Where a request keeps its state: on itself. A WeakMap would do the same, but the collector has to walk its entries again and again when a
 * thousand requests a second begin and end.
 */
const STATE = Symbol('state')

declare module 'node:http' {
  interface IncomingMessage {
    [STATE]?: RequestState
  }
}

export function beginRequest(request: IncomingMessage, requestId: string, nowMs: number): RequestState {
  const state: RequestState = {
    requestId,
    startedAtMs: nowMs,
    startedMs: performance.now(),
    caller: null,
    headers: new Map([
      ['X-Request-Id', requestId],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cache-Control', 'no-store'],
    ]),
    templateIds: [],
    creditsConsumed: 0,
    creditsRefunded: 0,
    isReplayed: false,
    isTurnedAway: false,
    code: null,
    stages: [],
    decodedBy: [],
  }
  request[STATE] = state
  return state
}

/** The state of a request that has begun; none before the router has seen it. */
export function findRequestState(request: IncomingMessage): RequestState | undefined {
  return request[STATE]
}

/** The state of a request that has begun. */
export function requestState(request: IncomingMessage): RequestState {
  const state = request[STATE]
  if (state === undefined) throw new Error('A request was handled before it began')
  return state
}

/** Who sends an authenticated request. */
export function callerOf(request: IncomingMessage): Caller {
  const { caller } = requestState(request)
  if (caller === null) throw new Error('A request was handled before it was authenticated')
  return caller
}
