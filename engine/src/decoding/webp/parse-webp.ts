import { DeclinedError } from '../declined.ts'
import type { Size } from '../reduction/result-layout.ts'

/** The VP8 or VP8L chunk of a file and its header. */
export type WebpPicture = Size & {
  readonly chunk: Uint8Array
  readonly isLossless: boolean
  /** false if all pixels have alpha 255, whatever the data says */
  readonly hasAlpha: boolean
  /** of a lossy picture with alpha */
  readonly alpha: WebpAlpha | null
}

/** Alpha of a lossy picture: a byte per pixel, or a VP8L stream without a header; filtered. */
export type WebpAlpha = { readonly data: Uint8Array; readonly isStream: boolean; readonly filter: number }

/** RFC 6386, section 9.1: a tag of three bytes, a start code of three, two sides. */
const FRAME_HEADER_BYTES = 10

/** RFC 9649, section 3.4: a signature, then 14 bits for each side, one for alpha, and a version of 3 bits. */
export const LOSSLESS_HEADER_BYTES = 5
const LOSSLESS_SIGNATURE = 0x2f

/** The header can declare one more, which libvips refuses. */
const MOST_SIDE_PX = 16_383

const RIFF_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8

/** Flags of an extended header that a still picture may have. */
const FLAG_PROFILE = 0x20
const FLAG_ALPHA = 0x10

/**
 * Finds the picture of an inspected WebP: one VP8 or VP8L chunk, alone or after an extended header, a profile
 * and alpha, with nothing after it. Throws DeclinedError for anything else.
 */
export function parseWebp(bytes: Uint8Array): WebpPicture {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const nameAt = (at: number): string =>
    at + CHUNK_HEADER_BYTES > bytes.length ? '' : String.fromCharCode(...bytes.subarray(at, at + 4))
  if (nameAt(0) !== 'RIFF' || String.fromCharCode(...bytes.subarray(8, 12)) !== 'WEBP') throw unsupported()
  if (view.getUint32(4, true) !== bytes.length - CHUNK_HEADER_BYTES) throw doubtful('the size of the file')
  let at = RIFF_HEADER_BYTES
  const next = (): void => {
    const sizeBytes = view.getUint32(at + 4, true)
    at += CHUNK_HEADER_BYTES + sizeBytes + (sizeBytes & 1)
  }
  const isExtended = nameAt(at) === 'VP8X'
  const canvasAt = at + CHUNK_HEADER_BYTES
  if (isExtended) {
    if (view.getUint32(at + 4, true) !== 10 || canvasAt + 10 > bytes.length) throw unsupported()
    if (((bytes[canvasAt] ?? 0) & ~(FLAG_PROFILE | FLAG_ALPHA)) !== 0) throw unsupported()
    next()
    if (nameAt(at) === 'ICCP') next()
  }
  let alphaChunk: Uint8Array | null = null
  if (isExtended && nameAt(at) === 'ALPH') {
    const from = at + CHUNK_HEADER_BYTES
    alphaChunk = bytes.subarray(from, from + view.getUint32(at + 4, true))
    next()
  }
  const name = nameAt(at)
  if (name !== 'VP8 ' && name !== 'VP8L') throw unsupported()
  const isLossless = name === 'VP8L'
  const sizeBytes = view.getUint32(at + 4, true)
  const chunkAt = at + CHUNK_HEADER_BYTES
  if (sizeBytes < (isLossless ? LOSSLESS_HEADER_BYTES : FRAME_HEADER_BYTES)) throw doubtful('a frame')
  if (bytes.length !== chunkAt + sizeBytes + (sizeBytes & 1)) throw doubtful('one picture and nothing behind it')
  const chunk = bytes.subarray(chunkAt, chunkAt + sizeBytes)
  if (isLossless && alphaChunk !== null) throw unsupported()
  const picture = isLossless ? readLosslessHeader(chunk) : readFrameHeader(chunk, alphaChunk)
  if (isExtended) {
    const side = (offset: number): number => 1 + (view.getUint32(canvasAt + offset, true) & 0xffffff)
    const heightPx = 1 + (view.getUint32(canvasAt + 6, true) >>> 8)
    if (side(4) !== picture.widthPx || heightPx !== picture.heightPx) throw doubtful('one size')
    const flags = bytes[canvasAt] ?? 0
    if (((flags & FLAG_ALPHA) !== 0) !== picture.hasAlpha) throw doubtful('alpha as the header says')
  }
  return picture
}

function readFrameHeader(chunk: Uint8Array, alphaChunk: Uint8Array | null): WebpPicture {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  if (chunk[3] !== 0x9d || chunk[4] !== 0x01 || chunk[5] !== 0x2a) throw doubtful('a start code')
  const widthPx = view.getUint16(6, true) & 0x3fff
  const heightPx = view.getUint16(8, true) & 0x3fff
  if (widthPx === 0 || heightPx === 0) throw doubtful('a size')
  const alpha = alphaChunk === null ? null : readAlphaHeader(alphaChunk, widthPx * heightPx)
  return { chunk, isLossless: false, widthPx, heightPx, hasAlpha: alpha !== null, alpha }
}

/** Two bits each: compression, filter, preprocessing (ignored), reserved. */
function readAlphaHeader(chunk: Uint8Array, pixels: number): WebpAlpha {
  const [head = 0xff] = chunk
  const data = chunk.subarray(1)
  const [method, filter, preparation, rest] = [0, 2, 4, 6].map(shift => (head >> shift) & 3)
  if (method === undefined || method > 1 || filter === undefined || preparation === undefined || preparation > 1)
    throw doubtful('alpha')
  if (rest !== 0 || (method === 0 && data.length < pixels)) throw doubtful('alpha')
  return { data, isStream: method === 1, filter }
}

function readLosslessHeader(chunk: Uint8Array): WebpPicture {
  const bits = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength).getUint32(1, true)
  if (chunk[0] !== LOSSLESS_SIGNATURE || bits >>> 29 !== 0) throw doubtful('a signature and version 0')
  const widthPx = (bits & 0x3fff) + 1
  const heightPx = ((bits >>> 14) & 0x3fff) + 1
  if (widthPx > MOST_SIDE_PX || heightPx > MOST_SIDE_PX) throw unsupported()
  return { chunk, isLossless: true, widthPx, heightPx, hasAlpha: ((bits >>> 28) & 1) === 1, alpha: null }
}

function unsupported(): DeclinedError {
  return new DeclinedError('unsupported', 'No still WebP of one picture.')
}

function doubtful(expected: string): DeclinedError {
  return new DeclinedError('doubtful', `Expected ${expected} in the WebP.`)
}
