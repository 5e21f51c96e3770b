import * as records from '../../../kernels/assembly/jpeg/records.ts'
import type { PixelMemory } from '../../reused-memory.ts'
import type { KernelInstance } from '../../webassembly/kernel-instance.ts'
import { CollectedRows } from '../collected-rows.ts'
import { DeclinedError } from '../declined.ts'
import { BLOCK_RECORDS, describePicture, findBytesNeeded, findLastNeeded } from './describe-picture.ts'
import {
  COSINES,
  HUFFMAN,
  HUFFMAN_BYTES,
  HUFFMAN_INPUT,
  type JpegLayout,
  PICTURE,
  PLACES,
  POSITIONS,
  SCAN,
  SCAN_TABLE_BYTES,
  writeCosines,
  writePlaces,
} from './jpeg-layout.ts'
import {
  type HuffmanSpec,
  isRestart,
  type JpegHeader,
  parseNextScan,
  type ScanHeader,
  type Tables,
} from './parse-jpeg.ts'
import { assertBitForEachBlock, ScanOrder } from './scan-order.ts'

const faults: ReadonlyMap<number, string> = new Map([
  [records.FAULT_CODE, 'codes of the Huffman table'],
  [records.FAULT_RUN, 'runs within the block'],
  [records.FAULT_COEFFICIENT, 'coefficients that a picture can have'],
])

/** Errors that mean the data ends before the picture does. */
const cuts: ReadonlyMap<number, string> = new Map([
  [records.FAULT_BITS, 'as many bits as the picture needs'],
  [records.FAULT_REST, 'all restart intervals'],
  [records.FAULT_SEGMENT, 'all restart intervals'],
])

/** The kinds of Huffman tables: see `buildTable` in engine/kernels/assembly/jpeg/bits.ts. */
const DC_TABLE = 0
const SEQUENTIAL_AC_TABLE = 1
const FIRST_AC_TABLE = 2
const REFINED_AC_TABLE = 3
type TableKind = typeof DC_TABLE | typeof SEQUENTIAL_AC_TABLE | typeof FIRST_AC_TABLE | typeof REFINED_AC_TABLE

