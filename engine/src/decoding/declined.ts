/**
 * Our decoder leaves a picture to the general one: an `unsupported` kind, any doubt about the data
 * (`doubtful`), or more memory than allowed (`too-large`). No verdict on the picture.
 */
export class DeclinedError extends Error {
  override readonly name = 'DeclinedError'
  readonly kind: 'unsupported' | 'doubtful' | 'too-large'

  constructor(kind: DeclinedError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
