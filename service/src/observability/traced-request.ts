import type { FinishedRequest } from './metrics.ts'

export type TracedRequest = FinishedRequest & {
  readonly requestId: string
  readonly method: string
  /** Unix time in milliseconds. */
  readonly startedAtMs: number
  /** The same moment by the monotonic clock. */
  readonly startedMs: number
  /** The header `traceparent`: the span of the caller, as W3C Trace Context writes it. */
  readonly traceParent: string | undefined
  readonly templateIds: readonly string[]
}

/** Where traces and metrics are sent by OpenTelemetry's protocol. */
export type Telemetry = {
  note(request: TracedRequest): void
  /** Sends what is left, and ends. */
  close(): Promise<void>
}
