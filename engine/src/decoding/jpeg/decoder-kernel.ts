import * as records from '../../../kernels/assembly/jpeg/records.ts'
import type { KernelInstance } from '../../kernels/kernel-instance.ts'
import { DeclinedError } from '../declined.ts'
import type { PixelMemory } from '../reused-memory.ts'
import { BLOCK_RECORDS, describePicture } from './describe-picture.ts'
import {
  COSINES,
  HUFFMAN,
  HUFFMAN_BYTES,
  HUFFMAN_INPUT,
  type JpegLayout,
  PICTURE,
  POSITIONS,
  PREDICTORS,
  SCAN,
  writeCosines,
} from './jpeg-layout.ts'
import { type HuffmanSpec, type JpegHeader, parseNextScan, type ScanHeader, type Tables } from './parse-jpeg.ts'
import { assertBitForEachBlock, ScanOrder } from './scan-order.ts'

const faults: ReadonlyMap<number, string> = new Map([
  [records.FAULT_BITS, 'as many bits as the picture needs'],
  [records.FAULT_CODE, 'codes of the Huffman table'],
  [records.FAULT_RUN, 'runs within the block'],
  [records.FAULT_REST, 'nothing behind the picture'],
  [records.FAULT_SEGMENT, 'all restart intervals'],
  [records.FAULT_COEFFICIENT, 'coefficients that a picture can have'],
])

/** Drives the decoder kernel (engine/kernels/assembly/jpeg-decoder.ts). */
export class DecoderKernel {
  readonly #instance: KernelInstance
  readonly #run
  #view: DataView

  constructor(instance: KernelInstance) {
    this.#instance = instance
    this.#run = {
      unstuff: instance.function('unstuff'),
      buildTable: instance.function('buildTable'),
      markerCode: instance.function('markerCode'),
      markerAddress: instance.function('markerAddress'),
      beginSequential: instance.function('beginSequential'),
      decodeRow: instance.function('decodeRow'),
      endSequential: instance.function('endSequential'),
      decodeScan: instance.function('decodeProgressiveScan'),
      beginTransforms: instance.function('beginTransforms'),
      transformRow: instance.function('transformRow'),
      bandRows: instance.function('bandRows'),
      clear: instance.function('clear'),
    }
    if (instance.function('heapBase')() > COSINES) throw new Error('The kernel uses memory that the layout gives away')
    instance.reserve(HUFFMAN_INPUT + 512)
    this.#view = new DataView(instance.bytes.buffer)
    writeCosines(this.#view)
  }

  get sizeBytes(): number {
    return this.#instance.sizeBytes
  }

