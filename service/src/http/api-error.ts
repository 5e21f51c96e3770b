import { type ErrorBody, type ErrorCode, errorCodes, errorDefinition, type ResponseHeader } from '@vitrine/contract'
import { ExpectedError } from '../errors/expected-error.ts'

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

/** The bodies of the answers that say what the catalogue says. */
const catalogueBodies: ReadonlyMap<ErrorCode, string> = new Map(
  errorCodes.map(code => {
    const { message, hint } = errorDefinition(code)
    return [code, bodyOf({ code, message, hint })]
  }),
)

/** An answer with a code of the catalogue. Everything in it but `cause` is for the caller to read. */
export class ApiError extends ExpectedError {
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
    const { message, hint } = errorDefinition(this.code)
    const isOfCatalogue = this.details === undefined && this.message === message && this.hint === hint
    return (isOfCatalogue ? catalogueBodies.get(this.code) : undefined) ?? bodyOf(this)
  }
}

function bodyOf({
  code,
  message,
  details,
  hint,
}: {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly hint?: string | undefined
}): string {
  const body: ErrorBody = {
    error: message,
    code,
    ...(details === undefined ? {} : { details }),
    ...(hint === undefined ? {} : { hint }),
  }
  return JSON.stringify(body)
}
