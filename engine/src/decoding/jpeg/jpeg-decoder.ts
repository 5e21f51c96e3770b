import { KernelInstance } from '../../kernels/kernel-instance.ts'
import { Declined } from './declined.ts'
import {
  buildJpegLayout,
  COSINES,
  EXACT_COSINES,
  HUFFMAN,
  HUFFMAN_BYTES,
  HUFFMAN_INPUT,
  type JpegLayout,
  PICTURE,
  type PlaneLayout,
  POSITIONS,
  PREDICTORS,
  QUANTISERS,
  SCAN,
  SCRATCH,
  STORED_BYTES,
  writeCosines,
} from './jpeg-layout.ts'
import {
  type HuffmanSpec,
  type JpegHeader,
  parseJpeg,
  parseNextScan,
  type ScanHeader,
  type Tables,
} from './parse-jpeg.ts'

/** RGBA, opaque; a pixel covers 8/eighths pixels of the full picture per axis, the last ones partly outside it. */
export type DecodedJpeg = {
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
}

/** Natural order of the zigzag sequence (T.81 figure A.6). */
const ZIGZAG: readonly number[] = buildZigzag()

/** Where coefficients go that no scale needs, or that overflow the block: relative to the block, per kind of storage. */
const NEEDLESS_IN_SCRATCH = 192
const NEEDLESS_IN_STORED = 136

/** A picture that needs more than this goes to the general decoder: a 1 MB progressive file can claim 81 megapixels. */
const MAX_MEMORY_BYTES = 192 * 1024 * 1024

/** An instance whose memory grew beyond this is not kept: WebAssembly memory never shrinks. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024

/** A scan of a progressive picture, as many as real encoders never write. */
const MAX_SCANS = 64

const FAULTS: ReadonlyMap<number, string> = new Map([
  [1, 'as many bits as the picture needs'],
  [2, 'codes of the Huffman table'],
  [3, 'runs within the block'],
  [4, 'nothing behind the picture'],
  [5, 'all restart intervals'],
  [6, 'coefficients that a picture can have'],
])

/** How a proof looks on (engine/fuzz): what the decoder does depends on none of it. */
export type Watch = {
  /** room between the regions of memory that belongs to none of them */
  readonly gapBytes: number
  readonly instantiate: (module: WebAssembly.Module) => KernelInstance
  /** Memory is there, and nothing of the picture is in it yet. */
  readonly laidOut: (layout: JpegLayout) => void
}

const UNWATCHED: Watch = { gapBytes: 0, instantiate: module => new KernelInstance(module), laidOut: () => {} }

/**
 * JPEG decoded in WebAssembly's sandbox: 8-bit grey and YCC, sequential in one scan or progressive, at any N/8 of the size. Everything else and any doubt
 * is Declined. Colour profiles and orientation are not its business. One picture at a time.
 */
export class JpegDecoder {
  readonly #module: WebAssembly.Module
  readonly #watch: Watch
  #kernel: Kernel | null = null

  constructor(module: WebAssembly.Module, watch: Watch = UNWATCHED) {
    this.#module = module
    this.#watch = watch
  }

