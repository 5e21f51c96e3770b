import { Unzlib } from 'fflate'
import { PsdRefusedError } from '../refused-error.ts'
import type { FileBytes } from './file-bytes.ts'

/** The samples of one channel as a file stores them. `data` begins behind the compression word. */
export type StoredChannel = {
  readonly compression: number
  readonly data: FileBytes
  readonly widthPx: number
  readonly heightPx: number
  readonly bits: 8 | 16
  readonly isLarge: boolean
}

/** Reads rows of a channel as 8 bits per sample (16 are rounded). One row is unpacked at a time. */
export type ChannelRows = {
  /** Writes row `y` from column `x` on, as many samples as `out` has. Missing bytes are 0. */
  read(y: number, x: number, out: Uint8Array): void
}

/** Opens a channel. @throws PsdRefusedError for an unknown compression or a table beyond the data */
export function openChannel(channel: StoredChannel): ChannelRows {
  switch (channel.compression) {
    case 0:
      return rowsOf(channel, y => rawRow(channel, y))
    case 1: {
      const rowBytes = (channel.widthPx * channel.bits) / 8
      const find = packedRows(channel.data, rowBytes, channel.heightPx, 0, channel.isLarge)
      return rowsOf(channel, unpackingRow(channel, find))
    }
    case 2:
    case 3:
      return rowsOf(channel, inflatingRow(channel))
    default:
      throw new PsdRefusedError(`This file is damaged: compression ${channel.compression} is unknown.`)
  }
}

/** Where a row's packed bytes are. */
export type FindRow = (y: number) => Uint8Array

/**
 * Rows of PackBits by their table of lengths, of `rowBytes` each unpacked. `data`: the table (of `heightPx`
 * rows from `skipRows` on) and the rows behind it. @throws PsdRefusedError
 */
export function packedRows(
  data: FileBytes,
  rowBytes: number,
  heightPx: number,
  skipRows: number,
  isLarge: boolean,
  allRows = heightPx,
): FindRow {
  const lengthBytes = isLarge ? 4 : 2
  if (data.sizeBytes < allRows * lengthBytes) {
    throw new PsdRefusedError('This file is damaged: a table of row lengths is cut off. Save it again in Photoshop.')
  }
  const table = data.read(0, allRows * lengthBytes)
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  const lengthOf = (row: number): number => (isLarge ? view.getUint32(row * 4) : view.getUint16(row * 2))
  const offsets = new Float64Array(heightPx + 1)
  let at = allRows * lengthBytes
  for (let row = 0; row < skipRows; row++) at += lengthOf(row)
  for (let y = 0; y < heightPx; y++) {
    offsets[y] = at
    at += lengthOf(skipRows + y)
  }
  offsets[heightPx] = at
  // An unpacked byte takes at most two packed ones; a table's longer lengths are not read.
  const most = 2 * rowBytes + 8
  return y => data.read(offsets[y] ?? 0, Math.min(most, (offsets[y + 1] ?? 0) - (offsets[y] ?? 0)))
}

/** The bytes of packed rows with their table of lengths; those of the table if it is truncated. */
export function packedBytes(data: FileBytes, rows: number, isLarge: boolean): number {
  const tableBytes = rows * (isLarge ? 4 : 2)
  if (data.sizeBytes < tableBytes) return tableBytes
  const { buffer, byteOffset } = data.read(0, tableBytes)
  const view = new DataView(buffer, byteOffset, tableBytes)
  let bytes = tableBytes
  for (let row = 0; row < rows; row++) bytes += isLarge ? view.getUint32(row * 4) : view.getUint16(row * 2)
  return bytes
}

function rawRow({ data, widthPx, bits }: StoredChannel, y: number): Uint8Array {
  const rowBytes = (widthPx * bits) / 8
  return data.read(y * rowBytes, rowBytes)
}

/** Unpacks rows into one reused buffer. */
export function unpackingRow({ widthPx, bits }: Pick<StoredChannel, 'widthPx' | 'bits'>, find: FindRow) {
  const row = new Uint8Array((widthPx * bits) / 8)
  return (y: number): Uint8Array => {
    unpackBits(find(y), row)
    return row
  }
}

