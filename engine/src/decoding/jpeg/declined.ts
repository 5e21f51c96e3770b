/**
 * Why our decoder leaves a JPEG to the general one, which decides: `unsupported` kinds, `doubtful` data, or
 * more memory than it may take (`too-large`).
 */
export class DeclinedError extends Error {
  override readonly name = 'DeclinedError'
  readonly kind: 'unsupported' | 'doubtful' | 'too-large'

  constructor(kind: DeclinedError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
