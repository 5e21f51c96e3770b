import { Duplex } from 'node:stream'
import { MAX_HEADER_BYTES } from './limits.ts'

/** HTTP's end of a head, with line ends of any kind. */
const headEnd = /\r?\n\r?\n/

/**
 * A connection whose answers have heads that Node's strict parser takes: line ends without CR, lengths that
 * are given twice and beside chunks, and headers with blanks in their names are what curl and browsers read
 * past. Nothing else is sent on the connection, so no answer can be taken for another.
 */
export class TidiedAnswer extends Duplex {
  readonly #connection: Duplex
  /** of a head that is not complete; null behind the last head */
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
    // Of an answer that has ended, a part may still wait to be read.
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

  /** False where the reader has enough. */
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
      // A provisional answer is followed by another head.
      if (/^HTTP\/\S+ 1(?!01)\d\d/.test(text)) continue
      this.#head = null
      return bytes.length > 0 ? this.push(bytes) : hasRoom
    }
    const isTooLong = bytes.length > MAX_HEADER_BYTES
    this.#head = isTooLong ? null : bytes
    return isTooLong ? this.push(bytes) : true
  }
}

/** A head with one length at most, where that is sure, and names that are names. */
export function tidyHead(head: string): string {
  const [status = '', ...lines] = head.split(/\r?\n/)
  const isChunked = lines.some(line => /^transfer-encoding\s*:.*\bchunked\s*$/i.test(line))
  const lengths = new Set(lines.flatMap(line => lengthsOf(line) ?? []))
  const isOneLength = !isChunked && lengths.size === 1
  const kept = lines.filter(line => {
    if (lengthsOf(line) !== null) return !isChunked && !isOneLength
    const name = /^([^:]*):/.exec(line)?.[1]?.trimEnd()
    // A line without a name, or a folded one, is left to the parser, which refuses it.
    return name === undefined || !/\S\s+\S/.test(name)
  })
  const length = isOneLength ? [`Content-Length: ${[...lengths].join()}`] : []
  const named = kept.map(line => line.replace(/^(\S+)[ \t]+:/, '$1:'))
  return `${[status, ...named, ...length].join('\r\n')}\r\n\r\n`
}

/** The lengths that a line gives; null where it gives none. */
function lengthsOf(line: string): readonly string[] | null {
  const value = /^content-length\s*:(.*)$/i.exec(line)?.[1]
  return value === undefined ? null : value.split(',').map(length => length.trim())
}
