import { type DashboardErrorCode, dashboardErrorCatalogue } from '@vitrine/contract'

/** What a refusal says beyond what the catalogue says of its code. */
export type DashboardErrorOptions = {
  /** One sentence in place of the catalogue's. */
  readonly message?: string
  readonly hint?: string
  /** Every single thing that is wrong, where a sentence is too short for all. */
  readonly faults?: readonly string[]
  /** Whole seconds until it is worth trying again. */
  readonly retryAfterS?: number
  /** What led to it; never sent. */
  readonly cause?: unknown
}

/** A refusal with a code of the dashboard's catalogue, which has its status, message and hint. */
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
