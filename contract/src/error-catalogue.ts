import { z } from 'zod'
import { keyScopeSchema } from './key-scopes.ts'
import { limits } from './limits.ts'

/** The constant properties of an error code. */
export type ErrorDefinition = {
  readonly status: number
  /** The default message, for answers without a more precise one. */
  readonly message: string
  /** What the caller can do, sent as `hint`. */
  readonly hint?: string
  /** When the service answers with this code; for the documentation. */
  readonly condition: string
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean
  /** The schema of `details`; if absent, there are none. */
  readonly details?: z.ZodObject
  /** Whether an answer may omit `details`. */
  readonly areDetailsOptional?: boolean
  /** Headers that this answer has in addition to those of every answer. */
  readonly headers?: readonly ('Retry-After' | 'WWW-Authenticate' | 'Allow')[]
}

const frame = z
  .union([z.int().min(0), z.string()])
  .meta({ description: 'Index or slot of the frame whose artwork it was, as the request named it' })

/**
 * The values of `details.reason` for an artwork that could not be downloaded. Anything but an HTTP answer has
 * the same reason, so that callers cannot find out which ports of other hosts are open, and what is
 * listening.
 */
const artworkFetchFailures = {
  name_not_resolved: 'the host name has no public address',
  connection_failed:
    'there was no HTTP answer: the host refused or broke the connection, had no valid certificate, or used another protocol',
  connection_lost: 'the connection broke before the file was complete',
  bad_status: 'the host answered with the status in `status`',
  too_many_redirects: 'there were more than 5 redirects',
  invalid_redirect: 'a redirect led to something other than an http:// or https:// URL',
  content_encoding: 'the file was sent compressed',
} as const

export type ArtworkFetchFailure = keyof typeof artworkFetchFailures

const fetchFailureNames: readonly string[] = Object.keys(artworkFetchFailures)

