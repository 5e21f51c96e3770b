import type { Bits, DeflateCodes } from '../../src/encoding/png/deflate-codes.ts'
import type { DirtySpan } from '../../src/encoding/png/dirty-spans.ts'
import { closePng, PNG_HEAD_BYTES, PNG_TAIL_BYTES } from '../../src/encoding/png/png-container.ts'
import type { OpaquePixmap } from '../../src/pixmap.ts'

// The definition of our PNG encoder in plain TypeScript: slow, short, and what the kernel must equal bit for
// bit.

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0

/** PNG's Paeth predictor (PNG specification, 9.4). */
function paeth(left: number, above: number, aboveLeft: number): number {
  const estimate = left + above - aboveLeft
  const toLeft = Math.abs(estimate - left)
  const toAbove = Math.abs(estimate - above)
  const toAboveLeft = Math.abs(estimate - aboveLeft)
  if (toLeft <= toAbove && toLeft <= toAboveLeft) return left
  return toAbove <= toAboveLeft ? above : aboveLeft
}

/** One row of RGB bytes under a filter from 0 to 4; `above` is the row above, zeros for the first. */
export function filterRow(row: Uint8Array, above: Uint8Array, filter: number): Uint8Array {
  return row.map((byte, i) => {
    const left = i < 3 ? 0 : at(row, i - 3)
    const aboveLeft = i < 3 ? 0 : at(above, i - 3)
    if (filter === 1) return byte - left
    if (filter === 2) return byte - at(above, i)
    if (filter === 3) return byte - ((left + at(above, i)) >> 1)
    if (filter === 4) return byte - paeth(left, at(above, i), aboveLeft)
    return byte
  })
}

/**
 * The filter from 1 to 4 with the least sum of magnitudes (residuals as signed bytes), looking at 16 bytes in
 * every 64; the lowest of equals.
 */
export function chooseFilter(row: Uint8Array, above: Uint8Array): number {
  const sums = [1, 2, 3, 4].map(filter => {
    const residuals = filterRow(row, above, filter)
    let sum = 0
    for (let group = 0; group + 16 <= row.length; group += 64) {
      for (let i = group; i < group + 16; i++) sum += Math.min(at(residuals, i), 256 - at(residuals, i))
    }
    return sum
  })
  return 1 + sums.indexOf(Math.min(...sums))
}

/** Literals, and matches at distance 1 that follow a literal zero. */
export type Token = { readonly literal: number } | { readonly match: number }

/** Zeros that must follow for a run to be written as one: shorter ones are no longer as literals. */
const LEAST_RUN = 8

/**
 * Bytes as tokens: eight zeros or more are a literal zero and matches of at most 258 (never leaving 1 or 2
 * for the last); everything else is literals.
 */
export function tokenize(bytes: Uint8Array): Token[] {
  const tokens: Token[] = []
  let position = 0
  while (position < bytes.length) {
    let end = position
    while (end < bytes.length && bytes[end] === 0) end++
    if (end - position < LEAST_RUN) {
      tokens.push({ literal: at(bytes, position) })
      position++
      continue
    }
    tokens.push({ literal: 0 })
    for (let left = end - position - 1; left > 0; ) {
      const match = Math.min(left, left === 259 || left === 260 ? 255 : 258)
      tokens.push({ match })
      left -= match
    }
    position = end
  }
  return tokens
}

/** Adler-32 (RFC 1950). */
export function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (const byte of bytes) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  return b * 65536 + a
}

/** CRC-32 (PNG specification, annex D), bit by bit. */
export function crc32(bytes: Uint8Array, value: number): number {
  let crc = ~value
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

/** A row's bytes cut where spans begin and end, so that no run crosses from kept to changed bytes. */
export function cutRow(bytes: Uint8Array, row: number, spans: readonly DirtySpan[]): Uint8Array[] {
  const cuts = [0]
  for (const span of spans) if (span.row === row) cuts.push(1 + 3 * span.fromPx, 1 + 3 * span.toPx)
  cuts.push(bytes.length)
  return cuts.slice(1).map((end, i) => bytes.subarray(at(cuts, i), end))
}

/** The whole file, with one filter per row, this code, and tokens that do not cross the spans' borders. */
export function encodePngReference(
  picture: OpaquePixmap,
  filters: Uint8Array,
  codes: DeflateCodes,
  spans: readonly DirtySpan[],
): Uint8Array<ArrayBuffer> {
  const rowBytes = 3 * picture.widthPx
  const stream: number[] = []
  let pending = 0
  let pendingBits = 0
  const put = (bits: Bits | undefined): void => {
    if (!bits) throw new RangeError('The code lacks a symbol')
    for (let i = 0; i < bits.length; i++) {
      pending |= ((bits.value >> i) & 1) << pendingBits
      pendingBits++
      if (pendingBits === 8) {
        stream.push(pending)
        pending = 0
        pendingBits = 0
      }
    }
  }
  const filtered = new Uint8Array(picture.heightPx * (1 + rowBytes))
  for (const bits of codes.header) put(bits)
  for (let y = 0; y < picture.heightPx; y++) {
    const row = picture.data.subarray(y * rowBytes, (y + 1) * rowBytes)
    const above = y === 0 ? new Uint8Array(rowBytes) : picture.data.subarray((y - 1) * rowBytes, y * rowBytes)
    const bytes = filtered.subarray(y * (1 + rowBytes), (y + 1) * (1 + rowBytes))
    bytes[0] = at(filters, y)
    bytes.set(filterRow(row, above, at(filters, y)), 1)
    for (const part of cutRow(bytes, y, spans)) {
      for (const token of tokenize(part))
        put('match' in token ? codes.matches[token.match] : codes.literals[token.literal])
    }
  }
  put(codes.endOfBlock)
  if (pendingBits > 0) stream.push(pending)
  const adler = adler32(filtered)
  const file = new Uint8Array(PNG_HEAD_BYTES + stream.length + 4 + PNG_TAIL_BYTES)
  file.set(stream, PNG_HEAD_BYTES)
  new DataView(file.buffer).setUint32(PNG_HEAD_BYTES + stream.length, adler)
  closePng(file, picture.widthPx, picture.heightPx, crc32)
  return file
}
