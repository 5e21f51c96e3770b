import { KernelInstance } from '../../kernels/kernel-instance.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { codesOf, type HuffmanSet, type SymbolCounts } from './huffman.ts'
import { MCU_PX, type McuRun } from './mcu-runs.ts'
import { type QuantisationTables, stepDivisor, ZIGZAG } from './quantiser.ts'

// The layout of the kernel's tables block: see engine/kernels/assembly/jpeg-encoder.ts.
const HUFFMAN_AT = 512
const ZIGZAG_AT = 2688
const TABLES_BYTES = 20480
const COUNTS_BYTES = 4096
const RECORD_BYTES = 12

/** The kernel loads and stores whole vectors, so every region ends with room that holds nothing. */
const SLACK_BYTES = 64

/** No MCU takes more: six blocks of 64 symbols, each at most 16 bits of code and 11 of value. */
const MAX_MCU_BYTES = 6 * 64 * 4

const align = (address: number): number => Math.ceil(address / 64) * 64

let zigzagTables: Uint8Array | null = null

/** The kernel's constant tables: where each coefficient of the zigzag order is, and non-zero bits of a row to zigzag bits. */
function buildZigzagTables(): Uint8Array {
  if (zigzagTables) return zigzagTables
  const bytes = new Uint8Array(64 + 8 * 256 * 8)
  const indexOf = new Uint8Array(64)
  ZIGZAG.forEach((position, index) => {
    bytes[index] = 2 * position
    indexOf[position] = index
  })
  const masks = new DataView(bytes.buffer, 64)
  for (let row = 0; row < 8; row++) {
    for (let bits = 0; bits < 256; bits++) {
      let mask = 0n
      for (let column = 0; column < 8; column++) {
        if ((bits >> column) & 1) mask |= 1n << BigInt(indexOf[8 * row + column] ?? 0)
      }
      masks.setBigUint64(8 * (256 * row + bits), mask, true)
    }
  }
  zigzagTables = bytes
  return bytes
}

/** A quality's division constants as the kernel reads them. */
export function packQuantisers(tables: QuantisationTables): Int16Array {
  const packed = new Int16Array(256)
  ;[tables.luma, tables.chroma].forEach((table, which) => {
    table.forEach((step, position) => {
      const { reciprocal, scale } = stepDivisor(step)
      packed[128 * which + position] = reciprocal
      packed[128 * which + 64 + position] = scale
    })
  })
  return packed
}

/** A set's codes as the kernel reads them. */
export function packCodes(set: HuffmanSet): Uint32Array {
  const packed = new Uint32Array(16 + 16 + 256 + 256)
  packed.set(codesOf(set.dcLuma, 16), 0)
  packed.set(codesOf(set.dcChroma, 16), 16)
  packed.set(codesOf(set.acLuma, 256), 32)
  packed.set(codesOf(set.acChroma, 256), 288)
  return packed
}

/** A scan's bits before byte stuffing, and where in it each MCU begins (one entry more than there are MCUs). */
export type McuStream = { readonly bytes: Uint8Array; readonly bitOffsets: Uint32Array }

/** DC of Y, Cb and Cr that each MCU is predicted from, three a MCU. */
export type McuPredictors = Int16Array

/** Drives the encoder kernel for one picture size at a time; its memory stays for the next picture. */
export class JpegKernel {
  readonly #instance: KernelInstance
  readonly #tables: number
  readonly #startStream
  readonly #setPredictors
  readonly #bitPosition
  readonly #finishStream
  readonly #encodeMcus
  readonly #countMcus
  readonly #mcuCoefficients
  readonly #appendBits
  readonly #countMarkers
  readonly #stuffBytes

  constructor(module: WebAssembly.Module) {
    const instance = new KernelInstance(module)
    this.#instance = instance
    this.#startStream = instance.function('startStream')
    this.#setPredictors = instance.function('setPredictors')
    this.#bitPosition = instance.function('bitPosition')
    this.#finishStream = instance.function('finishStream')
    this.#encodeMcus = instance.function('encodeMcus')
    this.#countMcus = instance.function('countMcus')
    this.#mcuCoefficients = instance.function('mcuCoefficients')
    this.#appendBits = instance.function('appendBits')
    this.#countMarkers = instance.function('countMarkers')
    this.#stuffBytes = instance.function('stuffBytes')
    this.#tables = align(instance.function('heapBase')() >>> 0)
    instance.reserve(this.#tables + TABLES_BYTES + COUNTS_BYTES)
    instance.bytes.set(buildZigzagTables(), this.#tables + ZIGZAG_AT)
  }

  get memoryBytes(): number {
    return this.#instance.sizeBytes
  }

  get #counts(): number {
    return this.#tables + TABLES_BYTES
  }

  get #records(): number {
    return this.#counts + COUNTS_BYTES
  }

  #bandOf(columns: number): number {
    return align(this.#records + columns * RECORD_BYTES)
  }