  /**
   * The part that the layout wants, as RGBA in memory that is taken from `memory` and given back on a throw.
   * `laidOut` is called when the kernel's own memory is reserved. Throws DeclinedError.
   */
  decode(
    bytes: Uint8Array,
    header: JpegHeader,
    layout: JpegLayout,
    memory: PixelMemory,
    laidOut: (layout: JpegLayout) => void,
  ): Uint8Array {
    this.#instance.reserve(layout.end + 4096)
    laidOut(layout)
    this.#view = new DataView(this.#instance.bytes.buffer)
    this.#instance.bytes.set(bytes.subarray(header.scan.dataAt), layout.source)
    describePicture(this.#view, header, layout)
    const picture = new Picture(layout, memory)
    try {
      if (header.frame.isProgressive) this.#decodeProgressive(bytes, header, layout, picture)
      else this.#decodeSequential(header, layout, bytes.length - header.scan.dataAt, picture)
      return picture.whole()
    } catch (error) {
      picture.giveBack()
      throw error
    }
  }

  #decodeSequential(
    { tables, scan, frame }: JpegHeader,
    layout: JpegLayout,
    sizeBytes: number,
    picture: Picture,
  ): void {
    const built = new Map<number, HuffmanSpec>()
    let record = BLOCK_RECORDS
    for (const { component, dcTable, acTable } of scan.components) {
      const dc = this.#table(tables.dc[dcTable], dcTable, 0, built)
      const ac = this.#table(tables.ac[acTable], 4 + acTable, 1, built)
      for (let block = 0; block < component.factorX * component.factorY; block++, record += records.RECORD_BYTES) {
        this.#view.setInt32(record + records.DC_TABLE, dc, true)
        this.#view.setInt32(record + records.AC_TABLE, ac, true)
      }
    }
    this.#unstuffScan(layout, 0, sizeBytes, countSegments(scan, tables))
    if (this.#run.markerCode() !== 0xd9)
      throw new DeclinedError('unsupported', 'Something else than EOI behind the scan.')
    this.#run.beginSequential(PICTURE)
    for (let y = 0; y < frame.mcusY; y++) {
      assertNoFault(this.#run.decodeRow(PICTURE, y))
      if (y >= layout.transformed.top && y < layout.transformed.bottom) this.#takeBand(picture, layout)
    }
    assertNoFault(this.#run.endSequential())
  }

  #decodeProgressive(bytes: Uint8Array, header: JpegHeader, layout: JpegLayout, picture: Picture): void {
    const { frame, tables, scan: firstScan } = header
    const interval = tables.restartInterval
    const order = new ScanOrder(frame)
    const built = new Map<number, HuffmanSpec>()
    let scan: ScanHeader | null = firstScan
    while (scan !== null) {
      if (tables.restartInterval !== interval) throw new DeclinedError('unsupported', 'Restart intervals that change.')
      order.advance(scan)
      this.#describeScan(scan, header, layout, built)
      const from = scan.dataAt - firstScan.dataAt
      this.#unstuffScan(layout, from, bytes.length - firstScan.dataAt, countSegments(scan, tables))
      assertBitForEachBlock(scan, (this.#run.markerAddress() >>> 0) - (layout.source + from))
      // Only now: a file that lies about its size must not cost the clearing.
      if (scan === firstScan) {
        for (const plane of layout.planes)
          this.#run.clear(plane.stored, plane.storedX * plane.storedY * records.STORED_BYTES)
      }
      assertNoFault(this.#run.decodeScan(SCAN))
      const markerAt: number = (this.#run.markerAddress() >>> 0) - layout.source + firstScan.dataAt - 1
      scan = this.#run.markerCode() === 0xd9 ? null : parseNextScan(bytes, markerAt, tables, frame)
    }
    order.end()
    this.#run.beginTransforms(PICTURE)
    for (let y = layout.transformed.top; y < layout.transformed.bottom; y++) {
      assertNoFault(this.#run.transformRow(PICTURE, y))
      this.#takeBand(picture, layout)
    }
  }

  /** Copies the rows that the last call completed. */
  #takeBand(picture: Picture, { out, outStrideBytes }: JpegLayout): void {
    picture.add(this.#instance.bytes.subarray(out, out + this.#run.bandRows() * outStrideBytes))
  }

  #unstuffScan(layout: JpegLayout, from: number, to: number, expected: number): void {
    const { source, dataTop, segmentTable } = layout
    if (expected > layout.maxSegments)
      throw new DeclinedError('unsupported', 'More restart intervals than were laid out.')
    const segments = this.#run.unstuff(source + from, source + to, dataTop, segmentTable, expected)
    if (segments !== expected) throw new DeclinedError('doubtful', 'Restart markers are missing or out of order.')
  }

  /** The address of a Huffman table, which is built unless `built` has it. */
  #table(spec: HuffmanSpec | undefined, slot: number, kind: 0 | 1 | 2, built: Map<number, HuffmanSpec>): number {
    if (!spec) throw new DeclinedError('doubtful', 'A Huffman table is missing.')
    const at = HUFFMAN + slot * HUFFMAN_BYTES
    if (built.get(slot) === spec) return at
    const { bytes } = this.#instance
    bytes.fill(0, HUFFMAN_INPUT, HUFFMAN_INPUT + 272)
    bytes.set(spec.counts, HUFFMAN_INPUT)
    bytes.set(spec.symbols, HUFFMAN_INPUT + 16)
    if (this.#run.buildTable(at, HUFFMAN_INPUT, HUFFMAN_INPUT + 16, kind) !== 0)
      throw new DeclinedError('doubtful', 'No code has this Huffman table.')
    built.set(slot, spec)
    return at
  }

  #describeScan(
    scan: ScanHeader,
    { frame, tables }: JpegHeader,
    layout: JpegLayout,
    built: Map<number, HuffmanSpec>,
  ): void {
    const { first, last, high, low } = scan
    const write = (address: number, value: number): void => this.#view.setInt32(address, value, true)
    write(SCAN + records.SCAN_COUNT, scan.components.length)
    write(SCAN + records.SCAN_FIRST, first)
    write(SCAN + records.SCAN_LAST, last)
    write(SCAN + records.SCAN_HIGH, high)
    write(SCAN + records.SCAN_LOW, low)
    write(SCAN + records.SCAN_INTERVAL, tables.restartInterval)
    write(SCAN + records.SCAN_SEGMENTS, layout.segmentTable)
    write(SCAN + records.SCAN_MCUS_X, frame.mcusX)
    write(SCAN + records.SCAN_MCUS_Y, frame.mcusY)
    write(SCAN + records.SCAN_PREDICTORS, PREDICTORS)
    scan.components.forEach(({ index, component, dcTable, acTable }, at) => {
      const plane = layout.planes[index]
      if (!plane) throw new DeclinedError('doubtful', 'A scan of an unknown component.')
      const dc = first === 0 && high === 0 ? this.#table(tables.dc[dcTable], dcTable, 0, built) : 0
      const ac = first === 0 ? 0 : this.#table(tables.ac[acTable], 4 + acTable, 2, built)
      const record = SCAN + records.SCAN_COMPONENTS + at * records.COMPONENT_BYTES
      write(record + records.BLOCKS, plane.stored)
      write(record + records.BLOCKS_STRIDE, plane.storedX)
      write(record + records.BLOCKS_X, component.blocksX)
      write(record + records.BLOCKS_Y, component.blocksY)
      write(record + records.FACTOR_X, component.factorX)
      write(record + records.FACTOR_Y, component.factorY)
      write(record + records.SCAN_DC_TABLE, dc)
      write(record + records.SCAN_AC_TABLE, ac)
      write(record + records.SCAN_POSITIONS, POSITIONS + index * 256)
      write(record + records.SCAN_PREDICTOR, index * 4)
    })
  }
}

/** Collects the pixels from bands of rows, which the kernel writes to one buffer in the cache. */
class Picture {
  readonly #memory: PixelMemory
  readonly #sizeBytes: number
  /** taken with the first rows, which most files that are declined never have */
  #data: Uint8Array | null = null
  #filled = 0

  constructor({ part, outStrideBytes }: JpegLayout, memory: PixelMemory) {
    this.#memory = memory
    this.#sizeBytes = outStrideBytes * (part.bottom - part.top)
  }

  add(rows: Uint8Array): void {
    this.#data ??= this.#memory.take(this.#sizeBytes)
    this.#data.set(rows, this.#filled)
    this.#filled += rows.length
  }

  /** The whole part. Checks that every byte was written: reused memory holds another picture's pixels. */
  whole(): Uint8Array {
    if (this.#data === null || this.#filled !== this.#sizeBytes)
      throw new Error('The kernel wrote another number of rows than was wanted.')
    return this.#data
  }

  giveBack(): void {
    if (this.#data) this.#memory.giveBack(this.#data)
  }
}

function countSegments({ units }: ScanHeader, { restartInterval }: Tables): number {
  return restartInterval === 0 ? 1 : Math.ceil(units / restartInterval)
}

function assertNoFault(code: number): void {
  if (code !== 0) throw new DeclinedError('doubtful', `Expected ${faults.get(code) ?? 'sound data'} in the JPEG.`)
}
