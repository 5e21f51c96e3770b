import { type ErrorBody, type ErrorCode, errorCodes, errorDefinition, type ResponseHeader } from '@vitrine/contract'
import { ExpectedError } from '../errors/expected-error.ts'

/** What an error answer adds to its catalogue entry. */
export type ApiErrorOptions = {
  /** Replaces the catalogue's message. */
  readonly message?: string
  readonly hint?: string | undefined
  readonly details?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Partial<Record<ResponseHeader, string>>>
  /** The underlying error: logged, never sent to the caller. */
  readonly cause?: unknown
}

/** The serialized bodies of errors that add nothing to their catalogue entry. */
const catalogueBodies: ReadonlyMap<ErrorCode, string> = new Map(
  errorCodes.map(code => {
    const { message, hint } = errorDefinition(code)
    return [code, bodyOf({ code, message, hint })]
  }),
)

/** An error answer with a code from the catalogue. Everything but `cause` is visible to the caller. */
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

  /** Whether the error is the service's fault and needs looking into. */
  get isDefect(): boolean {
    return this.status === 500
  }

  /** The body as sent. */
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
