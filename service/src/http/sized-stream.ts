import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The body of an answer whose size is known before it is read. */
export type SizedBody = {
  /** At least 1. */
  readonly sizeBytes: number
  /** The bytes in pieces, of `pieceBytes` where that can be chosen. Called once. */
  readonly open: (pieceBytes: number) => AsyncIterable<Uint8Array>
}

/** Most bytes of one write to a connection: how much a slow reader has taken is seen between writes only. */
const PIECE_BYTES = 64 * 1024

/**
 * Sends a body with its Content-Length; resolves when the response has closed. The headers are set once the
 * first bytes are there: when reading fails before, the error is answered without them.
 *
 * @returns whether the body could be read; the client may have left all the same
 */
export async function sendSized(
  reply: FastifyReply,
  body: SizedBody,
  headers: Readonly<Record<string, string | number>>,
): Promise<boolean> {
  const pieces = body.open(PIECE_BYTES)[Symbol.asyncIterator]()
  const first = await pieces.next()
  const stream = new SizedStream(body.sizeBytes, pieces, first)
  await reply.headers({ ...headers, 'Content-Length': body.sizeBytes }).send(stream)
  return !stream.isUnreadable
}

/**
 * Ends with the last stated byte, before the source says that it has ended: so the response finishes, and its
 * request is counted, before the client can send another. Fails when the size is not as stated.
 */
class SizedStream extends Readable {
  readonly #pieces: AsyncIterator<Uint8Array>
  #leftBytes: number
  #first: IteratorResult<Uint8Array> | null
  #isUnreadable = false

  constructor(sizeBytes: number, pieces: AsyncIterator<Uint8Array>, first: IteratorResult<Uint8Array>) {
    super()
    this.#pieces = pieces
    this.#leftBytes = sizeBytes
    this.#first = first
  }

  /** Whether the source failed, or was not as long as stated. */
  get isUnreadable(): boolean {
    return this.#isUnreadable
  }

  override _read(): void {
    this.#pushNext().catch((error: unknown) => {
      // What is destroyed already is read no more: the client has left.
      if (!this.destroyed) this.#isUnreadable = true
      this.destroy(asError(error))
    })
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    void this.#closeSource(error, callback)
  }

  async #closeSource(error: Error | null, callback: (error: Error | null) => void): Promise<void> {
    try {
      await this.#pieces.return?.()
      callback(error)
    } catch (failure) {
      callback(error ?? asError(failure))
    }
  }

  async #pushNext(): Promise<void> {
    const { done, value } = this.#first ?? (await this.#pieces.next())
    this.#first = null
    if (done === true) throw new Error('The body of an answer is shorter than stated')
    if (value.length === 0) return this.#pushNext()
    this.#leftBytes -= value.length
    if (this.#leftBytes < 0) throw new Error('The body of an answer is longer than stated')
    for (let offset = 0; offset < value.length; offset += PIECE_BYTES) {
      this.push(value.subarray(offset, offset + PIECE_BYTES))
    }
    if (this.#leftBytes === 0) this.push(null)
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