  /** Decodes at so many eighths of the size (1 to 8, per axis). Throws Declined. The result does not share the decoder's memory. */
  decode(bytes: Uint8Array, eighthsX: number, eighthsY: number = eighthsX): DecodedJpeg {
    const eighths = { x: eighthsX, y: eighthsY }
    const header = parseJpeg(bytes)
    assertDecodable(header, bytes)
    const layout = buildJpegLayout(
      header.frame,
      greatestInterval(header),
      eighths,
      bytes.length - header.scan.dataAt,
      this.#watch.gapBytes,
    )
    if (layout.end > MAX_MEMORY_BYTES) throw new Declined('too-large', `${layout.end} bytes of memory are too many.`)
    this.#kernel ??= new Kernel(this.#watch.instantiate(this.#module))
    const kernel = this.#kernel
    // Not kept while it works, so that whatever happens a damaged instance never sees another picture.
    this.#kernel = null
    const data = kernel.decode(bytes, header, layout, this.#watch)
    if (kernel.sizeBytes <= MAX_KEPT_BYTES) this.#kernel = kernel
    return { widthPx: layout.outWidthPx, heightPx: layout.outHeightPx, data }
  }
}

/** Progressive files may change the interval between scans: only those that never do are taken (see Kernel.decodeProgressive). */
function greatestInterval({ tables }: JpegHeader): number {
  return tables.restartInterval
}

function assertDecodable({ frame, tables, scan }: JpegHeader, bytes: Uint8Array): void {
  const blocks = frame.components.reduce((sum, { factorX, factorY }) => sum + factorX * factorY, 0)
  if (blocks > 10) throw new Declined('doubtful', 'More than 10 blocks in an MCU.')
  for (const { quantiser } of frame.components) {
    if (!tables.quantisers[quantiser]) throw new Declined('doubtful', 'A quantiser is missing.')
  }
  if (!frame.isProgressive) {
    if (scan.components.length !== frame.components.length)
      throw new Declined('unsupported', 'Several sequential scans.')
    if (scan.first !== 0 || scan.last !== 63 || scan.high !== 0 || scan.low !== 0)
      throw new Declined('doubtful', 'A sequential scan of parts.')
  }
  // Work follows the declared size: a picture of so little data is not decoded block by block.
  const [luma] = frame.components
  const mcus =
    Math.ceil(frame.widthPx / (8 * (luma?.factorX ?? 1))) * Math.ceil(frame.heightPx / (8 * (luma?.factorY ?? 1)))
  const bitsPerBlock = frame.isProgressive ? 1 : 2
  if ((bytes.length - scan.dataAt) * 8 < mcus * blocks * bitsPerBlock)
    throw new Declined('doubtful', 'Less data than any picture of this size has.')
}

class Kernel {
  readonly #instance: KernelInstance
  readonly #unstuff: (...args: number[]) => number
  readonly #buildTable: (...args: number[]) => number
  readonly #markerCode: () => number
  readonly #markerAddress: () => number
  readonly #decodeSequential: (picture: number) => number
  readonly #decodeScan: (scan: number) => number
  readonly #writeProgressive: (picture: number) => number
  readonly #clear: (at: number, sizeBytes: number) => number
  #view: DataView

