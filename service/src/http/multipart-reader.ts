import { limits } from '@vitrine/contract'
import { releaseBytes } from '../received-bytes/release-bytes.ts'
import { ApiError } from './api-error.ts'
import { mediaTypeOf } from './media-type.ts'

/** A source of chunks: a promise if the next has not arrived, null at the end. */
export type ByteSource = {
  /** Ownership of the chunk passes to the caller. */
  next(): Buffer | null | Promise<Buffer | null>
}

/** A part's header. Nothing in it is used as a file path. */
export type PartHeader = {
  readonly name: string
  /** Null if there is none; empty if a form's file input was left empty. */
  readonly fileName: string | null
  /** The media type in lower case, without parameters; empty if there is none. */
  readonly mediaType: string
}

/** Padding allowed between a boundary and the end of its line, in bytes. */
const PADDING_BYTES_MAX = 256

/** How many bytes of the delimiter are searched first: Node's search is vectorised for up to 7. */
const SHORT_SEARCH_BYTES = 7

const crlf = Buffer.from('\r\n')
const headerEnd = Buffer.from('\r\n\r\n')
const nothing = Buffer.alloc(0)
const DASH = 0x2d

function malformed(message: string): ApiError {
  return new ApiError('MALFORMED_REQUEST', { message })
}

/**
 * The boundary of a multipart Content-Type (RFC 2046 section 5.1.1).
 *
 * @throws {ApiError} MALFORMED_REQUEST if there is none, or it exceeds 70 characters
 */
export function parseBoundary(contentType: string): string {
  const boundary = /;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/i.exec(contentType)
  const value = boundary?.[1] ?? boundary?.[2] ?? ''
  if (value === '') throw malformed('Expected a boundary in the Content-Type of a multipart body but received none.')
  if (value.length > limits.multipartBoundaryCharactersMax)
    throw malformed(
      `Expected a boundary of at most ${limits.multipartBoundaryCharactersMax} characters but received one of ${value.length}.`,
    )
  return value
}

/**
 * Reads a multipart form part by part, buffering at most one chunk and one delimiter. Copies only bytes at
 * the edges of a chunk, and frees each chunk once it is read.
 */
export class MultipartReader {
  readonly #source: ByteSource
  readonly #delimiter: Buffer
  readonly #delimiterBegin: Buffer
  /** The unread bytes: a view of the current chunk, or a small copy. */
  #held: Buffer = crlf
  #piece: Buffer | null = null
  #partCount = 0
  #headersBytes = 0
  #isInPart = true

  constructor(source: ByteSource, boundary: string) {
    this.#source = source
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#delimiterBegin = this.#delimiter.subarray(0, SHORT_SEARCH_BYTES)
  }

