import { DeclinedError } from '../declined.ts'
import type { Size } from '../reduction/result-layout.ts'

/** The VP8 chunk of a file and the size that it says. */
export type WebpPicture = Size & { readonly chunk: Uint8Array }

/** RFC 6386, section 9.1: a tag of three bytes, a start code of three, two sides. */
const FRAME_HEADER_BYTES = 10

const RIFF_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8

/** The one flag of an extended header that an opaque picture may have: a profile is there. */
const FLAG_PROFILE = 0x20

/**
 * Finds the picture of a lossy WebP that was inspected: one VP8 chunk, alone or behind an extended header and
 * a profile, and nothing behind it. Throws DeclinedError for all else.
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
    if (((bytes[canvasAt] ?? 0) & ~FLAG_PROFILE) !== 0) throw unsupported()
    next()
    if (nameAt(at) === 'ICCP') next()
  }
  if (nameAt(at) !== 'VP8 ') throw unsupported()
  const sizeBytes = view.getUint32(at + 4, true)
  const chunkAt = at + CHUNK_HEADER_BYTES
  if (sizeBytes < FRAME_HEADER_BYTES) throw doubtful('a frame')
  if (bytes.length !== chunkAt + sizeBytes + (sizeBytes & 1)) throw doubtful('one picture and nothing behind it')
  const chunk = bytes.subarray(chunkAt, chunkAt + sizeBytes)
  if (chunk[3] !== 0x9d || chunk[4] !== 0x01 || chunk[5] !== 0x2a) throw doubtful('a start code')
  const widthPx = view.getUint16(chunkAt + 6, true) & 0x3fff
  const heightPx = view.getUint16(chunkAt + 8, true) & 0x3fff
  if (widthPx === 0 || heightPx === 0) throw doubtful('a size')
  if (isExtended) {
    const side = (offset: number): number => 1 + (view.getUint32(canvasAt + offset, true) & 0xffffff)
    if (side(4) !== widthPx || 1 + (view.getUint32(canvasAt + 6, true) >>> 8) !== heightPx) throw doubtful('one size')
  }
  return { widthPx, heightPx, chunk }
}

function unsupported(): DeclinedError {
  return new DeclinedError('unsupported', 'No still, opaque, lossy WebP.')
}

function doubtful(expected: string): DeclinedError {
  return new DeclinedError('doubtful', `Expected ${expected} in the WebP.`)
}
