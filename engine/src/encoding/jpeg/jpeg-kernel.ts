import {
  CODES,
  COUNTS_BYTES,
  LUMA_QUANTISER,
  RECORD_BYTES,
  RECORD_PREDICTORS,
  RECORD_TOKENS,
  TABLES_BYTES,
  ZIGZAG_OFFSETS,
} from '../../../kernels/assembly/blocks/layout.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { alignAddress as align } from '../../webassembly/align-address.ts'
import { KernelInstance } from '../../webassembly/kernel-instance.ts'
import { endOfImage } from './jpeg-header.ts'
import { buildZigzagTables } from './kernel-tables.ts'
import { MCU_PX, type McuRun } from './mcu-runs.ts'

/** Unused bytes at the end of every region, since whole vectors are loaded and stored. */
const SLACK_BYTES = 64

const TOKEN_BYTES = 4

/** The maximum per MCU: six blocks of 64 coefficients. */
const MAX_MCU_TOKEN_BYTES = 6 * 64 * TOKEN_BYTES

/** A scene's tokens pass through the kernel in pieces that fit the processor's cache. */
const CHUNK_TOKENS = 8192

/** Everything that the entropy coder needs of a picture, independent of the codes. */
export type TokenizedPicture = {
  readonly tokens: Uint32Array
  /** first token of each MCU; one more entry, the number of tokens */
  readonly mcuStarts: Uint32Array
  /** DC predictors of Y, Cb and Cr at the start of each MCU, three per MCU */
  readonly predictors: Int16Array
  /** how often each symbol occurs: u32[4][256] in the order of `huffmanTables` */
  readonly counts: Uint32Array
}

/** A scene's finished stream with one set of codes, without stuffed zeros. */
export type CodedPicture = {
  readonly bytes: Uint8Array
  /** first bit of each MCU; one more entry, the number of bits */
  readonly mcuBits: Uint32Array
}

/** The tokens in the kernel's memory, and the scene that provides the rest. */
export type TokenizedRuns = {
  /** of the whole picture, including the scene's part */
  readonly counts: Uint32Array
  readonly runs: readonly McuRun[]
  /** address after each run's tokens */
  readonly runEnds: readonly number[]
  readonly scene: TokenizedPicture | null
}

/** Runs the encoder kernel for one picture at a time: `begin`, then tokenize, then write. */
export class JpegKernel {
  readonly #instance: KernelInstance
  readonly #run
  readonly #tables: number
  /** MCUs in a row of the picture */
  #columns = 0

  constructor(module: WebAssembly.Module) {
    const instance = new KernelInstance(module)
    this.#instance = instance
    this.#run = {
      startTokens: instance.function('startTokens'),
      setPredictors: instance.function('setPredictors'),
      tokenAddress: instance.function('tokenAddress'),
      mcuCoefficients: instance.function('mcuCoefficients'),
      tokenizeMcus: instance.function('tokenizeMcus'),
      countTokens: instance.function('countTokens'),
      startStream: instance.function('startStream'),
      writeTokens: instance.function('writeTokens'),
      streamBits: instance.function('streamBits'),
      copyBits: instance.function('copyBits'),
      finishStream: instance.function('finishStream'),
      countMarkers: instance.function('countMarkers'),
      stuffBytes: instance.function('stuffBytes'),
    }
    this.#tables = align(instance.function('heapBase')() >>> 0)
    instance.reserve(this.#tables + TABLES_BYTES + COUNTS_BYTES)
    instance.bytes.set(buildZigzagTables(), this.#tables + ZIGZAG_OFFSETS)
  }

  get memoryBytes(): number {
    return this.#instance.sizeBytes
  }

  get #counts(): number {
    return align(this.#tables + TABLES_BYTES)
  }

  get #records(): number {
    return this.#counts + COUNTS_BYTES
  }