/** Runs the decoder kernel (engine/kernels/assembly/jpeg-decoder.ts). */
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
      decodeProgressiveRow: instance.function('decodeProgressiveRow'),
      beginTransforms: instance.function('beginTransforms'),
      transformRow: instance.function('transformRow'),
      bandRows: instance.function('bandRows'),
      clear: instance.function('clear'),
    }
    if (instance.function('heapBase')() > COSINES) throw new Error('The kernel uses memory that the layout gives away')
    instance.reserve(HUFFMAN_INPUT + 512)
    this.#view = new DataView(instance.bytes.buffer)
    writeCosines(this.#view)
    writePlaces(this.#view)
  }

  get sizeBytes(): number {
    return this.#instance.sizeBytes
  }

  /**
   * Decodes the part of the layout as RGBA in memory that is taken from `memory` and returned to it on a
   * throw. `laidOut` is called once the kernel's own memory is reserved. Throws DeclinedError.
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
    const picture = new CollectedRows(layout, memory)
    try {
      if (header.frame.isProgressive) this.#decodeProgressive(bytes, header, layout, picture)
      else this.#decodeSequential(header, layout, bytes.length - header.scan.dataAt, picture)
      return picture.all()
    } catch (error) {
      picture.giveBack()
      throw error
    }
  }

  #decodeSequential(
    { tables, scan, frame }: JpegHeader,
    layout: JpegLayout,
    sizeBytes: number,
    picture: CollectedRows,
  ): void {
    const built = new Map<number, HuffmanSpec>()
    let record = BLOCK_RECORDS
    for (const { component, dcTable, acTable } of scan.components) {
      const dc = this.#table(tables.dc[dcTable], dcTable, DC_TABLE, built)
      const ac = this.#table(tables.ac[acTable], 4 + acTable, SEQUENTIAL_AC_TABLE, built)
      for (let block = 0; block < component.factorX * component.factorY; block++, record += records.RECORD_BYTES) {
        this.#view.setInt32(record + records.DC_TABLE, dc, true)
        this.#view.setInt32(record + records.AC_TABLE, ac, true)
      }
    }
    const { source, dataTop, segmentTable } = layout
    this.#unstuffScan(source, source + sizeBytes, dataTop, segmentTable, countSegments(scan, tables))
    const marker: number = this.#run.markerCode()
    if (marker !== 0xd9 && !isRestart(marker))
      throw new DeclinedError('unsupported', 'Something else than EOI behind the scan.')
    this.#run.beginSequential(PICTURE)
    for (let y = 0; y < frame.mcusY; y++) {
      assertNoFault(this.#run.decodeRow(PICTURE, y))
      if (y >= layout.transformed.top && y < layout.transformed.bottom) this.#takeBand(picture, layout)
    }
    assertNoFault(this.#run.endSequential())
  }

  /** Decodes all scans together, one row of MCUs at a time: only that row's coefficients are stored. */
  #decodeProgressive(bytes: Uint8Array, header: JpegHeader, layout: JpegLayout, picture: CollectedRows): void {
    const { frame } = header
    const scans = this.#describeScans(bytes, header, layout)
    this.#run.beginTransforms(PICTURE)
    for (let y = 0; y < frame.mcusY; y++) {
      for (const { stored, storedX, component } of layout.planes)
        this.#run.clear(stored, storedX * component.factorY * records.STORED_BYTES)
      assertNoFault(this.#run.decodeProgressiveRow(PICTURE, SCAN, scans, y))
      if (y < layout.transformed.top || y >= layout.transformed.bottom) continue
      assertNoFault(this.#run.transformRow(PICTURE, y))
      this.#takeBand(picture, layout)
    }
  }

  /** Reads all headers and unstuffs all data. Returns the number of scans. */
  #describeScans(bytes: Uint8Array, { frame, tables, scan: firstScan }: JpegHeader, layout: JpegLayout): number {
    const { segmentTable, source } = layout
    const interval = tables.restartInterval
    const order = new ScanOrder(frame)
    const built = new ScanTables(layout.tables)
    let scan: ScanHeader | null = firstScan
    let scans = 0
    let { dataTop } = layout
    let segments = 0
    for (; scan !== null; scans++) {
      if (tables.restartInterval !== interval) throw new DeclinedError('unsupported', 'Restart intervals that change.')
      order.advance(scan)
      const from = scan.dataAt - firstScan.dataAt
      const segmentsAt = segmentTable + segments * 8
      const expected = countSegments(scan, tables)
      if (segments + expected > layout.maxSegments)
        throw new DeclinedError('doubtful', 'More restart intervals than the data has room for.')
      this.#unstuffScan(source + from, source + bytes.length - firstScan.dataAt, dataTop, segmentsAt, expected)
      assertBitForEachBlock(scan, (this.#run.markerAddress() >>> 0) - (source + from))
      this.#describeScan(SCAN + scans * records.SCAN_BYTES, scan, tables, layout, segmentsAt, built)
      segments += expected
      dataTop = this.#view.getUint32(segmentTable + segments * 8 - 4, true) - records.UNSTUFFED_GAP
      const markerAt: number = (this.#run.markerAddress() >>> 0) - source + firstScan.dataAt - 1
      scan = this.#run.markerCode() === 0xd9 ? null : parseNextScan(bytes, markerAt, tables, frame)
    }
    order.end()
    this.#pairRefinements(scans)
    return scans
  }

  /** Notes which two refinement scans of AC coefficients are decoded together. */
  #pairRefinements(scans: number): void {
    const at = Array.from({ length: scans }, (_, i) => SCAN + i * records.SCAN_BYTES)
    const read = (address: number): number => this.#view.getInt32(address, true)
    const pair = (one: number, two: number): void => {
      this.#view.setInt32(one + records.SCAN_PARTNER, two, true)
      this.#view.setInt32(two + records.SCAN_PARTNER, one, true)
    }
    /** the last refinement of each component without a partner so far */
    const alone = new Map<number, number>()
    for (const scan of at) {
      if (read(scan + records.SCAN_FIRST) === 0 || read(scan + records.SCAN_HIGH) === 0) continue
      const component = read(scan + records.SCAN_COMPONENTS + records.BLOCKS)
      const before = alone.get(component)
      if (before === undefined) alone.set(component, scan)
      else {
        pair(before, scan)
        alone.delete(component)
      }
    }
    const [one, two] = [...alone.values()].toSorted((a, b) => b - a)
    if (one !== undefined && two !== undefined) pair(two, one)
  }

  /** Copies the rows completed by the last call. */
  #takeBand(picture: CollectedRows, { out, outStrideBytes }: JpegLayout): void {
    picture.add(this.#instance.bytes.subarray(out, out + this.#run.bandRows() * outStrideBytes))
  }

  #unstuffScan(from: number, to: number, dataTop: number, segmentTable: number, expected: number): void {
    const segments = this.#run.unstuff(from, to, dataTop, segmentTable, expected)
    if (segments !== expected) throw new DeclinedError('doubtful', 'Restart markers are missing or out of order.')
  }

  /** The address of a sequential picture's Huffman table, which is built unless it is in `built`. */
  #table(spec: HuffmanSpec | undefined, slot: number, kind: TableKind, built: Map<number, HuffmanSpec>): number {
    const at = HUFFMAN + slot * HUFFMAN_BYTES
    if (spec && built.get(slot) === spec) return at
    built.set(slot, this.#build(spec, at, kind))
    return at
  }

  /** The address of a scan's Huffman table, which is built unless it is in `built`. */
  #scanTable(spec: HuffmanSpec | undefined, kind: TableKind, built: ScanTables): number {
    const known = spec && built.find(spec, kind)
    if (known !== undefined) return known
    return built.add(this.#build(spec, built.nextAt, kind), kind)
  }

  #build(spec: HuffmanSpec | undefined, at: number, kind: TableKind): HuffmanSpec {
    if (!spec) throw new DeclinedError('doubtful', 'A Huffman table is missing.')
    const { bytes } = this.#instance
    bytes.fill(0, HUFFMAN_INPUT, HUFFMAN_INPUT + 272)
    bytes.set(spec.counts, HUFFMAN_INPUT)
    bytes.set(spec.symbols, HUFFMAN_INPUT + 16)
    if (this.#run.buildTable(at, HUFFMAN_INPUT, HUFFMAN_INPUT + 16, kind) !== 0)
      throw new DeclinedError('doubtful', 'No code has this Huffman table.')
    return spec
  }

  #describeScan(
    at: number,
    scan: ScanHeader,
    tables: Tables,
    layout: JpegLayout,
    segmentTable: number,
    built: ScanTables,
  ): void {
    const { first, last, high, low } = scan
    const write = (address: number, value: number): void => this.#view.setInt32(address, value, true)
    this.#instance.bytes.fill(0, at, at + records.SCAN_BYTES)
    write(at + records.SCAN_COUNT, scan.components.length)
    write(at + records.SCAN_FIRST, first)
    write(at + records.SCAN_LAST, last)
    write(at + records.SCAN_HIGH, high)
    write(at + records.SCAN_LOW, low)
    write(at + records.SCAN_INTERVAL, tables.restartInterval)
    write(at + records.SCAN_SEGMENTS, segmentTable)
    write(at + records.SCAN_SEGMENT_COUNT, countSegments(scan, tables))
    scan.components.forEach(({ index, component, dcTable, acTable }, i) => {
      const plane = layout.planes[index]
      if (!plane) throw new DeclinedError('doubtful', 'A scan of an unknown component.')
      const dc = first === 0 && high === 0 ? this.#scanTable(tables.dc[dcTable], DC_TABLE, built) : 0
      const acKind = high === 0 ? FIRST_AC_TABLE : REFINED_AC_TABLE
      const ac = first === 0 ? 0 : this.#scanTable(tables.ac[acTable], acKind, built)
      const record = at + records.SCAN_COMPONENTS + i * records.COMPONENT_BYTES
      write(record + records.BLOCKS, plane.stored)
      write(record + records.BLOCKS_STRIDE, plane.storedX)
      write(record + records.BLOCKS_X, component.blocksX)
      write(record + records.BLOCKS_Y, component.blocksY)
      write(record + records.FACTOR_X, component.factorX)
      write(record + records.FACTOR_Y, component.factorY)
      write(record + records.SCAN_DC_TABLE, dc)
      write(record + records.SCAN_AC_TABLE, ac)
      write(record + records.SCAN_POSITIONS, POSITIONS + index * records.POSITIONS_BYTES)
      write(record + records.SCAN_PLACES, PLACES)
      write(record + records.SCAN_PREDICTOR, index * 4)
      write(record + records.LAST_NEEDED, findLastNeeded(plane))
      write(record + records.BYTES_NEEDED, findBytesNeeded(plane))
    })
  }
}

