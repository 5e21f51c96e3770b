import { deflateSync, type ZlibOptions } from 'node:zlib'
import { type ColorType, channelsOfType } from '../../src/decoding/png/parse-png.ts'
import { pngChunk, pngSignature } from '../artwork/build-files.ts'

/** A PNG to be: its rows are bytes as stored, without filters. */
export type PngSpec = {
  readonly widthPx: number
  readonly heightPx: number
  readonly colorType: ColorType
  readonly bitDepth: number
  readonly rows: readonly Uint8Array[]
  /** the filter of each row */
  readonly filterOf?: (y: number) => number
  readonly palette?: Uint8Array
  readonly transparency?: Uint8Array
  readonly zlib?: ZlibOptions
  /** size of an IDAT chunk's body; all in one by default */
  readonly chunkBytes?: number
}

export function rowBytesOf({ widthPx, colorType, bitDepth }: Omit<PngSpec, 'rows'>): number {
  return Math.ceil((widthPx * channelsOfType[colorType] * bitDepth) / 8)
}

/** What a filter takes away, from the bytes to the left, above, and above to the left. */
function predict(filter: number, a: number, b: number, c: number): number {
  if (filter === 1) return a
  if (filter === 2) return b
  if (filter === 3) return (a + b) >> 1
  const pa = Math.abs(b - c)
  const pb = Math.abs(a - c)
  const pc = Math.abs(a + b - 2 * c)
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** A row under a filter (W3C PNG third edition, section 9), behind its byte. */
export function filterRow(filter: number, row: Uint8Array, above: Uint8Array | null, pixelBytes: number): Uint8Array {
  const filtered = new Uint8Array(row.length + 1)
  filtered[0] = filter
  filtered.set(row, 1)
  if (filter < 1 || filter > 4) return filtered
  for (let i = 0; i < row.length; i++) {
    const isFirst = i < pixelBytes
    const a = isFirst ? 0 : (row[i - pixelBytes] ?? 0)
    const b = above?.[i] ?? 0
    const c = isFirst ? 0 : (above?.[i - pixelBytes] ?? 0)
    filtered[i + 1] = (row[i] ?? 0) - predict(filter, a, b, c)
  }
  return filtered
}

/** The filtered rows, not compressed. */
export function filterRows(spec: PngSpec): Buffer {
  const pixelBytes = Math.max(1, (channelsOfType[spec.colorType] * spec.bitDepth) >> 3)
  const { rows, filterOf = () => 0 } = spec
  return Buffer.concat(rows.map((row, y) => filterRow(filterOf(y), row, rows[y - 1] ?? null, pixelBytes)))
}

export function makePng(spec: PngSpec): Buffer {
  return wrapPng(spec, deflateSync(filterRows(spec), spec.zlib))
}

/** The file around a zlib stream. */
export function wrapPng(spec: Omit<PngSpec, 'rows'>, data: Uint8Array): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(spec.widthPx, 0)
  head.writeUInt32BE(spec.heightPx, 4)
  head[8] = spec.bitDepth
  head[9] = spec.colorType
  const size = spec.chunkBytes ?? data.length
  const parts = Array.from({ length: Math.ceil(data.length / size) }, (_, i) =>
    pngChunk('IDAT', data.subarray(i * size, (i + 1) * size)),
  )
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', head),
    ...(spec.palette ? [pngChunk('PLTE', spec.palette)] : []),
    ...(spec.transparency ? [pngChunk('tRNS', spec.transparency)] : []),
    ...parts,
    pngChunk('IEND', new Uint8Array(0)),
  ])
}

/** Every colour type with each of its depths. */
export const formats = [
  [0, 1],
  [0, 2],
  [0, 4],
  [0, 8],
  [0, 16],
  [2, 8],
  [2, 16],
  [3, 1],
  [3, 2],
  [3, 4],
  [3, 8],
  [4, 8],
  [4, 16],
  [6, 8],
  [6, 16],
] as const satisfies readonly (readonly [ColorType, number])[]
