/**
 * An Error without a stack, for failures that are answered and not looked into: capturing the stack would be
 * a tenth of the cost of a refusal, and only Error's own constructor does it.
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

// For `instanceof Error`, and its toString.
Object.setPrototypeOf(ExpectedError.prototype, Error.prototype)
