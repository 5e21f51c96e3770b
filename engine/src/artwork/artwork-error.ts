import { describeFile } from './describe-file.ts'

/** Why artwork was refused. Callers rely on the documented reasons, so none is ever renamed. */
export const artworkErrorReasons = [
  'unsupported_type',
  'empty',
  'corrupt',
  'truncated',
  'too_many_pixels',
  'too_complex',
] as const

export type ArtworkErrorReason = (typeof artworkErrorReasons)[number]

type ArtworkErrorOptions = ErrorOptions & { readonly hint?: string | null }

/** The customer's picture cannot be used. The message is one sentence that may be shown to the customer. */
export class ArtworkError extends Error {
  override readonly name = 'ArtworkError'
  readonly reason: ArtworkErrorReason
  /** What to do about it, as a sentence; null if there is no advice. */
  readonly hint: string | null

  constructor(reason: ArtworkErrorReason, message: string, { hint = null, ...options }: ArtworkErrorOptions = {}) {
    super(message, options)
    this.reason = reason
    this.hint = hint
  }

  /** The message, followed by the hint. */
  get advice(): string {
    return this.hint === null ? this.message : `${this.message} ${this.hint}`
  }
}

/** An error for a file that is not a picture of a supported type. */
export function unsupportedFile(bytes: Uint8Array): ArtworkError {
  if (bytes.byteLength === 0) return new ArtworkError('empty', 'Expected a picture but received an empty file.')
  const { what, advice } = describeFile(bytes) ?? { what: 'another type of file', advice: null }
  const message = `Expected a JPEG, PNG, WebP or GIF picture but received ${what}.`
  return new ArtworkError('unsupported_type', message, { hint: advice })
}

/** Creates `corrupt` errors of one format. */
export const corruptIn =
  (format: string) =>
  (expected: string): ArtworkError =>
    new ArtworkError('corrupt', `Expected ${expected} in the ${format} but received damaged data.`)
