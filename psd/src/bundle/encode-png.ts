import { crc32 } from '@vitrine/engine'
import { zlibSync } from 'fflate'

/** Samples of a picture, row by row: bytes, or 16-bit numbers. */
export type PngPicture = {
  readonly widthPx: number
  readonly heightPx: number
  readonly channels: 1 | 3 | 4
  readonly samples: Uint8Array | Uint16Array
}

const signature = [137, 80, 78, 71, 13, 10, 26, 10] as const
const colorTypes = { 1: 0, 3: 2, 4: 6 } as const

/** Packs bytes as a zlib stream. */
export type Deflate = (bytes: Uint8Array) => Uint8Array

/** For browsers, which have no other that answers at once. */
const deflateByFflate: Deflate = bytes => zlibSync(bytes, { level: 6 })

/** A PNG without colour chunks (W3C PNG, third edition). Each row takes the filter with the least sum. */
export function encodePng(
  { widthPx, heightPx, channels, samples }: PngPicture,
  deflate: Deflate = deflateByFflate,
): Uint8Array {
  const sampleBytes = samples instanceof Uint16Array ? 2 : 1
  const rowBytes = widthPx * channels * sampleBytes
  const filtered = filterRows(toBigEndian(samples), rowBytes, heightPx, channels * sampleBytes)
  const head = new Uint8Array(13)
  const view = new DataView(head.buffer)
  view.setUint32(0, widthPx)
  view.setUint32(4, heightPx)
  head.set([8 * sampleBytes, colorTypes[channels], 0, 0, 0], 8)
  return join([
    Uint8Array.from(signature),
    chunkOf('IHDR', head),
    chunkOf('IDAT', deflate(filtered)),
    chunkOf('IEND', new Uint8Array(0)),
  ])
}

function toBigEndian(samples: Uint8Array | Uint16Array): Uint8Array {
  if (samples instanceof Uint8Array) return samples
  const bytes = new Uint8Array(samples.length * 2)
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i] ?? 0
    bytes[2 * i] = sample >> 8
    bytes[2 * i + 1] = sample & 255
  }
  return bytes
}

function chunkOf(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, data.length)
  for (let i = 0; i < 4; i++) chunk[4 + i] = type.charCodeAt(i)
  chunk.set(data, 8)
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)))
  return chunk
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Filters none, sub, up and average, by the sum of absolute differences. */
function filterRows(bytes: Uint8Array, rowBytes: number, heightPx: number, step: number): Uint8Array {
  const out = new Uint8Array((rowBytes + 1) * heightPx)
  const above = new Uint8Array(rowBytes)
  for (let y = 0; y < heightPx; y++) {
    const row = bytes.subarray(y * rowBytes, (y + 1) * rowBytes)
    const filter = chooseFilter(row, above, step)
    const to = y * (rowBytes + 1)
    out[to] = filter
    for (let i = 0; i < rowBytes; i++) out[to + 1 + i] = (row[i] ?? 0) - predict(filter, row, above, i, step)
    above.set(row)
  }
  return out
}

function predict(filter: number, row: Uint8Array, above: Uint8Array, i: number, step: number): number {
  const left = i >= step ? (row[i - step] ?? 0) : 0
  switch (filter) {
    case 1:
      return left
    case 2:
      return above[i] ?? 0
    case 3:
      return (left + (above[i] ?? 0)) >> 1
    default:
      return 0
  }
}

function chooseFilter(row: Uint8Array, above: Uint8Array, step: number): number {
  const sums = [0, 0, 0, 0]
  // Every third sample tells enough.
  for (let i = 0; i < row.length; i += 3) {
    for (let filter = 0; filter < 4; filter++) {
      const difference = ((row[i] ?? 0) - predict(filter, row, above, i, step)) & 255
      sums[filter] = (sums[filter] ?? 0) + (difference < 128 ? difference : 256 - difference)
    }
  }
  return sums.indexOf(Math.min(...sums))
}
