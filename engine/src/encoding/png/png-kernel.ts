import {
  COUNTS_BYTES,
  CRC_TABLES_BYTES,
  MATCH_COUNTS,
  MATCHES,
  MAX_MATCH,
  TABLES_BYTES,
} from '../../../kernels/assembly/png/layout.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { alignAddress as align } from '../../webassembly/align-address.ts'
import { KernelInstance } from '../../webassembly/kernel-instance.ts'
import { type Bits, type DeflateCodes, type TokenCounts } from './deflate-codes.ts'
import type { Crc32 } from './png-container.ts'

/** Zeros before a row, for the first pixel's left neighbour. */
const ROW_LEAD_BYTES = 16

/** Unused bytes at the end of every region, since whole vectors are loaded and stored. */
const SLACK_BYTES = 64

/** The kernel's sums of at most this many bytes fit 32 bits. */
const SUM_BYTES = 4096

/** Greatest coded size of a byte: a literal has at most 13 bits. */
const MAX_CODED_BYTES = 2

/** Adler-32's two sums, each below 65521. */
export type AdlerSums = { readonly plain: number; readonly weighted: number }

/** A code in the kernel's format. */
export function packDeflateCodes(codes: DeflateCodes): Uint32Array {
  const packed = new Uint32Array(MATCHES / 4 + MAX_MATCH + 1)
  const entry = (bits: Bits): number => ((bits.value << 5) | bits.length) >>> 0
  codes.literals.forEach((bits, literal) => (packed[literal] = entry(bits)))
  codes.matches.forEach((bits, length) => (packed[MATCHES / 4 + length] = entry(bits)))
  return packed
}

/** Runs the PNG kernel: rows in, tokens and checksums out. Its memory is reused for the next picture. */
export class PngKernel {
  readonly #instance: KernelInstance
  readonly #run
  readonly #tables: number
  #rowBytes = 0
  #heightPx = 0
  #output = 0
  #source = 0
  #columns: readonly [number, number] = [0, 0]
  readonly #rowsAt: [number, number] = [-1, -1]
  #picture: OpaquePixmap | null = null
  /** checksum of the bytes added so far */
  adler: AdlerSums = { plain: 1, weighted: 0 }

  constructor(module: WebAssembly.Module) {
    const instance = new KernelInstance(module)
    this.#instance = instance
    this.#run = {
      startStream: instance.function('startStream'),
      bitPosition: instance.function('bitPosition'),
      finishStream: instance.function('finishStream'),
      putBits: instance.function('putBits'),
      filterBytes: instance.function('filterBytes'),
      chooseFilter: instance.function('chooseFilter'),
      sumBytes: instance.function('sumBytes'),
      adlerPlain: instance.function('adlerPlain'),
      adlerWeighted: instance.function('adlerWeighted'),
      buildPairs: instance.function('buildPairs'),
      encodeBytes: instance.function('encodeBytes'),
      countBytes: instance.function('countBytes'),
      appendBits: instance.function('appendBits'),
      crc32: instance.function('crc32'),
    }
    this.#tables = align(instance.function('heapBase')() >>> 0)
    instance.reserve(this.#counts + COUNTS_BYTES)
    instance.function('buildCrcTables')(this.#crcTables)
  }

  get memoryBytes(): number {
    return this.#instance.sizeBytes
  }

  get #crcTables(): number {
    return this.#tables + TABLES_BYTES
  }