/** PackBits (TIFF 6.0, section 9). Stops at the end of either side; what is missing is 0. */
export function unpackBits(packed: Uint8Array, out: Uint8Array): void {
  let from = 0
  let to = 0
  while (from < packed.length && to < out.length) {
    const header = packed[from++] ?? 0
    if (header > 128) {
      const end = Math.min(to + 257 - header, out.length)
      out.fill(packed[from++] ?? 0, to, end)
      to = end
    } else if (header < 128) {
      const count = Math.min(header + 1, out.length - to, packed.length - from)
      if (count < 16) for (let i = 0; i < count; i++) out[to + i] = packed[from + i] ?? 0
      else out.set(packed.subarray(from, from + count), to)
      from += header + 1
      to += count
    }
  }
  if (to < out.length) out.fill(0, to)
}

/** Deflate expands data at most 1,032-fold, so a step unpacks to at most 4 MiB. */
const STEP_BYTES = 4096

/** Inflates as rows are read, from the top on; starts again if an earlier row is read. */
function inflatingRow(channel: StoredChannel): (y: number) => Uint8Array {
  const { data, compression, widthPx, bits } = channel
  const rowBytes = (widthPx * bits) / 8
  const row = new Uint8Array(rowBytes)
  let next = 0
  let rows = inflate(data)
  return y => {
    if (y < next - 1) {
      next = 0
      rows = inflate(data)
    }
    for (; next <= y; next++) {
      rows.take(row)
      if (compression === 3) undoPrediction(row, bits)
    }
    return row
  }
}

function inflate(data: FileBytes): { take(into: Uint8Array): void } {
  let pending: Uint8Array[] = []
  let offset = 0
  let isBroken = false
  const unzlib = new Unzlib(part => pending.push(part))
  const push = (): void => {
    const end = offset + STEP_BYTES
    try {
      // A copy: the unpacker retains what it does not need yet.
      unzlib.push(new Uint8Array(data.read(offset, STEP_BYTES)), end >= data.sizeBytes)
    } catch {
      isBroken = true
    }
    offset = end
  }
  return {
    take(into) {
      let to = 0
      while (to < into.length) {
        const [part] = pending
        if (!part) {
          if (isBroken || offset >= data.sizeBytes) break
          push()
          continue
        }
        const count = Math.min(part.length, into.length - to)
        into.set(part.subarray(0, count), to)
        to += count
        if (count === part.length) pending = pending.slice(1)
        else pending[0] = part.subarray(count)
      }
      into.fill(0, to)
    },
  }
}

/** Samples are stored as differences from their left neighbour. */
function undoPrediction(row: Uint8Array, bits: 8 | 16): void {
  if (bits === 8) {
    for (let i = 1; i < row.length; i++) row[i] = (row[i] ?? 0) + (row[i - 1] ?? 0)
    return
  }
  let last = 0
  for (let i = 0; i + 1 < row.length; i += 2) {
    last = (last + (((row[i] ?? 0) << 8) | (row[i + 1] ?? 0))) & 0xffff
    row[i] = last >> 8
    row[i + 1] = last & 255
  }
}

function rowsOf({ heightPx, bits }: StoredChannel, row: (y: number) => Uint8Array): ChannelRows {
  return {
    read(y, x, out) {
      if (y < 0 || y >= heightPx) {
        out.fill(0)
        return
      }
      copySamples(row(y), x, bits, out)
    },
  }
}

/** Copies samples from column `x` on; 16 bits are rounded to 8. */
export function copySamples(samples: Uint8Array, x: number, bits: 8 | 16, out: Uint8Array): void {
  if (bits === 8) {
    const part = samples.subarray(x, x + out.length)
    out.set(part)
    if (part.length < out.length) out.fill(0, part.length)
    return
  }
  for (let i = 0, from = 2 * x; i < out.length; i++, from += 2) {
    out[i] = (((samples[from] ?? 0) << 8) | (samples[from + 1] ?? 0)) / 257 + 0.5
  }
}
