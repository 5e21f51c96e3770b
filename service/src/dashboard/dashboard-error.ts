/** A refusal that a page shows: what happened, in words, and what to do. */
export class DashboardError extends Error {
  override readonly name = 'DashboardError'
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  /** Every single thing that is wrong, where a sentence is too short for all. */
  readonly faults: readonly string[]
  constructor(status: number, code: string, message: string, hint?: string, faults: readonly string[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.hint = hint
    this.faults = faults
  }
}

export const notSignedIn = () =>
  new DashboardError(401, 'NOT_SIGNED_IN', 'You are not signed in.', 'Sign in and try again.')
export const notFound = (what: string) => new DashboardError(404, 'NOT_FOUND', `There is no such ${what}.`)
export const notAllowed = () => new DashboardError(403, 'NOT_ALLOWED', 'Only an operator of this service may do that.')
