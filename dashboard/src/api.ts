/** All calls from the pages to the service: same origin, JSON, with the session cookie. */
import { dashboardErrorBodySchema } from '@vitrine/contract'
import type { z } from 'zod'
import { signInPrompt } from './sign-in-prompt.ts'

/** An error from the service, or no usable answer. `requestId` identifies the request in its log. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  readonly field: string | undefined
  /** The individual faults, if there is more than one sentence can say. */
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
    }: { hint?: string | undefined; field?: string | undefined; faults?: readonly string[] | undefined } = {},
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

async function refusalOf(response: Response): Promise<ApiError> {
  const read = dashboardErrorBodySchema.safeParse(await response.json().catch(() => null))
  const body = read.success ? read.data : {}
  const message = body.error ?? body.message ?? `The service answered ${response.status}.`
  return new ApiError(response.status, body.code ?? 'UNKNOWN', message, response.headers, {
    hint: body.hint,
    field: body.details?.parameter,
    faults: body.details?.faults,
  })
}

/** Whether a request was refused because the session has ended. */
export const isSessionEnded = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_SIGNED_IN'

/**
 * Sends a request, and repeats it after signing in if the session had ended. @throws ApiError for every
 * answer other than 2xx, and if there is none
 */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await sendUnasked(path, init)
  } catch (error) {
    if (!isSessionEnded(error) || !(await signInPrompt.ask())) throw error
    return sendUnasked(path, init)
  }
}

/** Sends a request without prompting to sign in. @throws ApiError */
export async function sendUnasked(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init })
  } catch {
    throw new ApiError(0, 'UNREACHABLE', 'The service could not be reached. Check your connection and try again.', null)
  }
  if (!response.ok) throw await refusalOf(response)
  return response
}

/** Parses an answer. It may not match if the service was upgraded after the page was opened. */
export async function read<Answer>(response: Response, schema: z.ZodType<Answer>): Promise<Answer> {
  const answer = schema.safeParse(await response.json())
  if (answer.success) return answer.data
  const hint = 'Reload the page and try again.'
  throw new ApiError(
    response.status,
    'UNEXPECTED_ANSWER',
    'The service sent an answer that this page cannot read.',
    response.headers,
    { hint },
  )
}

export async function get<Answer>(path: string, schema: z.ZodType<Answer>, signal?: AbortSignal): Promise<Answer> {
  return read(await send(path, signal === undefined ? {} : { signal }), schema)
}

/** Reads an answer that depends on whether the visitor is signed in. @throws ApiError */
export async function getUnasked<Answer>(path: string, schema: z.ZodType<Answer>): Promise<Answer> {
  return read(await sendUnasked(path), schema)
}

function sendJson(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  // The sign-in library redirects if a link was used before; following that would look like success.
  return send(path, { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' })
}

export async function post<Answer>(path: string, body: unknown, schema: z.ZodType<Answer>): Promise<Answer> {
  return read(await sendJson(path, body), schema)
}

/** A POST request whose answer has no content. */
export async function act(path: string, body: unknown = {}): Promise<void> {
  await sendJson(path, body)
}
