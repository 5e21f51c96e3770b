import type { FinishedRequest } from './metrics.ts'

export type TracedRequest = FinishedRequest & {
  readonly requestId: string
  readonly method: string
  /** Unix time in milliseconds. */
  readonly startedAtMs: number
  /** The same moment by the monotonic clock. */
  readonly startedMs: number
  /** The header `traceparent` (W3C Trace Context): the caller's span. */
  readonly traceParent: string | undefined
  readonly templateIds: readonly string[]
}

/** The destination of traces and metrics, by OpenTelemetry's protocol. */
export type Telemetry = {
  note(request: TracedRequest): void
  /** Sends what is left, and ends. */
  close(): Promise<void>
}
