import { ArtworkError } from '../artwork/artwork-error.ts'

/**
 * Our decoder leaves a picture to the general one: its kind is `unsupported`, it needs more memory than
 * allowed (`too-large`), its data looks damaged (`doubtful`), or ends before the picture does (`cut`).
 */
export class DeclinedError extends Error {
  override readonly name = 'DeclinedError'
  readonly kind: 'unsupported' | 'doubtful' | 'cut' | 'too-large'

  constructor(kind: DeclinedError['kind'], message: string) {
    super(message)
    this.kind = kind
  }

  /** The error to report; null if the picture may be valid. */
  get refusal(): ArtworkError | null {
    if (this.kind === 'cut') return cut(this)
    return this.kind === 'doubtful' ? damaged(this) : null
  }
}

/** The picture ends too early. `cause` is for logs. */
export function cut(cause: unknown): ArtworkError {
  return new ArtworkError('truncated', 'Expected a whole picture but received a file that ends too early.', { cause })
}

/** The picture's data is damaged. `cause` is for logs. */
export function damaged(cause: unknown): ArtworkError {
  return new ArtworkError('corrupt', 'Expected a sound picture but received damaged data.', { cause })
}
