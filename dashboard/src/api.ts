/** Every call of the pages to the service: same origin, JSON, the session's cookie. */
import { dashboardErrorBodySchema } from '@vitrine/contract'
import type { z } from 'zod'
import { signInPrompt } from './sign-in-prompt.ts'

/** A refusal of the service, or no usable answer. `requestId` finds the request in the service's log. */
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

/** Whether a request was refused because nobody is signed in any more. */
export const isSessionEnded = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_SIGNED_IN'

/**
 * Sends a request, once more after a sign-in where the session had ended. @throws ApiError for every answer
 * that is not 2xx, and for none
 */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await sendUnasked(path, init)
  } catch (error) {
    if (!isSessionEnded(error) || !(await signInPrompt.ask())) throw error
    return sendUnasked(path, init)
  }
}

/** Sends a request that asks nobody to sign in. @throws ApiError */
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

/** Parses an answer. It may not be as expected where the service was upgraded since the page was opened. */
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

/** Reads who is signed in, or that nobody is. @throws ApiError */
export async function getUnasked<Answer>(path: string, schema: z.ZodType<Answer>): Promise<Answer> {
  return read(await sendUnasked(path), schema)
}

function sendJson(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  // The sign-in library redirects where a link was used before: followed, that would look like success.
  return send(path, { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' })
}

export async function post<Answer>(path: string, body: unknown, schema: z.ZodType<Answer>): Promise<Answer> {
  return read(await sendJson(path, body), schema)
}

/** A post whose answer says nothing but that the work is done. */
export async function act(path: string, body: unknown = {}): Promise<void> {
  await sendJson(path, body)
}