  /** Where a scene's stream or the output goes: behind the band. */
  #freeAfterBand(columns: number): number {
    return align(this.#bandOf(columns) + MCU_PX * columns * 3 * MCU_PX + SLACK_BYTES)
  }

  setQuantisers(packed: Int16Array): void {
    new Int16Array(this.#instance.bytes.buffer, this.#tables, packed.length).set(packed)
  }

  setCodes(packed: Uint32Array): void {
    new Uint32Array(this.#instance.bytes.buffer, this.#tables + HUFFMAN_AT, packed.length).set(packed)
  }

  /** Copies MCUs [from, to) of one MCU row into the band, the picture's last column and row repeated beyond it. */
  #loadBand(picture: OpaquePixmap, mcuRow: number, from: number, to: number): void {
    const columns = Math.ceil(picture.widthPx / MCU_PX)
    const bytes = this.#instance.bytes
    const band = this.#bandOf(columns)
    const stride = columns * 3 * MCU_PX
    const pictureStride = 3 * picture.widthPx
    const top = mcuRow * MCU_PX
    const rows = Math.min(MCU_PX, picture.heightPx - top)
    const first = from * 3 * MCU_PX
    const end = Math.min(to * 3 * MCU_PX, pictureStride)
    if (first === 0 && end === pictureStride && stride === pictureStride) {
      bytes.set(picture.data.subarray(top * pictureStride, (top + rows) * pictureStride), band)
    } else {
      for (let row = 0; row < rows; row++) {
        const from = (top + row) * pictureStride
        bytes.set(picture.data.subarray(from + first, from + end), band + row * stride + first)
      }
    }
    for (let column = end; column < to * 3 * MCU_PX; column += 3) {
      for (let row = 0; row < rows; row++) {
        const at = band + row * stride + column
        bytes.copyWithin(at, at - 3, at)
      }
    }
    const last = band + (rows - 1) * stride
    for (let row = rows; row < MCU_PX; row++) {
      bytes.copyWithin(band + row * stride + first, last + first, last + to * 3 * MCU_PX)
    }
  }

  /** Calls `visit` for the part of every run in every MCU row, with the band loaded and the kernel's geometry arguments ready. */
  #forEachSegment(
    picture: OpaquePixmap,
    runs: readonly McuRun[],
    visit: (segment: {
      readonly run: McuRun
      readonly first: number
      readonly mcuCount: number
      readonly geometry: readonly [number, number, number, number, number, number, number]
    }) => void,
  ): void {
    const columns = Math.ceil(picture.widthPx / MCU_PX)
    const band = this.#bandOf(columns)
    for (const run of runs) {
      for (let first = run.from; first < run.to; ) {
        const row = Math.floor(first / columns)
        const end = Math.min(run.to, (row + 1) * columns)
        const from = first - row * columns
        const to = end - row * columns
        this.#loadBand(picture, row, from, to)
        const rows = Math.min(MCU_PX, picture.heightPx - row * MCU_PX)
        const blockColumns = Math.ceil(picture.widthPx / 8)
        const geometry = [
          band,
          columns * 3 * MCU_PX,
          from,
          to,
          blockColumns,
          rows > 8 ? 2 : 1,
          (rows + 1) >> 1,
        ] as const
        visit({ run, first, mcuCount: end - first, geometry })
        first = end
      }
    }
  }

  /** Quantised coefficients of one MCU, six blocks in natural order, under the quantisers set before. */
  coefficients(picture: OpaquePixmap, mcu: number): Int16Array {
    this.#instance.reserve(this.#freeAfterBand(Math.ceil(picture.widthPx / MCU_PX)))
    let blocks = new Int16Array(0)
    this.#forEachSegment(
      picture,
      [{ from: mcu, to: mcu + 1 }],
      ({ geometry: [band, stride, from, , , , chromaRows] }) => {
        const at = this.#mcuCoefficients(this.#tables, band + from * 3 * MCU_PX, stride, chromaRows) >>> 0
        blocks = new Int16Array(this.#instance.bytes.slice(at, at + 6 * 128).buffer)
      },
    )
    return blocks
  }