  /** Skips the rest of the current part. Null after the last part. @throws {ApiError} MALFORMED_REQUEST */
  async nextPart(): Promise<PartHeader | null> {
    await this.readBody(() => undefined)
    if (await this.#readDelimiterEnd()) {
      this.#release()
      return null
    }
    this.#partCount += 1
    if (this.#partCount > limits.multipartPartsMax)
      throw malformed(`Expected at most ${limits.multipartPartsMax} parts in a multipart body but received more.`)
    const header = parsePartHeader(await this.#readHeaderText())
    this.#isInPart = true
    return header
  }

  /**
   * Passes the current part's bytes to `take`. A chunk is freed when `take` returns or its promise resolves.
   * Hot path: no await while bytes are available.
   */
  async readBody(take: (content: Buffer) => Promise<void> | undefined): Promise<void> {
    while (this.#isInPart) {
      const end = this.#findDelimiter()
      // The last bytes may be the start of a delimiter.
      const safe = end >= 0 ? end : Math.max(0, this.#held.length - this.#delimiter.length + 1)
      const content = this.#held.subarray(0, safe)
      this.#held = this.#held.subarray(end >= 0 ? end + this.#delimiter.length : safe)
      if (end >= 0) this.#isInPart = false
      const taken = content.length > 0 ? take(content) : undefined
      if (taken !== undefined) await taken
      if (end >= 0) return
      const next = this.#next()
      const seam = this.#crossSeam(next instanceof Promise ? await next : next)
      const seamTaken = seam.length > 0 ? take(seam) : undefined
      if (seamTaken !== undefined) await seamTaken
    }
  }

  /** The delimiter's offset in the held bytes, or -1. */
  #findDelimiter(): number {
    const begin = this.#held.indexOf(this.#delimiterBegin)
    return begin < 0 ? begin : this.#held.indexOf(this.#delimiter, begin)
  }

  /**
   * Takes the next chunk of a part while less than a delimiter is held, and finds a delimiter that spans the
   * held bytes and the chunk.
   *
   * @returns the held bytes that are content
   */
  #crossSeam(piece: Buffer): Buffer {
    const size = this.#delimiter.length
    const before = this.#held
    if (piece.length < size) {
      this.#holdBehind(piece)
      return nothing
    }
    const begin = Buffer.concat([before, piece.subarray(0, size - 1)]).indexOf(this.#delimiter)
    this.#isInPart = begin < 0
    this.#held = begin < 0 ? piece : piece.subarray(begin + size - before.length)
    return begin < 0 ? before : before.subarray(0, begin)
  }

  async #readMore(): Promise<void> {
    this.#holdBehind(await this.#next())
  }

  /** Appends a chunk to the held bytes. */
  #holdBehind(piece: Buffer): void {
    if (this.#held.length === 0) this.#held = piece
    else {
      this.#held = Buffer.concat([this.#held, piece])
      this.#release()
    }
  }

  /** Reads the next chunk. Copies the held bytes first, so that the previous chunk can be freed. */
  #next(): Buffer | Promise<Buffer> {
    if (this.#piece !== null) this.#held = Buffer.from(this.#held)
    this.#release()
    const next = this.#source.next()
    return next instanceof Promise ? next.then(piece => this.#setPiece(piece)) : this.#setPiece(next)
  }

  #setPiece(piece: Buffer | null): Buffer {
    if (piece === null) throw malformed('The multipart body ends before its closing boundary.')
    this.#piece = piece
    return piece
  }

  #release(): void {
    if (this.#piece !== null) releaseBytes(this.#piece)
    this.#piece = null
  }

  /** Reads the rest of a boundary's line. True if it is the closing boundary. */
  async #readDelimiterEnd(): Promise<boolean> {
    while (this.#held.length < 2) await this.#readMore()
    if (this.#held[0] === DASH && this.#held[1] === DASH) return true
    const damaged = 'A boundary of the multipart body is damaged.'
    const end = await this.#find(crlf, PADDING_BYTES_MAX, damaged)
    if (!/^[ \t]*$/.test(this.#held.toString('latin1', 0, end))) throw malformed(damaged)
    // The line break stays, so that an empty header block ends like any other.
    this.#held = this.#held.subarray(end)
    return false
  }

  async #readHeaderText(): Promise<string> {
    const { multipartPartHeaderBytesMax: maxBytes, multipartHeadersBytesMax } = limits
    const tooLarge = `Expected at most ${maxBytes} bytes in the header of each part of the multipart body but received more.`
    // The boundary's line break precedes the header.
    const end = await this.#find(headerEnd, crlf.length + maxBytes, tooLarge)
    this.#headersBytes += Math.max(0, end - crlf.length)
    if (this.#headersBytes > multipartHeadersBytesMax)
      throw malformed(
        `Expected at most ${multipartHeadersBytesMax} bytes in the headers of all parts of the multipart body but received more.`,
      )
    const text = this.#held.toString('utf8', 0, end)
    this.#held = this.#held.subarray(end + headerEnd.length)
    return text
  }

  /** The offset of `bytes`; reads until they are found. */
  async #find(bytes: Buffer, maxBytes: number, tooFar: string): Promise<number> {
    for (;;) {
      const index = this.#held.indexOf(bytes)
      if (index > maxBytes || (index < 0 && this.#held.length > maxBytes + bytes.length)) throw malformed(tooFar)
      if (index >= 0) return index
      await this.#readMore()
    }
  }
}

/** Parameters of a Content-Disposition: tokens, or quoted texts with backslash escapes (RFC 9110, 5.6.6). */
const dispositionParameter = /;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gs

/** Parses a part's header. Header names are compared, never used as object keys. */
function parsePartHeader(text: string): PartHeader {
  // A line that begins with white space continues the previous one (RFC 5322, 2.2.3).
  const lines = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const disposition = findHeader(lines, 'content-disposition')
  if (disposition === undefined || !/^form-data\s*(?:;|$)/i.test(disposition))
    throw malformed('Expected "Content-Disposition: form-data" in every part of the multipart body.')
  let name: string | null = null
  let fileName: string | null = null
  let parameterCount = 0
  for (const [, parameter, quoted, token] of disposition.matchAll(dispositionParameter)) {
    parameterCount += 1
    if (parameterCount > limits.multipartParametersMax)
      throw malformed(
        `Expected at most ${limits.multipartParametersMax} parameters in the header of a part but received more.`,
      )
    const value = quoted?.replaceAll(/\\(.)/gs, '$1') ?? token ?? ''
    if (parameter?.toLowerCase() === 'name') name ??= value
    if (parameter?.toLowerCase() === 'filename' || parameter?.toLowerCase() === 'filename*') fileName ??= value
  }
  if (name === null) throw malformed('Expected a name in every part of the multipart body.')
  return { name, fileName, mediaType: mediaTypeOf(findHeader(lines, 'content-type')) }
}

/** The value of the first header with this name, in lower case; undefined if there is none. */
function findHeader(lines: readonly string[], name: string): string | undefined {
  const line = lines.find(line => line.slice(0, line.indexOf(':')).trim().toLowerCase() === name)
  return line?.slice(line.indexOf(':') + 1).trim()
}
