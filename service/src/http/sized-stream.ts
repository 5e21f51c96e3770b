import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** The body of an answer whose size is known before it is read. */
export type SizedBody = {
  /** At least 1. */
  readonly sizeBytes: number
  /** The bytes in pieces, of `pieceBytes` where that can be chosen. Called once. */
  readonly open: (pieceBytes: number) => AsyncIterable<Uint8Array>
}

/**
 * Written to a connection at a time: of one larger write it cannot be seen how much a slow reader has taken.
 */
const PIECE_BYTES = 64 * 1024

/** Sends a body with its Content-Length. Await the reply where something must outlive the sending. */
export function sendSized(reply: FastifyReply, body: SizedBody): FastifyReply {
  return reply.header('Content-Length', body.sizeBytes).send(new SizedStream(body))
}

/**
 * A sized body as a stream that ends with its last byte, not when the source says that it has ended: the
 * response then finishes, and its request is counted, before the client can send another. Fails when the size
 * is not as stated.
 */
export class SizedStream extends Readable {
  readonly #pieces: AsyncIterator<Uint8Array>
  #leftBytes: number

  constructor({ sizeBytes, open }: SizedBody) {
    super()
    this.#pieces = open(PIECE_BYTES)[Symbol.asyncIterator]()
    this.#leftBytes = sizeBytes
  }

  override _read(): void {
    this.#pushNext().catch((error: unknown) => this.destroy(asError(error)))
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
    const { done, value } = await this.#pieces.next()
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
