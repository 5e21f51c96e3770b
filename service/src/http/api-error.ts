import { type ErrorBody, type ErrorCode, errorDefinition, type ResponseHeader } from '@vitrine/contract'

/** What an answer says beyond what the catalogue says of its code. */
export interface ApiErrorOptions {
  /** One sentence in place of the catalogue's. */
  readonly message?: string
  readonly hint?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Partial<Record<ResponseHeader, string>>>
  /** What led to it; for the log, never for the caller. */
  readonly cause?: unknown
}

/** An answer with a code of the catalogue. Everything in it but `cause` is for the caller to read. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly hint: string | undefined
  readonly headers: Readonly<Partial<Record<ResponseHeader, string>>>
  #json: string | null = null

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const definition = errorDefinition(code)
    // An answer is no defect: where it was made says nothing, and the trace would cost as much as the rest of a refusal's route.
    const limit = Error.stackTraceLimit
    if (definition.status !== 500) Error.stackTraceLimit = 0
    super(options.message ?? definition.message, { cause: options.cause })
    Error.stackTraceLimit = limit
    this.code = code
    this.details = options.details
    this.hint = options.hint ?? definition.hint
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return errorDefinition(this.code).status
  }

  get body(): ErrorBody {
    return {
      error: this.message,
      code: this.code,
      ...(this.details === undefined ? {} : { details: this.details }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
    }
  }

  /** The body as it is sent. */
  get json(): string {
    this.#json ??= JSON.stringify(this.body)
    return this.#json
  }
}
