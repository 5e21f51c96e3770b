/** Every call of the pages to the service: same origin, JSON, the session's cookie. */

/** What the service said when it refused. `requestId` is what support needs to find the request in the logs. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  readonly field: string | undefined
  /** Every single thing that is wrong, where there is more than a sentence tells. */
  readonly faults: readonly string[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  constructor(
    status: number,
    code: string,
    message: string,
    headers: Headers | null,
    {
      hint,
      field,
      faults = [],
    }: { hint?: string | undefined; field?: string | undefined; faults?: readonly string[] } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
    this.field = field
    this.faults = faults
    this.requestId = headers?.get('x-request-id') ?? null
    const retryAfter = headers?.get('retry-after')
    this.retryAfterSeconds = retryAfter === null || retryAfter === undefined ? null : Number(retryAfter)
  }
}

type ErrorBody = {
  error?: unknown
  message?: unknown
  code?: unknown
  hint?: unknown
  details?: { parameter?: unknown; faults?: unknown }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

async function refusalOf(response: Response): Promise<ApiError> {
  const body: ErrorBody = await response.json().catch(() => ({}))
  const message = text(body.error) ?? text(body.message) ?? `The service answered ${response.status}.`
  return new ApiError(response.status, text(body.code) ?? 'UNKNOWN', message, response.headers, {
    hint: text(body.hint),
    field: text(body.details?.parameter),
    faults: Array.isArray(body.details?.faults) ? body.details.faults.map(String) : [],
  })
}

/** Sends a request and returns the answer as it came. Throws ApiError for every answer that is not 2xx, and when no answer came. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init })
  } catch {
    throw new ApiError(0, 'UNREACHABLE', 'The service could not be reached. Check your connection and try again.', null)
  }
  if (!response.ok) throw await refusalOf(response)
  return response
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await send(path, signal === undefined ? {} : { signal })
  return response.json()
}

export async function post<T>(path: string, body: unknown = {}): Promise<T> {
  const response = await send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.status === 204 ? response.json().catch(() => undefined) : response.json()
}