/** The locations of the Huffman tables of a progressive picture's scans, all needed at the same time. */
class ScanTables {
  readonly #at: number
  readonly #built: { readonly spec: HuffmanSpec; readonly kind: TableKind }[] = []

  constructor(at: number) {
    this.#at = at
  }

  get nextAt(): number {
    return this.#at + this.#built.length * SCAN_TABLE_BYTES
  }

  /** The address of a table; undefined if it is not built. */
  find(spec: HuffmanSpec, kind: TableKind): number | undefined {
    const found = this.#built.findIndex(table => table.spec === spec && table.kind === kind)
    return found < 0 ? undefined : this.#at + found * SCAN_TABLE_BYTES
  }

  /** Records the table built at `nextAt`; returns its address. */
  add(spec: HuffmanSpec, kind: TableKind): number {
    const at = this.nextAt
    this.#built.push({ spec, kind })
    return at
  }
}

function countSegments({ units }: ScanHeader, { restartInterval }: Tables): number {
  return restartInterval === 0 ? 1 : Math.ceil(units / restartInterval)
}

function assertNoFault(code: number): void {
  if (code === 0) return
  const missing = cuts.get(code)
  if (missing !== undefined) throw new DeclinedError('cut', `Expected ${missing} in the JPEG.`)
  throw new DeclinedError('doubtful', `Expected ${faults.get(code) ?? 'sound data'} in the JPEG.`)
}
