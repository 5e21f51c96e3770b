import { type DashboardErrorCode, dashboardErrorCatalogue } from '@vitrine/contract'

/** What a refusal adds to its catalogue entry. */
export type DashboardErrorOptions = {
  /** Replaces the catalogue's message. */
  readonly message?: string
  readonly hint?: string
  /** Every single fault, if one sentence cannot list them. */
  readonly faults?: readonly string[]
  /** Whole seconds to wait before retrying. */
  readonly retryAfterS?: number
  /** The underlying error; never sent. */
  readonly cause?: unknown
}

/** A refusal with a code of the dashboard's catalogue, which defines its status, message and hint. */
export class DashboardError extends Error {
  override readonly name = 'DashboardError'
  readonly code: DashboardErrorCode
  readonly hint: string | undefined
  readonly faults: readonly string[]
  readonly retryAfterS: number | undefined

  constructor(
    code: DashboardErrorCode,
    { message, hint, faults = [], retryAfterS, cause }: DashboardErrorOptions = {},
  ) {
    const entry = dashboardErrorCatalogue[code]
    super(message ?? entry.message, { cause })
    this.code = code
    this.hint = hint ?? ('hint' in entry ? entry.hint : undefined)
    this.faults = faults
    this.retryAfterS = retryAfterS
  }
}

export const notFound = (what: string) => new DashboardError('NOT_FOUND', { message: `There is no such ${what}.` })
