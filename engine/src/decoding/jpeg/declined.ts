/**
 * Why a JPEG is not for our decoder: `unsupported` kinds, any doubt about the data (`doubtful`), or more
 * memory than it may take (`too-large`). No verdict on the picture: the general decoder reads it next, and
 * decides.
 */
export class DeclinedError extends Error {
  override readonly name = 'DeclinedError'
  readonly kind: 'unsupported' | 'doubtful' | 'too-large'

  constructor(kind: DeclinedError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
