import type { ErrorCode } from '@vitrine/contract'
import type { DecodedBy } from '@vitrine/engine'
import type { FastifyRequest } from 'fastify'
import type { KeyCheck } from '../api-keys/api-keys.ts'
import type { Stage } from '../mockups/generate-mockups.ts'
import type { Admission } from './admission.ts'

/** The account of a request, and its API key; null for a request of the dashboard. */
export type Caller = {
  readonly accountId: string
  readonly keyId: string | null
}

/** What is known about a request under way, for its log line, metrics and usage record. */
export type RequestState = {
  /** Unix time in milliseconds. */
  readonly startedAtMs: number
  /** Monotonic clock, in milliseconds. */
  readonly startedMs: number
  /** The client's address, behind trusted proxies the one that they name; see `clientAddressOf`. */
  readonly clientAddress: string
  /** What came of the API key; null where the request has none. */
  keyCheck: KeyCheck | null
  caller: Caller | null
  /** What an admitted generation holds. */
  admission: Admission | null
  /** Refused by the admission control. */
  isShed: boolean
  /** Asks how the service is, again and again: what it is told is no news. */
  isProbe: boolean
  /** "100 Continue" was sent. */
  isContinued: boolean
  templateIds: readonly string[]
  creditsConsumed: number
  creditsRefunded: number
  isReplayed: boolean
  /** The error that was answered, and its sentence. */
  code: ErrorCode | null
  reason: string | null
  stages: readonly Stage[]
  /** By artwork. */
  decodedBy: readonly DecodedBy[]
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook of every request. */
    state: RequestState
  }
}

export function newRequestState(clientAddress: string): RequestState {
  return {
    startedAtMs: Date.now(),
    startedMs: performance.now(),
    clientAddress,
    keyCheck: null,
    caller: null,
    admission: null,
    isShed: false,
    isProbe: false,
    isContinued: false,
    templateIds: [],
    creditsConsumed: 0,
    creditsRefunded: 0,
    isReplayed: false,
    code: null,
    reason: null,
    stages: [],
    decodedBy: [],
  }
}

/** The caller of an authenticated request. */
export function callerOf({ state }: FastifyRequest): Caller {
  if (state.caller === null) throw new Error('A request was handled before it was authenticated')
  return state.caller
}

/** What an admitted request holds. */
export function admissionOf({ state }: FastifyRequest): Admission {
  if (state.admission === null) throw new Error('A request was handled before it was admitted')
  return state.admission
}
