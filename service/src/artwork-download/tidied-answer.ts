import { Duplex } from 'node:stream'
import { MAX_HEADER_BYTES } from './limits.ts'

/** The end of an HTTP head, with any kind of line ending. */
const headEnd = /\r?\n\r?\n/

/**
 * A connection that normalises response heads for Node's strict parser: line ends without CR, duplicate
 * lengths, lengths with chunked coding, and header names with blanks, all of which curl and browsers
 * tolerate. The connection carries nothing else, so no answer can be mistaken for another.
 */
export class TidiedAnswer extends Duplex {
  readonly #connection: Duplex
  /** An incomplete head; null after the last head. */
  #head: Buffer | null = Buffer.alloc(0)

  constructor(connection: Duplex) {
    super()
    this.#connection = connection
    connection.on('data', (piece: Buffer) => {
      if (!this.#take(piece)) connection.pause()
    })
    let hasEnded = false
    connection.on('end', () => {
      hasEnded = true
      if (this.#head !== null) this.push(this.#head)
      this.push(null)
    })
    connection.on('error', error => this.destroy(error))
    // After the answer has ended, a part of it may still be waiting to be read.
    connection.on('close', () => {
      if (!hasEnded) this.destroy()
    })
  }

  override _read(): void {
    this.#connection.resume()
  }

  override _write(piece: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#connection.write(piece, encoding, done)
  }

  override _final(done: () => void): void {
    this.#connection.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection.destroy()
    done(error)
  }

  /** False if the reader's buffer is full. */
  #take(piece: Buffer): boolean {
    if (this.#head === null) return this.push(piece)
    let bytes = Buffer.concat([this.#head, piece])
    for (;;) {
      const text = bytes.toString('latin1', 0, MAX_HEADER_BYTES + 4)
      const end = headEnd.exec(text)
      if (end === null) break
      const size = end.index + end[0].length
      const hasRoom = this.push(Buffer.from(tidyHead(text.slice(0, end.index)), 'latin1'))
      bytes = bytes.subarray(size)
      // A provisional (1xx) answer is followed by another head.
      if (/^HTTP\/\S+ 1(?!01)\d\d/.test(text)) continue
      this.#head = null
      return bytes.length > 0 ? this.push(bytes) : hasRoom
    }
    const isTooLong = bytes.length > MAX_HEADER_BYTES
    this.#head = isTooLong ? null : bytes
    return isTooLong ? this.push(bytes) : true
  }
}

/** Leaves at most one length in a head, if it is certain, and only valid header names. */
export function tidyHead(head: string): string {
  const [status = '', ...lines] = head.split(/\r?\n/)
  const isChunked = lines.some(line => /^transfer-encoding\s*:.*\bchunked\s*$/i.test(line))
  const lengths = new Set(lines.flatMap(line => lengthsOf(line) ?? []))
  const isOneLength = !isChunked && lengths.size === 1
  const kept = lines.filter(line => {
    if (lengthsOf(line) !== null) return !isChunked && !isOneLength
    const name = /^([^:]*):/.exec(line)?.[1]?.trimEnd()
    // Lines without a name and folded lines are left to the parser, which rejects them.
    return name === undefined || !/\S\s+\S/.test(name)
  })
  const length = isOneLength ? [`Content-Length: ${[...lengths].join()}`] : []
  const named = kept.map(line => line.replace(/^(\S+)[ \t]+:/, '$1:'))
  return `${[status, ...named, ...length].join('\r\n')}\r\n\r\n`
}

/** The lengths in a header line; null if it is not a Content-Length. */
function lengthsOf(line: string): readonly string[] | null {
  const value = /^content-length\s*:(.*)$/i.exec(line)?.[1]
  return value === undefined ? null : value.split(',').map(length => length.trim())
}
