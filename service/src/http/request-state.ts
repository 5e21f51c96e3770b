import type { ErrorCode } from '@vitrine/contract'
import type { DecodedBy } from '@vitrine/engine'
import type { FastifyRequest } from 'fastify'
import type { KeyCheck } from '../api-keys/api-keys.ts'
import type { Stage } from '../mockups/generate-mockups.ts'
import type { Admission } from './admission.ts'

/** The account of a request and its API key; null for a request from the dashboard. */
export type Caller = {
  readonly accountId: string
  readonly keyId: string | null
}

/** State of a request in progress, for its log line, metrics and usage record. */
export type RequestState = {
  /** Unix time in milliseconds. */
  readonly startedAtMs: number
  /** By the monotonic clock, in milliseconds. */
  readonly startedMs: number
  /** The client's address, as reported by trusted proxies if there are any; see `clientAddressOf`. */
  readonly clientAddress: string
  /** The result of checking the API key; null if the request has none. */
  keyCheck: KeyCheck | null
  caller: Caller | null
  /** The resources of an admitted generation. */
  admission: Admission | null
  /** Rejected by admission control. */
  isShed: boolean
  /** A health probe: repeated every second, so successful ones are logged at debug level. */
  isProbe: boolean
  /** "100 Continue" was sent. */
  isContinued: boolean
  templateIds: readonly string[]
  creditsConsumed: number
  creditsRefunded: number
  isReplayed: boolean
  /** The code and message of the error that was answered. */
  code: ErrorCode | null
  reason: string | null
  stages: readonly Stage[]
  /** The decoder of each artwork. */
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

/** The resources of an admitted request. */
export function admissionOf({ state }: FastifyRequest): Admission {
  if (state.admission === null) throw new Error('A request was handled before it was admitted')
  return state.admission
}
