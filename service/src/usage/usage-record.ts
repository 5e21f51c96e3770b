/** An authenticated request that has been answered, for usage statistics. */
export type UsageRecord = {
  readonly accountId: string
  /** Null for a request from the dashboard. */
  readonly keyId: string | null
  /** The HTTP status of the answer: 2xx is a success. */
  readonly status: number
  /** The error code of an unsuccessful answer. */
  readonly code?: string
  /** The templates that were rendered and delivered, one for each mockup. */
  readonly templateIds: readonly string[]
  /** Unix time in milliseconds: the request counts on this UTC day. */
  readonly atMs: number
}
