import { VitrineError } from './errors.ts'

export type Settings = {
  readonly apiKey: string
  /** Ends with /api/v1, without a slash. */
  readonly baseUrl: string
  readonly fetch: typeof fetch
}

export type Call<Result> = {
  readonly method: 'GET' | 'POST'
  /** Below the base URL, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs: number
  readonly maxRetries: number
  /** Reads a successful answer, within the attempt's timeout. */
  readonly read: (answer: Response) => Promise<Result>
}

/** The first wait in milliseconds; it doubles with each attempt, up to the longest. */
const WAIT_MS = 500
const WAIT_MAX_MS = 8_000
/** If the service asks for a longer wait, the error is thrown at once. */
const RETRY_AFTER_MAX_MS = 60_000
/** Waits vary randomly by up to this share, so that clients do not retry simultaneously. */
const JITTER = 0.25

const retried = new Set([408, 429, 500, 502, 503, 504])

/** Whether the same request may succeed later. */
export function isRetryable({ code, status = 0 }: VitrineError): boolean {
  return code === 'IDEMPOTENCY_CONFLICT' || code === 'TIMEOUT' || code === 'CONNECTION_FAILED' || retried.has(status)
}

/** Milliseconds before the next attempt: as long as the service asks, but at least an exponential backoff. */
export function waitBefore(tries: number, retryAfterMs = 0): number {
  const growing = Math.min(WAIT_MAX_MS, WAIT_MS * 2 ** (tries - 1)) * (1 - JITTER + 2 * JITTER * Math.random())
  return Math.max(retryAfterMs, growing)
}

/** Rejects with the signal's reason as soon as it aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    if (signal?.aborted === true) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
}

/**
 * Sends a request until it succeeds, fails permanently, or has used up its attempts.
 *
 * @throws {VitrineError} or the signal's reason
 */
export async function send<Result>(settings: Settings, call: Call<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await sendOnce(settings, call)
    } catch (error) {
      if (!(error instanceof VitrineError) || tries > call.maxRetries || !isRetryable(error)) throw error
      if ((error.retryAfterMs ?? 0) > RETRY_AFTER_MAX_MS) throw error
      await sleep(waitBefore(tries, error.retryAfterMs), call.signal)
    }
  }
}

async function sendOnce<Result>(settings: Settings, call: Call<Result>): Promise<Result> {
  const { method, path, headers, body, signal, timeoutMs, read } = call
  signal?.throwIfAborted()
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal])
  try {
    const answer = await settings.fetch(`${settings.baseUrl}${path}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${settings.apiKey}` },
      ...(body === undefined ? {} : { body }),
      signal: either,
      // Not followed, since the key is only for the service. Not 'error', which edge runtimes refuse.
      redirect: 'manual',
    })
    if (isRedirect(answer)) throw redirectError(answer)
    if (!answer.ok) throw await readError(answer)
    return await read(answer)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof VitrineError) throw error
    if (timeout.signal.aborted)
      throw new VitrineError({ code: 'TIMEOUT', message: `No answer came within ${timeoutMs} ms.` })
    throw new VitrineError({ code: 'CONNECTION_FAILED', message: 'The service could not be reached.', cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Browsers hide the status and the address of a redirect. */
const isRedirect = ({ type, status }: Response): boolean => type === 'opaqueredirect' || (status >= 300 && status < 400)

function redirectError({ status, headers }: Response): VitrineError {
  const target = headers.get('location')
  return new VitrineError({
    code: 'UNEXPECTED_RESPONSE',
    message: `Expected an answer of the service but received a redirect${target === null ? '' : ` to ${target}`}.`,
    hint: 'Give the client the address that the service itself has, with https:// where it has that.',
    ...(status === 0 ? {} : { status }),
  })
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

async function readError(answer: Response): Promise<VitrineError> {
  const { status, headers } = answer
  const text = await answer.text()
  const body: Readonly<Record<string, unknown>> = Object(parseJson(text))
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return new VitrineError({
    code: textOr(body['code']) ?? 'UNEXPECTED_RESPONSE',
    message: textOr(body['error']) ?? `The answer has the status ${status} and is not the service's.`,
    status,
    details: body['details'],
    hint: textOr(body['hint']),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: seconds >= 0 ? seconds * 1_000 : undefined,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The JSON of a successful answer. @throws {VitrineError} UNEXPECTED_RESPONSE if it is not JSON */
export async function readJson(answer: Response): Promise<object> {
  const body = parseJson(await answer.text())
  if (typeof body === 'object' && body !== null) return body
  throw new VitrineError({
    code: 'UNEXPECTED_RESPONSE',
    message: 'Expected JSON from the service but received something else.',
    status: answer.status,
  })
}