/** All error codes of the public interface, for the service, the OpenAPI document and the reference page. */
export const errorCatalogue = {
  MISSING_API_KEY: {
    status: 401,
    message: 'This request has no API key.',
    hint: 'Send the header "Authorization: Bearer <API_KEY>".',
    condition: 'The Authorization header is absent or empty.',
    isRetryable: false,
    headers: ['WWW-Authenticate'],
  },
  INVALID_API_KEY: {
    status: 401,
    message: 'This API key is wrong or revoked.',
    hint: 'Send the header "Authorization: Bearer <API_KEY>" with an active key.',
    condition: 'The Authorization header is not "Bearer <key>", or the key is unknown, mistyped, revoked or expired.',
    isRetryable: false,
    headers: ['WWW-Authenticate'],
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    message: 'This API key may not be used from this address.',
    hint: 'Send the request from an address that the key allows, or use another key.',
    condition: 'The key is limited to addresses, and the request comes from another one.',
    isRetryable: false,
    details: z.object({ address: z.string().meta({ description: 'The address that the request came from' }) }),
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    message: 'The account of this API key is suspended.',
    hint: 'The key is right. Ask the operator of the service to restore the account.',
    condition: 'The key is right and active, and the operator has suspended its account. Nothing is charged.',
    isRetryable: false,
  },
  INVALID_PUBLISHABLE_KEY: {
    status: 401,
    message: 'This publishable key is wrong or revoked.',
    hint: 'Use an active publishable key (vtp_...), which the dashboard shows under "Keys".',
    condition:
      'A page requests a preview with a key that is missing, unknown, mistyped, revoked, or not a publishable key.',
    isRetryable: false,
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    message: 'This publishable key may not be used by pages of this origin.',
    hint: 'Make a publishable key whose origins include this one, in the dashboard under "Keys".',
    condition:
      'A preview is requested by a page of an origin that the publishable key does not allow, or without an origin.',
    isRetryable: false,
    details: z.object({
      origin: z.string().nullable().meta({ description: 'The origin of the page; null if the request has none' }),
    }),
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'This API key may not do this.',
    hint: 'Use a key with the scope that details.required names.',
    condition: 'The key is limited to scopes, and the endpoint needs another one.',
    isRetryable: false,
    details: z.object({
      required: keyScopeSchema.meta({ description: 'The scope that the endpoint requires' }),
      scopes: z.array(keyScopeSchema).meta({ description: 'The scopes that the key has' }),
    }),
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    message: 'The wallet has too few credits for this request.',
    hint: 'Add credits to the account, then send the request again.',
    condition: 'The wallet balance is lower than the cost of the request.',
    isRetryable: false,
    details: z.object({
      required_cents: z.int().min(0).meta({ description: 'The cost of the request' }),
      balance_cents: z.int().min(0).meta({ description: 'The credits that can be spent now' }),
    }),
  },
  MISSING_TEMPLATE_ID: {
    status: 400,
    message: 'Expected template_id or template_ids but received neither.',
    condition: 'Neither template_id nor template_ids is given, or it is empty.',
    isRetryable: false,
  },
  TOO_MANY_TEMPLATES: {
    status: 400,
    message: `Expected at most ${limits.batchTemplatesMax} template_ids.`,
    hint: 'Split the batch into several requests.',
    condition: `template_ids has more than ${limits.batchTemplatesMax} elements.`,
    isRetryable: false,
    details: z.object({
      max: z.int().meta({ description: 'The maximum for one request' }),
      received: z.int().meta({ description: 'The number in the request' }),
    }),
  },
  BATCH_REQUIRES_JSON: {
    status: 400,
    message: 'Expected response_format "json" with template_ids.',
    hint: 'Add "response_format": "json".',
    condition: 'template_ids is given without response_format=json.',
    isRetryable: false,
  },
  CONFLICTING_PARAMETERS: {
    status: 400,
    message: 'These parameters exclude one another.',
    condition: 'template_id with template_ids, or more than one source of artwork.',
    isRetryable: false,
    details: z.object({
      parameters: z.array(z.string()).meta({ description: 'The parameters that exclude one another' }),
    }),
  },
  INVALID_PARAMETER: {
    status: 400,
    message: 'A parameter has a wrong value.',
    condition: 'A parameter has a wrong type or is out of range.',
    isRetryable: false,
    details: z.object({
      parameter: z.string().meta({ description: 'The parameter that is wrong' }),
      received: z.unknown().meta({ description: 'The received value; long values are truncated' }),
      allowed: z
        .union([z.array(z.string()), z.string()])
        .meta({ description: 'The allowed values, or a description of them' }),
    }),
  },
  MISSING_ARTWORK: {
    status: 400,
    message: 'Expected artwork: a file, artwork_url or artwork_urls.',
    hint: 'Send artwork_url or artwork_urls in a JSON body, or the file artwork in a multipart body.',
    condition: 'The request has no artwork, or artwork_urls (artwork_0, artwork_1, ...) lacks a frame of a template.',
    isRetryable: false,
    areDetailsOptional: true,
    details: z.object({
      missing_frames: z
        .array(z.object({ template_id: z.string(), frames: z.array(z.int().min(0)) }))
        .optional()
        .meta({ description: 'For each template, the frames that have no artwork' }),
      received_fields: z
        .array(z.string())
        .optional()
        .meta({ description: 'The fields that were received instead, at most twenty of them' }),
    }),
  },
  INVALID_ARTWORK_URL: {
    status: 400,
    message: 'Expected an artwork URL that begins with http:// or https://.',
    condition: `An artwork URL does not begin with http:// or https://, is not a URL, contains credentials, or has more than ${limits.urlCharactersMax} characters.`,
    isRetryable: false,
    areDetailsOptional: true,
    details: z.object({
      frame: z.union([z.int().min(0), z.string()]).meta({ description: 'The key inside artwork_urls' }),
    }),
  },
  INVALID_FRAME_INDEX: {
    status: 400,
    message: 'Artwork is given for a frame that no requested template has.',
    hint: 'Frame indices start at 0, one per frame.',
    condition:
      'A key of artwork_urls or placements (or the end of the name of an artwork_N or artwork.SLOT part) is neither a frame index nor a slot of any requested template.',
    isRetryable: false,
    details: z.object({
      invalid_frames: z
        .array(z.string())
        .meta({ description: 'The keys that are not frame indices, at most ten of them' }),
      frame_count: z.int().min(0).meta({ description: 'The highest number of frames of a requested template' }),
      slots: z.array(z.string()).optional().meta({ description: 'The slots of the requested templates' }),
    }),
  },
  MALFORMED_REQUEST: {
    status: 400,
    message: 'The request could not be read.',
    condition:
      'The body is not JSON, not an object, or a truncated or oversized multipart form; or the request is not valid HTTP, or it is ambiguous where it ends or which host it is for.',
    isRetryable: false,
  },
  TEMPLATE_NOT_FOUND: {
    status: 404,
    message: 'There is no such template.',
    hint: 'GET /templates lists the templates of your account.',
    condition: 'A template does not exist, or belongs to another account.',
    isRetryable: false,
    details: z.object({
      missing_template_ids: z
        .array(z.string())
        .meta({ description: 'Every requested id that does not exist; long ones are truncated' }),
    }),
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running.',
    hint: 'Wait for its answer, then send the request again to have the same answer.',
    condition: 'Another request with the same Idempotency-Key is in progress.',
    isRetryable: true,
    headers: ['Retry-After'],
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    message: 'This Idempotency-Key was used with another request.',
    hint: 'Use a new key for every new request.',
    condition: 'The Idempotency-Key belongs to a request with other parameters or other artwork.',
    isRetryable: false,
  },
  ARTWORK_URL_FORBIDDEN: {
    status: 400,
    message: 'The artwork URL leads to an address that is not public.',
    hint: 'Artwork URLs must be publicly reachable.',
    condition:
      'The artwork URL, or a redirect from it, names an address that is not public, or a port that the operator does not allow. Nothing was connected to.',
    isRetryable: false,
    areDetailsOptional: true,
    details: z.object({ frame }),
  },
  ARTWORK_FETCH_FAILED: {
    status: 400,
    message: 'The artwork could not be downloaded.',
    hint: 'Check that the URL is publicly reachable without authentication and, with https, that its certificate is valid.',
    condition: 'The artwork server refused, failed, answered with an error, or redirected more than 5 times.',
    isRetryable: false,
    details: z.object({
      reason: z.enum(fetchFailureNames).meta({ description: `What went wrong: ${describeFetchFailures()}` }),
      status: z.int().optional().meta({ description: 'The status that the artwork server answered with' }),
      frame: frame.optional(),
    }),
  },
  IMAGE_URL_NOT_FOUND: {
    status: 400,
    message: 'There is no image at the artwork URL.',
    hint: 'Check the URL: its server answered that nothing is there.',
    condition: 'The artwork server answered 404 or 410.',
    isRetryable: false,
  },
  IMAGE_FETCH_TIMEOUT: {
    status: 408,
    message: 'The artwork download took too long.',
    hint: 'The whole download must finish within 15 seconds. Try again, use a faster host or upload the file.',
    condition: 'The artwork was not complete within 15 seconds, redirects included.',
    isRetryable: true,
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request arrived too slowly.',
    hint: 'Send the request again; over a slow line, send a smaller file or artwork_url.',
    condition: 'The headers or the body of the request arrived too slowly.',
    isRetryable: true,
  },
  ARTWORK_FILE_TOO_LARGE: {
    status: 413,
    message: 'The artwork is larger than 20 MB.',
    hint: 'Send an artwork of at most 20 MB (20971520 bytes).',
    condition: 'An uploaded or fetched artwork has more than 20 * 1024 * 1024 bytes.',
    isRetryable: false,
  },
  REQUEST_TOO_LARGE: {
    status: 413,
    message: 'The request body is too large.',
    condition: 'A JSON body, or the text fields of a multipart body, are over 1 MB.',
    isRetryable: false,
  },
  INVALID_ARTWORK: {
    status: 400,
    message: 'The artwork is not a picture that can be used.',
    hint: 'Send a whole JPEG, PNG, WebP or GIF.',
    condition:
      'The artwork is not a JPEG, PNG, WebP or GIF, is damaged, has too many pixels, or is too complex to decode.',
    isRetryable: false,
    details: z.object({
      reason: z.string().meta({ description: 'What is wrong with it, as one word' }),
      frame: frame.optional(),
    }),
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Expected a body of type application/json or multipart/form-data.',
    condition: 'The Content-Type is neither application/json nor multipart/form-data.',
    isRetryable: false,
  },
  NOT_FOUND: {
    status: 404,
    message: 'There is nothing at this path.',
    hint: 'The documentation is at /docs.',
    condition: 'The path does not exist.',
    isRetryable: false,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not answer this method.',
    condition: 'The path exists, with other methods.',
    isRetryable: false,
    headers: ['Allow'],
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    message: 'Too many requests.',
    hint: 'Wait for the seconds that retry_after names.',
    condition: 'A rate limit is exceeded.',
    isRetryable: true,
    details: z.object({
      limit: z.int().meta({ description: 'Requests that the window allows' }),
      window: z.string().meta({ description: 'Length of the window: "60s" or "86400s"' }),
      retry_after: z.int().min(1).meta({ description: 'Seconds until the window ends' }),
    }),
    headers: ['Retry-After'],
  },
  REQUEST_HEADERS_TOO_LARGE: {
    status: 431,
    message: 'The request headers are too large.',
    condition: 'The request line and headers are over 16 KB.',
    isRetryable: false,
  },
  MOCKUP_GENERATION_FAILED: {
    status: 500,
    message: 'The mockup could not be rendered.',
    hint: 'No credit was consumed. Try again, waiting longer after each failure.',
    condition: 'Rendering failed.',
    isRetryable: true,
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side.',
    hint: 'No credit was consumed. Tell the operator the request id.',
    condition: 'A defect outside rendering.',
    isRetryable: true,
    details: z.object({ request_id: z.string().meta({ description: 'Same as the X-Request-Id header' }) }),
  },
  SERVER_BUSY: {
    status: 503,
    message: 'The service has too much to do at the moment.',
    hint: 'Nothing was charged. Try again after the seconds of the Retry-After header.',
    condition: 'Too much work is queued, the whole request would take too long, or the service is stopping.',
    isRetryable: true,
    headers: ['Retry-After'],
  },
} as const satisfies Record<string, ErrorDefinition>

function describeFetchFailures(): string {
  return Object.entries(artworkFetchFailures)
    .map(([reason, meaning]) => `\`${reason}\` (${meaning})`)
    .join(', ')
}

export type ErrorCode = keyof typeof errorCatalogue

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errorCatalogue, value)
}

/** All codes, in the order of the catalogue. */
export const errorCodes: readonly ErrorCode[] = Object.keys(errorCatalogue).filter(isErrorCode)

/** The entry of a code, including optional fields that its literal type omits. */
export function errorDefinition(code: ErrorCode): ErrorDefinition {
  return errorCatalogue[code]
}
