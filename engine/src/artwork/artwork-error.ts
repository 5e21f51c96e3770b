/** Why artwork was refused. Each reason is documented to callers, so a reason is never renamed. */
export const artworkErrorReasons = [
  'unsupported_type',
  'empty',
  'corrupt',
  'truncated',
  'too_many_pixels',
  'too_complex',
] as const

export type ArtworkErrorReason = (typeof artworkErrorReasons)[number]

/** The customer's picture cannot be used. The message is one sentence that the customer may read. */
export class ArtworkError extends Error {
  override readonly name = 'ArtworkError'
  readonly reason: ArtworkErrorReason

  constructor(reason: ArtworkErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Makes `corrupt` errors of one format. */
export const corruptIn =
  (format: string) =>
  (expected: string): ArtworkError =>
    new ArtworkError('corrupt', `Expected ${expected} in the ${format} but received damaged data.`)
