import type { ServerResponse } from 'node:http'
import { releaseBytes } from '../received-bytes/release-bytes.ts'

/** An answer's body whose size is known before it is read. */
export interface SizedBody {
  /** At least 1. */
  readonly sizeBytes: number
  /**
   * The bytes in pieces, of `pieceBytes` where that can be chosen. A piece belongs to whoever asked for it. Called once.
   */
  readonly open: (pieceBytes: number) => AsyncIterable<Uint8Array>
}

/** Most mockups at their default size are smaller: read at once, they cost one trip to another thread instead of ten. */
const LARGE_PIECE_BYTES = 1024 * 1024

/** What all answers together may hold in large pieces. Slow readers may be many; those beyond are read in small pieces. */
const LARGE_PIECES_BYTES_MAX = 64 * 1024 * 1024

const SMALL_PIECE_BYTES = 64 * 1024

/**
 * So much is handed to a connection at a time, and the rest when that has left. Of what was handed over at once nobody can see how much a client
 * has taken, and whoever takes 64 KiB in ten seconds must be seen to.
 */
const WRITE_BYTES = 64 * 1024

/** Sends bodies whose size is known before, within a budget of memory for all of them. */
export class AnswerSender {
  #largeBytes = 0

  /**
   * Sends a body to its end. The last bytes leave together with the end of the response: whatever is done when it has finished is done before
   * its client can ask again.
   *
   * @param begin writes the head; called with the first piece, so that a body that cannot be read is still an error to answer
   * @throws what reading throws, and an error when the body is not as long as it was said
   */
  async send(raw: ServerResponse, { sizeBytes, open }: SizedBody, begin: () => void): Promise<void> {
    const isLarge = this.#largeBytes + LARGE_PIECE_BYTES <= LARGE_PIECES_BYTES_MAX
    const largeBytes = isLarge ? Math.min(sizeBytes, LARGE_PIECE_BYTES) : 0
    this.#largeBytes += largeBytes
    try {
      const client = new Client(raw)
      let leftBytes = sizeBytes
      for await (const piece of open(isLarge ? LARGE_PIECE_BYTES : SMALL_PIECE_BYTES)) {
        if (raw.destroyed) return
        if (leftBytes === sizeBytes) begin()
        if (piece.length > leftBytes) throw new Error('The body of an answer is longer than it was said')
        leftBytes -= piece.length
        if (!(await client.take(piece, leftBytes === 0))) return
        releaseBytes(piece)
      }
      if (leftBytes > 0) throw new Error('The body of an answer is shorter than it was said')
    } finally {
      this.#largeBytes -= largeBytes
    }
  }
}

/** Who reads a response, and may leave at any moment. */
class Client {
  readonly #raw: ServerResponse
  #leave: () => void = () => undefined

  constructor(raw: ServerResponse) {
    this.#raw = raw
    raw.once('close', () => this.#leave())
  }

  /** Writes a piece, and behind the last one the end. @returns whether all of it has left; false when the client has */
  async take(piece: Uint8Array, isLast: boolean): Promise<boolean> {
    for (let sent = 0; sent < piece.length; sent += WRITE_BYTES) {
      const part = piece.subarray(sent, sent + WRITE_BYTES)
      const isEnd = isLast && sent + part.length === piece.length
      if (!(await this.#hasLeft(part, isEnd))) return false
    }
    return true
  }

  #hasLeft(part: Uint8Array, isEnd: boolean): Promise<boolean> {
    const raw = this.#raw
    return new Promise(resolve => {
      if (raw.destroyed) return resolve(false)
      this.#leave = () => resolve(false)
      if (isEnd) raw.end(part, () => resolve(true))
      else raw.write(part, error => resolve(error === undefined || error === null))
    })
  }
}
