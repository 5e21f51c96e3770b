/** The `details` of answers that have some, by code. */
export type ErrorDetails = {
  ADDRESS_NOT_ALLOWED: { readonly address: string }
  ORIGIN_NOT_ALLOWED: { readonly origin: string | null }
  INSUFFICIENT_SCOPE: { readonly required: 'render' | 'read'; readonly scopes: readonly ('render' | 'read')[] }
  INSUFFICIENT_CREDITS: { readonly required_cents: number; readonly balance_cents: number }
  TOO_MANY_TEMPLATES: { readonly max: number; readonly received: number }
  CONFLICTING_PARAMETERS: { readonly parameters: readonly string[] }
  INVALID_PARAMETER: {
    readonly parameter: string
    readonly received: unknown
    readonly allowed: readonly string[] | string
  }
  MISSING_ARTWORK:
    | {
        readonly missing_frames?:
          | readonly { readonly template_id: string; readonly frames: readonly number[] }[]
          | undefined
        readonly received_fields?: readonly string[] | undefined
      }
    | undefined
  INVALID_ARTWORK_URL: { readonly frame: number | string } | undefined
  INVALID_FRAME_INDEX: {
    readonly invalid_frames: readonly string[]
    readonly frame_count: number
    readonly slots?: readonly string[] | undefined
  }
  TEMPLATE_NOT_FOUND: { readonly missing_template_ids: readonly string[] }
  ARTWORK_URL_FORBIDDEN: { readonly frame: number | string } | undefined
  ARTWORK_FETCH_FAILED: {
    readonly reason: string
    readonly status?: number | undefined
    readonly frame?: number | string | undefined
  }
  INVALID_ARTWORK: { readonly reason: string; readonly frame?: number | string | undefined }
  RATE_LIMIT_EXCEEDED: { readonly limit: number; readonly window: string; readonly retry_after: number }
  INTERNAL_ERROR: { readonly request_id: string }
}

/** The codes of answers without details. */
type PlainCode =
  | 'MISSING_API_KEY'
  | 'INVALID_API_KEY'
  | 'ACCOUNT_SUSPENDED'
  | 'INVALID_PUBLISHABLE_KEY'
  | 'MISSING_TEMPLATE_ID'
  | 'BATCH_REQUIRES_JSON'
  | 'MALFORMED_REQUEST'
  | 'IDEMPOTENCY_CONFLICT'
  | 'IDEMPOTENCY_MISMATCH'
  | 'IMAGE_URL_NOT_FOUND'
  | 'IMAGE_FETCH_TIMEOUT'
  | 'REQUEST_TIMEOUT'
  | 'ARTWORK_FILE_TOO_LARGE'
  | 'REQUEST_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_HEADERS_TOO_LARGE'
  | 'MOCKUP_GENERATION_FAILED'
  | 'SERVER_BUSY'

/** The client's own codes: no answer in time, none at all, or one that is not from the service. */
type ClientCode = 'TIMEOUT' | 'CONNECTION_FAILED' | 'UNEXPECTED_RESPONSE'

/** The codes of the service's answers. */
export type ServiceErrorCode = keyof ErrorDetails | PlainCode

/** All codes known to this version. */
export type ErrorCode = ServiceErrorCode | ClientCode

type Parts = {
  readonly code: string
  readonly message: string
  readonly status?: number | undefined
  readonly details?: unknown
  readonly hint?: string | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A failed call. A newer service may use codes that this client does not know. */
export class VitrineError extends Error {
  override readonly name = 'VitrineError'
  /** One of `ErrorCode`, or a newer one. */
  declare readonly code: string
  /** The HTTP status; undefined if there was no answer. */
  readonly status: number | undefined
  readonly details: unknown
  /** What can be done. */
  readonly hint: string | undefined
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined
  /** How long to wait before retrying, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor({ message, cause, ...parts }: Parts) {
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, parts)
  }
}

type DetailsOf<Code extends ErrorCode> = Code extends keyof ErrorDetails ? ErrorDetails[Code] : undefined

/** An error with this code, whose details are typed. */
export type VitrineErrorOf<Code extends ErrorCode> = Code extends ErrorCode
  ? VitrineError & { readonly code: Code; readonly details: DetailsOf<Code> }
  : never

/** Whether an error was thrown by a call, and has one of the given codes, if any. */
export function isVitrineError(error: unknown): error is VitrineError
export function isVitrineError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is VitrineErrorOf<Code>
export function isVitrineError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof VitrineError && (codes.length === 0 || codes.includes(error.code))
}
