import { type ErrorBody, type ErrorCode, errorDefinition, type ResponseHeader } from '@vitrine/contract'

/** What an answer says beyond the catalogue. */
export type ApiErrorOptions = {
  /** One sentence in place of the catalogue's. */
  readonly message?: string
  readonly hint?: string | undefined
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

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const definition = errorDefinition(code)
    super(options.message ?? definition.message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.hint = options.hint ?? definition.hint
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return errorDefinition(this.code).status
  }

  /** Whether the error is the service's to look into. */
  get isDefect(): boolean {
    return this.status === 500
  }

  /** The body as it is sent. */
  get json(): string {
    const body: ErrorBody = {
      error: this.message,
      code: this.code,
      ...(this.details === undefined ? {} : { details: this.details }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
    }
    return JSON.stringify(body)
  }
}
