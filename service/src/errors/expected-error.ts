/**
 * An Error without a stack, for failures that are answered and need no investigation: capturing the stack,
 * which only Error's own constructor does, would take a tenth of the cost of a refusal.
 */
export abstract class ExpectedError implements Error {
  abstract readonly name: string
  readonly message: string
  readonly cause: unknown

  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    this.message = message
    this.cause = cause
  }
}

// For `instanceof Error`, and for toString.
Object.setPrototypeOf(ExpectedError.prototype, Error.prototype)
