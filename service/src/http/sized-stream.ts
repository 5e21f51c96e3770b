import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** An answer body whose size is known in advance. */
export type SizedBody = {
  /** At least 1. */
  readonly sizeBytes: number
  /** Opens the content as chunks, of `pieceBytes` if the source can choose. Called once. */
  readonly open: (pieceBytes: number) => AsyncIterable<Uint8Array>
}

/** The largest write to a connection: a slow reader's progress is only visible between writes. */
const PIECE_BYTES = 64 * 1024

/**
 * Sends a body with its Content-Length; resolves when the response has closed. The headers are set once the
 * first bytes are read: if reading fails before that, the error is answered without them.
 *
 * @returns whether the body could be read, even if the client has left
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
 * Ends at the last stated byte, without waiting for the source to end: so the response finishes, and its
 * request is counted, before the client can send another. Fails if the size is not as stated.
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

  /** Whether the source failed or its size differed from the stated one. */
  get isUnreadable(): boolean {
    return this.#isUnreadable
  }

  override _read(): void {
    this.#pushNext().catch((error: unknown) => {
      // If already destroyed, the client has left and the failure is not the source's.
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