  get #counts(): number {
    return this.#crcTables + CRC_TABLES_BYTES
  }

  /** Row buffers: 0 and 1 hold rows of the picture in turn, 2 zeros, 3 a filter byte and its residuals. */
  #rowBuffer(index: number): number {
    return (
      align(this.#counts + COUNTS_BYTES) +
      index * align(ROW_LEAD_BYTES + 1 + this.#rowBytes + SLACK_BYTES) +
      ROW_LEAD_BYTES
    )
  }

  /** Begins a picture of which columns [fromPx, toPx) are read. `sourceBytes`: room for `setSource`. */
  begin(picture: OpaquePixmap, fromPx: number, toPx: number, sourceBytes: number): void {
    this.#rowBytes = 3 * picture.widthPx
    this.#heightPx = picture.heightPx
    this.#source = align(this.#rowBuffer(4))
    this.#output = align(this.#source + sourceBytes + SLACK_BYTES)
    this.#instance.reserve(this.#output + sourceBytes + SLACK_BYTES)
    this.#instance.bytes.fill(0, this.#rowBuffer(0) - ROW_LEAD_BYTES, this.#rowBuffer(3))
    this.#picture = picture
    // A residual depends on the pixel to the left.
    this.#columns = [3 * Math.max(0, fromPx - 1), 3 * toPx]
    this.#rowsAt[0] = -1
    this.#rowsAt[1] = -1
    // Adler-32 starts with 1, which counts once for every byte to come.
    this.adler = { plain: 1, weighted: (picture.heightPx * (1 + this.#rowBytes)) % 65521 }
    this.#run.startStream(this.#output)
  }

  /** Address of a row's bytes; of zeros for the row above the first. */
  #loadRow(row: number): number {
    if (row < 0) return this.#rowBuffer(2)
    const which = row & 1
    const buffer = this.#rowBuffer(which)
    if (this.#rowsAt[which] !== row && this.#picture) {
      const [from, to] = this.#columns
      const start = row * this.#rowBytes
      this.#instance.bytes.set(this.#picture.data.subarray(start + from, start + to), buffer + from)
      this.#rowsAt[which] = row
    }
    return buffer
  }

  chooseFilter(row: number): number {
    return this.#run.chooseFilter(this.#loadRow(row), this.#loadRow(row - 1), this.#rowBytes)
  }

  /** Filters pixels [fromPx, toPx) of a row into the residual buffer, after its filter byte. */
  filterPixels(row: number, filter: number, fromPx: number, toPx: number): void {
    const residuals = this.#rowBuffer(3)
    const at = 3 * fromPx
    if (fromPx === 0) this.#instance.bytes[residuals] = filter
    this.#run.filterBytes(
      filter,
      this.#loadRow(row) + at,
      this.#loadRow(row - 1) + at,
      residuals + 1 + at,
      3 * (toPx - fromPx),
    )
  }

  /** Bytes [from, to) of the residual buffer, 0 being the filter byte. For comparison with the reference. */
  residuals(from: number, to: number): Uint8Array {
    return this.#instance.bytes.slice(this.#rowBuffer(3) + from, this.#rowBuffer(3) + to)
  }

  setCodes(packed: Uint32Array): void {
    new Uint32Array(this.#instance.bytes.buffer, this.#tables, packed.length).set(packed)
    this.#run.buildPairs(this.#tables)
  }

  /** Writes residual bytes [from, to) as tokens. */
  encode(from: number, to: number): void {
    this.#reserveOutput(MAX_CODED_BYTES * (to - from))
    this.#run.encodeBytes(this.#tables, this.#rowBuffer(3) + from, to - from)
  }

  put(bits: readonly Bits[]): void {
    this.#reserveOutput(4 * bits.length)
    for (const { value, length } of bits) this.#run.putBits(value, length)
  }

  resetCounts(): void {
    this.#instance.bytes.fill(0, this.#counts, this.#counts + COUNTS_BYTES)
  }

  /** Counts the tokens that `encode` would write. */
  count(from: number, to: number): void {
    this.#run.countBytes(this.#rowBuffer(3) + from, to - from, this.#counts)
  }

  get counts(): TokenCounts {
    const counts = new Uint32Array(this.#instance.bytes.slice(this.#counts, this.#counts + COUNTS_BYTES).buffer)
    return {
      literals: Float64Array.from(counts.subarray(0, MATCH_COUNTS / 4)),
      matches: Float64Array.from(counts.subarray(MATCH_COUNTS / 4)),
    }
  }

  /** Adds residual bytes [from, to) of a row to the checksum. */
  addToAdler(row: number, from: number, to: number): void {
    const rowEnd = (this.#heightPx - row) * (1 + this.#rowBytes)
    let { plain, weighted } = this.adler
    for (let at = from; at < to; at += SUM_BYTES) {
      const end = Math.min(to, at + SUM_BYTES)
      this.#run.sumBytes(this.#rowBuffer(3) + at, end - at)
      const sum = this.#run.adlerPlain() >>> 0
      // Below 2^53: a plain sum is at most 2^20 and a stream shorter than 2^28 bytes.
      weighted = (weighted + (this.#run.adlerWeighted() >>> 0) + sum * (rowEnd - end)) % 65521
      plain = (plain + sum) % 65521
    }
    this.adler = { plain, weighted }
  }

  /** Bits written so far. */
  get bitPosition(): number {
    return this.#run.bitPosition() >>> 0
  }

  setSource(stream: Uint8Array): void {
    this.#instance.bytes.set(stream, this.#source)
  }

  /** Appends bits [from, to) of the source. */
  append(from: number, to: number): void {
    this.#reserveOutput(Math.ceil((to - from) / 8))
    this.#run.appendBits(this.#source, from, to - from)
  }

  /** Ends the stream at a whole byte. Returns a view of kernel memory, valid until the next call. */
  finish(): Uint8Array {
    const sizeBytes = this.#run.finishStream() >>> 0
    return this.#instance.bytes.subarray(this.#output, this.#output + sizeBytes)
  }

  /** CRC-32 by the kernel, for platforms without one. */
  readonly crc32: Crc32 = (bytes, value) => {
    const chunkBytes = 65536
    this.#instance.reserve(this.#output + chunkBytes)
    let crc = value
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes)
      this.#instance.bytes.set(chunk, this.#output)
      crc = this.#run.crc32(this.#crcTables, this.#output, chunk.length, crc) >>> 0
    }
    return crc
  }

  #reserveOutput(sizeBytes: number): void {
    const end = this.#output + Math.ceil(this.bitPosition / 8) + sizeBytes + SLACK_BYTES
    // A quarter more than needed, so that memory grows a few times and not at every row.
    if (end > this.#instance.sizeBytes) this.#instance.reserve(end + Math.ceil((end - this.#output) / 4))
  }
}
