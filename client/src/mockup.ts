import { VitrineError } from './errors.ts'
import type { ShownArtwork } from './types.ts'

/** The charge of an answer, according to its headers. */
export type Charge = {
  /** 0 if a saved answer was sent again. */
  readonly creditsUsed: number
  readonly creditsRemaining: number
  /** Whether it is the saved answer of an earlier call with the same idempotency key. */
  readonly replayed: boolean
  /** Identifies the request in the service's logs. */
  readonly requestId: string
  /** The key that this call was sent with, or null. */
  readonly idempotencyKey: string | null
}

/** One mockup of a batch. */
export type BatchMockup = {
  readonly template: string
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where it can be fetched without a key; null without an idempotency key. */
  readonly url: string | null
  readonly urlExpiresAt: Date | null
  readonly artwork: readonly ShownArtwork[]
}

/** The mockups of a batch, in the order of its templates. */
export type Batch = Charge & {
  readonly mockups: readonly BatchMockup[]
  /** Time of the renders alone. */
  readonly durationMs: number
}

const numberOf = (headers: Headers, name: string): number => Number(headers.get(name) ?? Number.NaN)

export const toDate = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

export function readCharge({ headers }: Response, idempotencyKey: string | null): Charge {
  return {
    creditsUsed: numberOf(headers, 'x-credits-used'),
    creditsRemaining: numberOf(headers, 'x-credits-remaining'),
    replayed: headers.get('idempotency-replayed') === 'true',
    requestId: headers.get('x-request-id') ?? '',
    idempotencyKey,
  }
}

/** A finished picture. Its bytes can be read once: as a stream, as a whole, or by `saveTo`. */
export class Mockup {
  readonly template: string
  /** image/jpeg or image/png */
  readonly contentType: string
  readonly sizeBytes: number
  /** Time of the render alone. */
  readonly durationMs: number
  /** Artwork pixels per mockup pixel, where the artwork is densest; below 1 it was enlarged. */
  readonly artworkDensity: number
  declare readonly creditsUsed: number
  declare readonly creditsRemaining: number
  declare readonly replayed: boolean
  declare readonly requestId: string
  declare readonly idempotencyKey: string | null
  /** Where the picture can be fetched without a key, for a day; null without an idempotency key. */
  readonly url: string | null
  readonly urlExpiresAt: Date | null
  readonly #answer: Response

  constructor(answer: Response, charge: Charge) {
    const { headers } = answer
    this.template = headers.get('x-template-id') ?? ''
    this.contentType = headers.get('content-type') ?? ''
    this.sizeBytes = numberOf(headers, 'content-length')
    this.durationMs = numberOf(headers, 'x-duration-ms')
    this.artworkDensity = numberOf(headers, 'x-artwork-density')
    Object.assign(this, charge)
    this.url = headers.get('x-mockup-url')
    this.urlExpiresAt = toDate(headers.get('x-mockup-url-expires'))
    this.#answer = answer
  }

  /** The bytes as they arrive. */
  get stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const { body } = this.#answer
    if (body === null) throw new VitrineError({ code: 'UNEXPECTED_RESPONSE', message: 'The answer has no body.' })
    return body
  }

  /**
   * The whole picture. @throws {VitrineError} CONNECTION_FAILED if the connection ends before it is complete
   */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.#whole(() => this.#answer.arrayBuffer()))
  }

  /** The whole picture, with its type. @throws {VitrineError} CONNECTION_FAILED, as `bytes` */
  blob(): Promise<Blob> {
    return this.#whole(() => this.#answer.blob())
  }

  async #whole<Body>(read: () => Promise<Body>): Promise<Body> {
    if (this.#answer.bodyUsed) throw new TypeError('The bytes of this mockup were taken before')
    try {
      return await read()
    } catch (cause) {
      // For an aborted call it is the caller's own reason.
      if (!(cause instanceof TypeError)) throw cause
      const message = 'The connection ended before the picture did: call again with the same idempotencyKey.'
      throw new VitrineError({ code: 'CONNECTION_FAILED', message, requestId: this.requestId, cause })
    }
  }
}

/** Decodes base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}