  /** Address of one MCU row of RGB pixels. */
  get #band(): number {
    return align(this.#records + this.#columns * RECORD_BYTES)
  }

  get #bandStrideBytes(): number {
    return this.#columns * 3 * MCU_PX
  }

  /** Address of a piece of a scene's tokens. */
  get #chunk(): number {
    return align(this.#band + MCU_PX * this.#bandStrideBytes + SLACK_BYTES)
  }

  /** Address of this picture's tokens, which its output follows. */
  get #tokens(): number {
    return this.#chunk + CHUNK_TOKENS * TOKEN_BYTES
  }

  /** Begins a picture of that width with these quantisers (`packQuantisers`). */
  begin(widthPx: number, packedQuantisers: Int16Array): void {
    this.#columns = Math.ceil(widthPx / MCU_PX)
    this.#instance.reserve(this.#tokens)
    new Int16Array(this.#instance.bytes.buffer, this.#tables + LUMA_QUANTISER, packedQuantisers.length).set(
      packedQuantisers,
    )
  }

  /** Copies MCUs [from, to) of an MCU row into the band, repeating the picture's last column and row. */
  #loadBand(picture: OpaquePixmap, mcuRow: number, from: number, to: number): void {
    const bytes = this.#instance.bytes
    const band = this.#band
    const stride = this.#bandStrideBytes
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

  /** Quantised coefficients of one MCU, six blocks in natural order. For comparison with the reference. */
  coefficients(picture: OpaquePixmap, mcu: number): Int16Array {
    const row = Math.floor(mcu / this.#columns)
    const column = mcu - row * this.#columns
    this.#loadBand(picture, row, column, column + 1)
    const chromaRows = (Math.min(MCU_PX, picture.heightPx - row * MCU_PX) + 1) >> 1
    const pixels = this.#band + column * 3 * MCU_PX
    const at = this.#run.mcuCoefficients(this.#tables, pixels, this.#bandStrideBytes, chromaRows) >>> 0
    return new Int16Array(this.#instance.bytes.slice(at, at + 6 * 128).buffer)
  }

  #clearCounts(): void {
    this.#instance.bytes.fill(0, this.#counts, this.#counts + COUNTS_BYTES)
  }

  #readCounts(): Uint32Array {
    return new Uint32Array(this.#instance.bytes.slice(this.#counts, this.#counts + COUNTS_BYTES).buffer)
  }

  /**
   * Tokenizes runs of the picture into the kernel's memory, and counts their symbols. If there is a scene,
   * each run starts from its predictors. `record` is called for each part of a row.
   */
  #tokenize(
    picture: OpaquePixmap,
    runs: readonly McuRun[],
    scene: TokenizedPicture | null,
    record: ((first: number, mcuCount: number) => void) | null,
  ): { readonly counts: Uint32Array; readonly runEnds: number[] } {
    const columns = this.#columns
    const runEnds: number[] = []
    this.#clearCounts()
    this.#run.startTokens(this.#tokens)
    for (const run of runs) {
      if (scene) {
        const [y = 0, cb = 0, cr = 0] = scene.predictors.subarray(3 * run.from, 3 * run.from + 3)
        this.#run.setPredictors(y, cb, cr)
      }
      for (let first = run.from; first < run.to; ) {
        const row = Math.floor(first / columns)
        const from = first - row * columns
        const to = Math.min(run.to - row * columns, columns)
        this.#loadBand(picture, row, from, to)
        const end = this.#tokenEnd() + (to - from) * MAX_MCU_TOKEN_BYTES + SLACK_BYTES
        // A quarter more than needed, so that memory grows a few times and not at every row.
        if (end > this.#instance.sizeBytes) this.#instance.reserve(end + Math.ceil((end - this.#tokens) / 4))
        const rows = Math.min(MCU_PX, picture.heightPx - row * MCU_PX)
        this.#run.tokenizeMcus(
          this.#tables,
          this.#band,
          this.#bandStrideBytes,
          from,
          to,
          Math.ceil(picture.widthPx / 8),
          rows > 8 ? 2 : 1,
          (rows + 1) >> 1,
          this.#counts,
          record ? this.#records : 0,
        )
        record?.(first, to - from)
        first += to - from
      }
      runEnds.push(this.#tokenEnd())
    }
    return { counts: this.#readCounts(), runEnds }
  }

  /** Address after the last token. */
  #tokenEnd(): number {
    return this.#run.tokenAddress() >>> 0
  }

  /** All of a picture's tokens, for mockups that share most of them. */
  tokenizeWhole(picture: OpaquePixmap): TokenizedPicture {
    const mcuCount = this.#columns * Math.ceil(picture.heightPx / MCU_PX)
    const tokens = this.#tokens
    const mcuStarts = new Uint32Array(mcuCount + 1)
    const predictors = new Int16Array(3 * mcuCount)
    const record = (first: number, count: number): void => {
      const records = new DataView(this.#instance.bytes.buffer, this.#records, count * RECORD_BYTES)
      for (let i = 0; i < count; i++) {
        mcuStarts[first + i] = (records.getUint32(i * RECORD_BYTES + RECORD_TOKENS, true) - tokens) / TOKEN_BYTES
        for (let c = 0; c < 3; c++) {
          predictors[3 * (first + i) + c] = records.getInt16(i * RECORD_BYTES + RECORD_PREDICTORS + 2 * c, true)
        }
      }
    }
    const { counts } = this.#tokenize(picture, [{ from: 0, to: mcuCount }], null, record)
    const end = this.#tokenEnd()
    mcuStarts[mcuCount] = (end - tokens) / TOKEN_BYTES
    return { tokens: new Uint32Array(this.#instance.bytes.slice(tokens, end).buffer), mcuStarts, predictors, counts }
  }

  /** Tokenizes a picture without a scene for `writeFile`. */
  tokenize(picture: OpaquePixmap): TokenizedRuns {
    const runs = [{ from: 0, to: this.#columns * Math.ceil(picture.heightPx / MCU_PX) }]
    return { ...this.#tokenize(picture, runs, null, null), runs, scene: null }
  }

  /** Loads tokens [from, to) of a scene piece by piece and calls `visit(address, sizeBytes)` for each. */
  #forEachChunk(
    scene: TokenizedPicture,
    from: number,
    to: number,
    visit: (at: number, sizeBytes: number) => void,
  ): void {
    const chunk = this.#chunk
    for (let first = from; first < to; first += CHUNK_TOKENS) {
      const piece = scene.tokens.subarray(first, Math.min(to, first + CHUNK_TOKENS))
      new Uint32Array(this.#instance.bytes.buffer, chunk, piece.length).set(piece)
      visit(chunk, piece.byteLength)
    }
  }

  /** How often each symbol occurs in these runs of a scene. */
  countRuns(scene: TokenizedPicture, runs: readonly McuRun[]): Uint32Array {
    this.#clearCounts()
    for (const run of runs) {
      this.#forEachChunk(scene, scene.mcuStarts[run.from] ?? 0, scene.mcuStarts[run.to] ?? 0, (at, sizeBytes) =>
        this.#run.countTokens(at, sizeBytes, this.#counts),
      )
    }
    return this.#readCounts()
  }

  /** Tokenizes the runs that differ from a scene for `writeFile`; `replaced` is their `countRuns`. */
  tokenizeChanges(
    picture: OpaquePixmap,
    runs: readonly McuRun[],
    scene: TokenizedPicture,
    replaced: Uint32Array,
  ): TokenizedRuns {
    const { counts, runEnds } = this.#tokenize(picture, runs, scene, null)
    for (let i = 0; i < counts.length; i++) counts[i] = (counts[i] ?? 0) + (scene.counts[i] ?? 0) - (replaced[i] ?? 0)
    return { counts, runEnds, runs, scene }
  }

  /** The stream of the last `tokenizeWhole`; `scanBits` is its length with these codes. */
  codeWhole({ tokens, mcuStarts }: TokenizedPicture, packedCodes: Uint32Array, scanBits: number): CodedPicture {
    const start = this.#tokens
    const output = this.#startOutput(start + tokens.byteLength, packedCodes, scanBits)
    const mcuBits = mcuStarts.map((first, mcu) => {
      const firstBit = this.#run.streamBits()
      const end = mcuStarts[mcu + 1] ?? first
      this.#run.writeTokens(this.#tables, start + first * TOKEN_BYTES, (end - first) * TOKEN_BYTES)
      return firstBit
    })
    const sizeBytes = this.#run.finishStream() >>> 0
    return { bytes: this.#instance.bytes.slice(output, output + sizeBytes), mcuBits }
  }

  /** Begins a stream of `scanBits` bits with these codes after the address `end`; returns its address. */
  #startOutput(end: number, packedCodes: Uint32Array, scanBits: number): number {
    new Uint32Array(this.#instance.bytes.buffer, this.#tables + CODES, packedCodes.length).set(packedCodes)
    const output = align(end + SLACK_BYTES)
    this.#instance.reserve(output + Math.ceil(scanBits / 8) + SLACK_BYTES)
    this.#run.startStream(output)
    return output
  }

  /**
   * The file of the last tokens; `scanBits` is the length of its data with these codes. The scene's part is
   * copied from `coded`, the scene with the same codes, or otherwise written from its tokens.
   */
  writeFile(
    { runEnds, runs, scene }: TokenizedRuns,
    coded: CodedPicture | null,
    packedCodes: Uint32Array,
    scanBits: number,
    header: Uint8Array,
  ): Uint8Array<ArrayBuffer> {
    const stream = align(this.#tokenEnd() + SLACK_BYTES)
    const output = this.#startOutput(stream + (coded?.bytes.length ?? 0), packedCodes, scanBits)
    if (coded) this.#instance.bytes.set(coded.bytes, stream)
    const writeTokens = (at: number, sizeBytes: number) => this.#run.writeTokens(this.#tables, at, sizeBytes)
    let written = this.#tokens
    let cursor = 0
    const copyUntil = (mcu: number): void => {
      if (coded) {
        const first = coded.mcuBits[cursor] ?? 0
        this.#run.copyBits(stream, first, (coded.mcuBits[mcu] ?? first) - first)
      } else if (scene) {
        this.#forEachChunk(scene, scene.mcuStarts[cursor] ?? 0, scene.mcuStarts[mcu] ?? 0, writeTokens)
      }
    }
    runs.forEach((run, index) => {
      copyUntil(run.from)
      const end = runEnds[index] ?? written
      writeTokens(written, end - written)
      written = end
      cursor = run.to
    })
    if (scene) copyUntil(scene.mcuStarts.length - 1)
    return this.#closeFile(output, header)
  }

  /** Ends the stream at `output` and writes it, with a zero after every 0xff, between header and EOI. */
  #closeFile(output: number, header: Uint8Array): Uint8Array<ArrayBuffer> {
    const scanBytes = this.#run.finishStream() >>> 0
    const stuffedBytes = scanBytes + (this.#run.countMarkers(output, scanBytes) >>> 0)
    const stuffed = align(output + scanBytes + SLACK_BYTES)
    this.#instance.reserve(stuffed + stuffedBytes + SLACK_BYTES)
    this.#run.stuffBytes(output, scanBytes, stuffed)
    const file = new Uint8Array(header.length + stuffedBytes + endOfImage.length)
    file.set(header)
    file.set(this.#instance.bytes.subarray(stuffed, stuffed + stuffedBytes), header.length)
    file.set(endOfImage, header.length + stuffedBytes)
    return file
  }
}