  constructor(instance: KernelInstance) {
    this.#instance = instance
    this.#unstuff = this.#instance.function('unstuff')
    this.#buildTable = this.#instance.function('buildTable')
    this.#markerCode = this.#instance.function('markerCode')
    this.#markerAddress = this.#instance.function('markerAddress')
    this.#decodeSequential = this.#instance.function('decodeSequential')
    this.#decodeScan = this.#instance.function('decodeProgressiveScan')
    this.#writeProgressive = this.#instance.function('writeProgressive')
    this.#clear = this.#instance.function('clear')
    if (this.#instance.function('heapBase')() > COSINES)
      throw new Error('The kernel uses memory that the layout gives away')
    this.#instance.reserve(HUFFMAN_INPUT + 512)
    this.#view = new DataView(this.#instance.bytes.buffer)
    writeCosines(this.#view)
  }

  get sizeBytes(): number {
    return this.#instance.sizeBytes
  }

  decode(bytes: Uint8Array, header: JpegHeader, layout: JpegLayout, watch: Watch): Uint8Array {
    this.#instance.reserve(layout.end + 4096)
    watch.laidOut(layout)
    this.#view = new DataView(this.#instance.bytes.buffer)
    this.#instance.bytes.set(bytes.subarray(header.scan.dataAt), layout.source)
    this.#writePicture(header, layout)
    if (header.frame.isProgressive) this.#decodeProgressive(bytes, header, layout)
    else this.#decodeBaseline(header, layout, bytes.length - header.scan.dataAt)
    return this.#instance.bytes.slice(layout.out, layout.out + layout.outStrideBytes * layout.outHeightPx)
  }

  #decodeBaseline({ tables, scan, frame }: JpegHeader, layout: JpegLayout, sizeBytes: number): void {
    const built = new Set<number>()
    let record = PICTURE + 128
    for (const { index, dcTable, acTable } of scan.components) {
      const { factorX, factorY } = frame.components[index] ?? { factorX: 0, factorY: 0 }
      const dc = this.#table(tables.dc[dcTable], dcTable, 0, built)
      const ac = this.#table(tables.ac[acTable], 4 + acTable, 1, built)
      for (let block = 0; block < factorX * factorY; block++, record += 64) this.#writeWords(record, [dc, ac])
    }
    const expected = segmentsOf(layout.mcusX * layout.mcusY, tables.restartInterval)
    this.#unstuffScan(layout, 0, sizeBytes, expected)
    if (this.#markerCode() !== 0xd9) throw new Declined('unsupported', 'Something else than EOI behind the scan.')
    assertNoFault(this.#decodeSequential(PICTURE))
  }

  #decodeProgressive(bytes: Uint8Array, { frame, tables, scan: firstScan }: JpegHeader, layout: JpegLayout): void {
    for (const plane of layout.planes) this.#clear(plane.stored, plane.storedX * plane.storedY * STORED_BYTES)
    const interval = tables.restartInterval
    /** the lowest bit known of each coefficient, -1 for none (libjpeg's coef_bits) */
    const known = frame.components.map(() => new Int8Array(64).fill(-1))
    const built = new Map<number, HuffmanSpec>()
    let scan: ScanHeader | null = firstScan
    for (let count = 1; scan !== null; count++) {
      if (count > MAX_SCANS) throw new Declined('doubtful', 'More scans than encoders write.')
      if (tables.restartInterval !== interval) throw new Declined('unsupported', 'Restart intervals that change.')
      advance(scan, known)
      this.#writeScan(scan, tables, layout, built)
      const [only] = scan.components
      const plane = scan.components.length === 1 && only ? layout.planes[only.index] : undefined
      const units = plane ? plane.blocksX * plane.blocksY : layout.mcusX * layout.mcusY
      this.#unstuffScan(
        layout,
        scan.dataAt - firstScan.dataAt,
        bytes.length - firstScan.dataAt,
        segmentsOf(units, interval),
      )
      assertNoFault(this.#decodeScan(SCAN))
      const markerAt = (this.#markerAddress() >>> 0) - layout.source + firstScan.dataAt - 1
      scan = this.#markerCode() === 0xd9 ? null : parseNextScan(bytes, markerAt, tables, frame)
    }
    if (known.some(bits => bits.some(bit => bit !== 0))) throw new Declined('doubtful', 'Coefficients are missing.')
    assertNoFault(this.#writeProgressive(PICTURE))
  }

  #unstuffScan(layout: JpegLayout, from: number, to: number, expected: number): void {
    const { source, dataTop, segmentTable } = layout
    if (expected > layout.maxSegments) throw new Declined('unsupported', 'More restart intervals than were laid out.')
    const segments = this.#unstuff(source + from, source + to, dataTop, segmentTable, expected)
    if (segments !== expected) throw new Declined('doubtful', 'Restart markers are missing or out of order.')
  }

  /** Builds a Huffman table unless it is there already; gives its address. */
  #table(
    spec: HuffmanSpec | undefined,
    slot: number,
    kind: 0 | 1 | 2,
    built: Set<number> | Map<number, HuffmanSpec>,
  ): number {
    if (!spec) throw new Declined('doubtful', 'A Huffman table is missing.')
    const at = HUFFMAN + slot * HUFFMAN_BYTES
    if (built instanceof Map ? built.get(slot) === spec : built.has(slot)) return at
    const { bytes } = this.#instance
    bytes.fill(0, HUFFMAN_INPUT, HUFFMAN_INPUT + 272)
    bytes.set(spec.counts, HUFFMAN_INPUT)
    bytes.set(spec.symbols, HUFFMAN_INPUT + 16)
    if (this.#buildTable(at, HUFFMAN_INPUT, HUFFMAN_INPUT + 16, kind) !== 0)
      throw new Declined('doubtful', 'No code has this Huffman table.')
    if (built instanceof Map) built.set(slot, spec)
    else built.add(slot)
    return at
  }

  #writeScan(scan: ScanHeader, tables: Tables, layout: JpegLayout, built: Map<number, HuffmanSpec>): void {
    const { first, last, high, low } = scan
    this.#writeWords(SCAN, [
      scan.components.length,
      first,
      last,
      high,
      low,
      tables.restartInterval,
      layout.segmentTable,
      layout.mcusX,
      layout.mcusY,
      PREDICTORS,
    ])
    scan.components.forEach(({ index, dcTable, acTable }, at) => {
      const plane = layout.planes[index]
      if (!plane) throw new Declined('doubtful', 'A scan of an unknown component.')
      const dc = first === 0 && high === 0 ? this.#table(tables.dc[dcTable], dcTable, 0, built) : 0
      const ac = first === 0 ? 0 : this.#table(tables.ac[acTable], 4 + acTable, 2, built)
      const { factorX, factorY } = plane.component
      this.#writeWords(SCAN + 64 + 48 * at, [
        plane.stored,
        plane.storedX,
        plane.blocksX,
        plane.blocksY,
        factorX,
        factorY,
        dc,
        ac,
        POSITIONS + index * 256,
        index * 4,
      ])
    })
  }

  /** The picture and its block records, but for the Huffman tables: see engine/kernels/assembly/jpeg/records.ts. */
  #writePicture({ frame, tables }: JpegHeader, layout: JpegLayout): void {
    const [luma, cb, cr] = layout.planes
    if (!luma) throw new Declined('doubtful', 'A picture without components.')
    const blue = cb ?? luma
    const red = cr ?? luma
    const chromaWidth = cb ? Math.ceil((frame.widthPx * cb.component.factorX) / luma.component.factorX) : 0
    const chromaHeight = cb ? Math.ceil((frame.heightPx * cb.component.factorY) / luma.component.factorY) : 0
    const blocks = frame.components.reduce((sum, { factorX, factorY }) => sum + factorX * factorY, 0)
    this.#writeWords(PICTURE, [
      blocks,
      layout.mcusX,
      layout.mcusY,
      tables.restartInterval,
      layout.segmentTable,
      SCRATCH,
      frame.components.length,
      layout.outWidthPx,
      layout.outHeightPx,
      layout.out,
      layout.outStrideBytes,
      Number(layout.stretchesX),
      Number(layout.stretchesY),
      chromaWidth,
      chromaHeight,
      luma.rows * layout.slots,
      blue.rows * layout.slots,
      luma.samples,
      luma.strideBytes,
      blue.samples,
      red.samples,
      blue.strideBytes,
      layout.lines,
      luma.rows,
      layout.slots,
      PREDICTORS,
    ])
    let record = PICTURE + 128
    layout.planes.forEach((plane, index) => {
      this.#writePositions(plane, index, tables, frame.isProgressive)
      for (let y = 0; y < plane.component.factorY; y++) {
        for (let x = 0; x < plane.component.factorX; x++, record += 64)
          this.#writeRecord(record, plane, index, x, y, frame.isProgressive)
      }
    })
  }

  #writeRecord(record: number, plane: PlaneLayout, index: number, x: number, y: number, isProgressive: boolean): void {
    const { component, samplesX, samplesY, strideBytes } = plane
    const transform = transformOf(plane)
    const stored = [plane.stored + (y * plane.storedX + x) * STORED_BYTES, 0, component.factorX]
    this.#writeWords(record, isProgressive ? stored : [0, 0, POSITIONS + index * 256])
    this.#writeWords(record + 12, [
      QUANTISERS + index * 128,
      isProgressive ? plane.storedX * component.factorY : PREDICTORS + index * 4,
      0,
      component.factorX * samplesX,
      strideBytes,
      samplesX,
      samplesY,
      COSINES + samplesX * 512,
      transform === 1 ? EXACT_COSINES : COSINES + samplesY * 512,
      transform,
      plane.samples + y * samplesY * strideBytes + x * samplesX,
      strideBytes * plane.rows,
    ])
  }

  /** Where each coefficient goes and what it is multiplied by; all but the exact transform want blocks transposed. */
  #writePositions(plane: PlaneLayout, index: number, tables: Tables, isProgressive: boolean): void {
    const positions = POSITIONS + index * 256
    const quantiser = QUANTISERS + index * 128
    const steps = tables.quantisers[plane.component.quantiser]
    const isExact = transformOf(plane) === 1
    const { bytes } = this.#instance
    bytes.fill(isProgressive ? NEEDLESS_IN_STORED : NEEDLESS_IN_SCRATCH, positions, positions + 256)
    ZIGZAG.forEach((natural, k) => {
      const row = natural >> 3
      const column = natural & 7
      const offset = 2 * (isExact ? natural : column * 8 + row)
      const isNeeded = isProgressive || (column < Math.min(8, plane.samplesX) && row < Math.min(8, plane.samplesY))
      if (isNeeded) bytes[positions + k] = offset
      this.#view.setUint16(quantiser + offset, steps?.[k] ?? 0, true)
    })
  }

  #writeWords(at: number, words: readonly number[]): void {
    words.forEach((value, i) => this.#view.setInt32(at + 4 * i, value, true))
  }
}

