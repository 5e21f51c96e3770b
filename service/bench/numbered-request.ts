import { crc32 } from 'node:zlib'
import { buildRequest } from './load-client.ts'

const BOUNDARY = 'numbered-request'

/** Another number makes another file of the same picture. */
const DIGITS = 8
/** A comment behind a JPEG's SOI: marker, size. */
const jpegComment = Buffer.of(0xff, 0xfe, 0, DIGITS + 2)
const JPEG_COMMENT_AT = 2
/** A PNG's comment behind its signature and IHDR. */
const PNG_COMMENT_AT = 33
const KEYWORD = 'tEXtnumber\0'
const CRC_BYTES = 4
const KEY_START = 'numbered-key-'

export const isPng = (picture: Buffer): boolean => picture.toString('latin1', 1, 4) === 'PNG'

/** A comment without its digits (and checksum), and where it stands in the file. */
function beginComment(picture: Buffer): { readonly at: number; readonly start: Buffer } {
  if (!isPng(picture)) return { at: JPEG_COMMENT_AT, start: jpegComment }
  const start = Buffer.alloc(4 + KEYWORD.length)
  // The size counts neither the chunk's name nor its checksum.
  start.writeUInt32BE(KEYWORD.length - 4 + DIGITS)
  start.write(KEYWORD, 4, 'latin1')
  return { at: PNG_COMMENT_AT, start }
}

type NumberedRequestOptions = {
  readonly key: string
  /** A JPEG or a PNG. */
  readonly picture: Buffer
  readonly fields: Readonly<Record<string, string>>
  /** Whether it has an `Idempotency-Key`, for `setKeyNumber`. */
  readonly isKeyed?: boolean
}

/** A request that is sent repeatedly with another number in the artwork: making it costs nothing. */
export class NumberedRequest {
  readonly bytes: Buffer
  readonly #digitsAt: number
  readonly #isPng: boolean
  readonly #keyAt: number

  constructor({ key, picture, fields, isKeyed = false }: NumberedRequestOptions) {
    const name = (field: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"`
    const { at, start } = beginComment(picture)
    this.#isPng = isPng(picture)
    const type = this.#isPng ? 'png' : 'jpeg'
    const before = Buffer.concat([
      ...Object.entries(fields).map(([field, value]) => Buffer.from(`${name(field)}\r\n\r\n${value}\r\n`)),
      Buffer.from(`${name('artwork')}; filename="artwork.${type}"\r\nContent-Type: image/${type}\r\n\r\n`),
      picture.subarray(0, at),
      start,
    ])
    const after = Buffer.concat([picture.subarray(at), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...(isKeyed ? { 'Idempotency-Key': KEY_START + '0'.repeat(DIGITS) } : {}),
    }
    const numberBytes = DIGITS + (this.#isPng ? CRC_BYTES : 0)
    const body = Buffer.concat([before, Buffer.alloc(numberBytes), after])
    this.bytes = buildRequest('POST', '/api/v1/mockups/generate', headers, body)
    this.#digitsAt = this.bytes.length - after.length - numberBytes
    this.#keyAt = this.bytes.indexOf(KEY_START) + KEY_START.length
  }

  /** Another number makes another request of the same artwork. */
  setKeyNumber(number: number): void {
    this.bytes.write(String(number).padStart(DIGITS, '0'), this.#keyAt, 'latin1')
  }

  setNumber(number: number): void {
    const end = this.#digitsAt + DIGITS
    this.bytes.write(String(number).padStart(DIGITS, '0'), this.#digitsAt, 'latin1')
    if (this.#isPng) this.bytes.writeUInt32BE(crc32(this.bytes.subarray(this.#digitsAt - KEYWORD.length, end)), end)
  }
}