  /** Counts the symbols of these runs under the quantisers set before; `predictors` (of a scene) start each run where given. */
  count(picture: OpaquePixmap, runs: readonly McuRun[], predictors: McuPredictors | null): SymbolCounts {
    this.#instance.reserve(this.#freeAfterBand(Math.ceil(picture.widthPx / MCU_PX)))
    this.#startStream(0)
    this.#instance.bytes.fill(0, this.#counts, this.#counts + COUNTS_BYTES)
    this.#forEachSegment(picture, runs, ({ run, first, geometry }) => {
      if (first === run.from && predictors) this.#restorePredictors(predictors, first)
      this.#countMcus(this.#tables, ...geometry, this.#counts)
    })
    const counts = new Uint32Array(this.#instance.bytes.slice(this.#counts, this.#counts + COUNTS_BYTES).buffer)
    return {
      dcLuma: Float64Array.from(counts.subarray(0, 256)),
      dcChroma: Float64Array.from(counts.subarray(256, 512)),
      acLuma: Float64Array.from(counts.subarray(512, 768)),
      acChroma: Float64Array.from(counts.subarray(768, 1024)),
    }
  }

  #restorePredictors(predictors: McuPredictors, mcu: number): void {
    this.#setPredictors(predictors[3 * mcu] ?? 0, predictors[3 * mcu + 1] ?? 0, predictors[3 * mcu + 2] ?? 0)
  }

  /** Encodes the whole picture and keeps where each MCU begins. Predictors are the same under every set of codes. */
  encodeScene(picture: OpaquePixmap): McuStream & { readonly predictors: McuPredictors } {
    const columns = Math.ceil(picture.widthPx / MCU_PX)
    const mcuCount = columns * Math.ceil(picture.heightPx / MCU_PX)
    const output = this.#freeAfterBand(columns)
    const bitOffsets = new Uint32Array(mcuCount + 1)
    const predictors = new Int16Array(3 * mcuCount)
    this.#instance.reserve(output)
    this.#startStream(output)
    this.#forEachSegment(picture, [{ from: 0, to: mcuCount }], ({ first, mcuCount: count, geometry }) => {
      this.#makeRoom(output, count * MAX_MCU_BYTES)
      this.#encodeMcus(this.#tables, ...geometry, this.#records)
      const records = new DataView(this.#instance.bytes.buffer, this.#records, count * RECORD_BYTES)
      for (let i = 0; i < count; i++) {
        bitOffsets[first + i] = records.getUint32(i * RECORD_BYTES, true)
        for (let c = 0; c < 3; c++)
          predictors[3 * (first + i) + c] = records.getInt16(i * RECORD_BYTES + 4 + 2 * c, true)
      }
    })
    bitOffsets[mcuCount] = this.#bitPosition() >>> 0
    const sizeBytes = this.#finishStream() >>> 0
    return { bytes: this.#instance.bytes.slice(output, output + sizeBytes), bitOffsets, predictors }
  }

  /** Encodes these runs, takes everything between them from the scene, and returns the finished file. */
  encodeFile(
    picture: OpaquePixmap,
    runs: readonly McuRun[],
    scene: { readonly stream: McuStream; readonly predictors: McuPredictors } | null,
    header: Uint8Array,
    trailer: Uint8Array,
  ): Uint8Array<ArrayBuffer> {
    const columns = Math.ceil(picture.widthPx / MCU_PX)
    const source = this.#freeAfterBand(columns)
    const sourceBytes = scene ? scene.stream.bytes.length : 0
    const output = align(source + sourceBytes + SLACK_BYTES)
    this.#instance.reserve(output + sourceBytes + SLACK_BYTES)
    if (scene) this.#instance.bytes.set(scene.stream.bytes, source)
    this.#startStream(output)
    let cursor = 0
    const copyUntil = (mcu: number): void => {
      if (!scene || mcu <= cursor) return
      const from = scene.stream.bitOffsets[cursor] ?? 0
      const bits = (scene.stream.bitOffsets[mcu] ?? 0) - from
      this.#makeRoom(output, Math.ceil(bits / 8))
      this.#appendBits(source, from, bits)
    }
    this.#forEachSegment(picture, runs, ({ run, first, mcuCount, geometry }) => {
      if (first === run.from) {
        copyUntil(first)
        if (scene) this.#restorePredictors(scene.predictors, first)
        cursor = run.to
      }
      this.#makeRoom(output, mcuCount * MAX_MCU_BYTES)
      this.#encodeMcus(this.#tables, ...geometry, 0)
    })
    if (scene) copyUntil(scene.stream.bitOffsets.length - 1)

    this.#makeRoom(output, 0)
    const scanBytes = this.#finishStream() >>> 0
    const stuffedBytes = scanBytes + (this.#countMarkers(output, scanBytes) >>> 0)
    const stuffed = align(output + scanBytes + SLACK_BYTES)
    this.#instance.reserve(stuffed + stuffedBytes + SLACK_BYTES)
    this.#stuffBytes(output, scanBytes, stuffed)
    const file = new Uint8Array(header.length + stuffedBytes + trailer.length)
    file.set(header)
    file.set(this.#instance.bytes.subarray(stuffed, stuffed + stuffedBytes), header.length)
    file.set(trailer, header.length + stuffedBytes)
    return file
  }

  #makeRoom(output: number, sizeBytes: number): void {
    const end = output + Math.ceil((this.#bitPosition() >>> 0) / 8) + sizeBytes + SLACK_BYTES
    // A quarter more than needed, so that a long stream grows the memory a few times and not at every row.
    if (end > this.#instance.sizeBytes) this.#instance.reserve(end + Math.ceil((end - output) / 4))
  }
}