/** See TRANSFORM in records.ts. */
function transformOf({ samplesX, samplesY }: PlaneLayout): 0 | 1 | 2 | 3 {
  if (samplesX === 8 && samplesY === 8) return 1
  if (samplesX === 1 && samplesY === 1) return 0
  return samplesX <= 4 && samplesY <= 4 ? 2 : 3
}

function segmentsOf(units: number, interval: number): number {
  return interval === 0 ? 1 : Math.ceil(units / interval)
}

function assertNoFault(code: number): void {
  if (code !== 0) throw new Declined('doubtful', `Expected ${FAULTS.get(code) ?? 'sound data'} in the JPEG.`)
}

/** Holds a progressive scan to T.81 G.1.1.1: DC first, each refinement one bit below the last. */
function advance({ components, first, last, high, low }: ScanHeader, known: readonly Int8Array[]): void {
  const isBand = first > 0
  if (
    first > last ||
    last > 63 ||
    (!isBand && last !== 0) ||
    (isBand && components.length !== 1) ||
    low > 13 ||
    (high !== 0 && high !== low + 1)
  ) {
    throw new Declined('doubtful', 'A progressive scan of impossible parameters.')
  }
  for (const { index } of components) {
    const bits = known[index]
    if (!bits || (isBand && (bits[0] ?? -1) < 0)) throw new Declined('doubtful', 'AC coefficients before DC.')
    for (let k = first; k <= last; k++) {
      const before = bits[k] ?? -1
      if (before < 0 ? high !== 0 : high !== before || high === 0) throw new Declined('doubtful', 'Bits out of order.')
      bits[k] = low
    }
  }
}

function buildZigzag(): number[] {
  const order: number[] = []
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    const cells = Array.from({ length: 8 }, (_, row) => [row, diagonal - row] as const).filter(
      ([, column]) => column >= 0 && column < 8,
    )
    // odd diagonals run down, even ones up
    for (const [row, column] of diagonal % 2 === 1 ? cells : cells.toReversed()) order.push(row * 8 + column)
  }
  return order
}
