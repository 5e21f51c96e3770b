/** Converts interlaced PNGs (W3C PNG third edition, section 8) to sequential rows that the kernel accepts. */
import { Inflate } from 'fflate'
import { DeclinedError } from '../declined.ts'
import { type Checksum, channelsOfType, type DataChunk, type PngPicture } from './parse-png.ts'
import { undoFilter } from './undo-filter.ts'

/** The first column and row of each pass, and the distances of its pixels. */
const passes = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
] as const

/** Larger pictures are left to the general decoder: the rows are held twice. */
const MAX_ROWS_BYTES = 96 * 1024 * 1024

const STORED_BLOCK_BYTES = 65_535

/** Inflated at a time: deflate expands data at most 1,032-fold. */
const STEP_BYTES = 16 * 1024

/** The same picture with its rows in order, uncompressed. Throws DeclinedError. */
export function deinterlace(png: PngPicture, checksum: Checksum): PngPicture {
  const bitsPerPixel = channelsOfType[png.colorType] * png.bitDepth
  const parts = passes.flatMap(pass => {
    const width = Math.ceil((png.widthPx - pass.x) / pass.stepX)
    const height = Math.ceil((png.heightPx - pass.y) / pass.stepY)
    return width > 0 && height > 0 ? [{ ...pass, width, height, rowBytes: Math.ceil((width * bitsPerPixel) / 8) }] : []
  })
  const sizeBytes = parts.reduce((sum, { height, rowBytes }) => sum + height * (rowBytes + 1), 0)
  if (sizeBytes > MAX_ROWS_BYTES) throw new DeclinedError('too-large', `${sizeBytes} bytes of interlaced rows.`)
  const filtered = inflate(png.data, sizeBytes, checksum)
  const stride = png.rowBytes + 1
  const rows = new Uint8Array(stride * png.heightPx)
  let at = 0
  for (const { x, y, stepX, stepY, width, height, rowBytes } of parts) {
    const step = Math.max(1, bitsPerPixel >> 3)
    for (let row = 0; row < height; row++, at += rowBytes + 1) {
      const above = row === 0 ? null : filtered.subarray(at - rowBytes, at)
      if (!undoFilter(filtered[at] ?? 0, filtered.subarray(at + 1, at + 1 + rowBytes), above, step))
        throw new DeclinedError('doubtful', 'Expected filters that are known in the PNG.')
      const to = (y + row * stepY) * stride + 1
      if (bitsPerPixel < 8) spreadBits(filtered, at + 1, rows, to, { x, stepX, width, bits: bitsPerPixel })
      else spreadBytes(filtered, at + 1, rows, to, { x, stepX, width, bytes: bitsPerPixel >> 3 })
    }
  }
  const data = storedBlocks(rows)
  return { ...png, data, dataBytes: data.reduce((sum, { bytes }) => sum + bytes.length, 0), isInterlaced: false }
}

/** Inflates the first bytes of the data; of the rest, only checksums are verified. */
function inflate(chunks: readonly DataChunk[], sizeBytes: number, checksum: Checksum): Uint8Array {
  const inflated = new Uint8Array(sizeBytes)
  let filled = 0
  const inflater = new Inflate(part => {
    const used = part.subarray(0, sizeBytes - filled)
    inflated.set(used, filled)
    filled += used.length
  })
  let skip = 2
  for (const { bytes, checksum: expected } of chunks) {
    if (expected !== null && checksumOfData(bytes, checksum) !== expected)
      throw new DeclinedError('doubtful', 'Expected the checksum of IDAT in the PNG.')
    const from = Math.min(skip, bytes.length)
    skip -= from
    try {
      for (let at = from; at < bytes.length; at += STEP_BYTES) {
        if (filled === sizeBytes) break
        inflater.push(Uint8Array.from(bytes.subarray(at, at + STEP_BYTES)))
      }
    } catch {
      throw new DeclinedError('doubtful', 'Expected a sound deflate stream in the PNG.')
    }
  }
  if (filled < sizeBytes) throw new DeclinedError('cut', 'Expected as much data as the picture has rows in the PNG.')
  return inflated
}

function checksumOfData(bytes: Uint8Array, checksum: Checksum): number {
  const named = new Uint8Array(4 + bytes.length)
  named.set([0x49, 0x44, 0x41, 0x54])
  named.set(bytes, 4)
  return checksum(named)
}

function spreadBytes(
  from: Uint8Array,
  fromAt: number,
  to: Uint8Array,
  toAt: number,
  { x, stepX, width, bytes }: { x: number; stepX: number; width: number; bytes: number },
): void {
  let source = fromAt
  for (let i = 0, target = toAt + x * bytes; i < width; i++, target += stepX * bytes)
    for (let byte = 0; byte < bytes; byte++) to[target + byte] = from[source++] ?? 0
}

function spreadBits(
  from: Uint8Array,
  fromAt: number,
  to: Uint8Array,
  toAt: number,
  { x, stepX, width, bits }: { x: number; stepX: number; width: number; bits: number },
): void {
  const mask = 2 ** bits - 1
  for (let i = 0; i < width; i++) {
    const sourceBit = i * bits
    const value = ((from[fromAt + (sourceBit >> 3)] ?? 0) >> (8 - bits - (sourceBit & 7))) & mask
    const targetBit = (x + i * stepX) * bits
    const target = toAt + (targetBit >> 3)
    to[target] = (to[target] ?? 0) | (value << (8 - bits - (targetBit & 7)))
  }
}

/** Wraps the rows in a zlib stream of stored blocks (RFC 1951, section 3.2.4), without copying them. */
function storedBlocks(rows: Uint8Array): DataChunk[] {
  const data: DataChunk[] = [{ bytes: Uint8Array.of(0x78, 0x01), checksum: null }]
  for (let at = 0; at < rows.length; at += STORED_BLOCK_BYTES) {
    const bytes = rows.subarray(at, at + STORED_BLOCK_BYTES)
    const isLast = at + bytes.length === rows.length
    const size = bytes.length
    const head = Uint8Array.of(Number(isLast), size & 255, size >> 8, ~size & 255, (~size >> 8) & 255)
    data.push({ bytes: head, checksum: null }, { bytes, checksum: null })
  }
  return data
}
