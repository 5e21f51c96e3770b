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
import { alignAddress as align } from '../../kernels/align-address.ts'
import { KernelInstance } from '../../kernels/kernel-instance.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { buildZigzagTables } from './kernel-tables.ts'
import { MCU_PX, type McuRun } from './mcu-runs.ts'

/** The kernel loads and stores whole vectors, so every region ends with unused bytes. */
const SLACK_BYTES = 64

const TOKEN_BYTES = 4

/** No MCU takes more: six blocks of 64 coefficients. */
const MAX_MCU_TOKEN_BYTES = 6 * 64 * TOKEN_BYTES

/** A scene's tokens pass through the kernel in pieces that stay in its cache. */
const CHUNK_TOKENS = 8192

/** Everything that the entropy coder needs of a picture, whatever codes it will use. */
export type TokenizedPicture = {
  readonly tokens: Uint32Array
  /** first token of each MCU; one entry more, the number of tokens */
  readonly mcuStarts: Uint32Array
  /** DC of Y, Cb and Cr that each MCU is predicted from, three a MCU */
  readonly predictors: Int16Array
  /** how often each symbol occurs: u32[4][256] in the order of HUFFMAN_TABLES */
  readonly counts: Uint32Array
}

/** A whole scene's finished stream under one set of codes, without stuffed zeros. */
export type CodedPicture = {
  readonly bytes: Uint8Array
  /** first bit of each MCU; one entry more, the number of bits */
  readonly mcuBits: Uint32Array
}

/** What lies tokenized in the kernel's memory, and the scene that fills the rest. */
export type TokenizedRuns = {
  /** of the whole picture, the scene's part included */
  readonly counts: Uint32Array
  readonly runs: readonly McuRun[]
  /** address behind each run's tokens */
  readonly runEnds: readonly number[]
  /** MCUs in a row */
  readonly columns: number
  readonly scene: TokenizedPicture | null
}

/** Drives the encoder kernel for one picture size at a time; its memory stays for the next picture. */
export class JpegKernel {
  readonly #instance: KernelInstance
  readonly #tables: number
  readonly #startTokens
  readonly #setPredictors
  readonly #tokenAddress
  readonly #mcuCoefficients
  readonly #tokenizeMcus
  readonly #countTokens
  readonly #startStream
  readonly #writeTokens
  readonly #streamBits
  readonly #copyBits
  readonly #finishStream
  readonly #countMarkers
  readonly #stuffBytes

  constructor(module: WebAssembly.Module) {
    const instance = new KernelInstance(module)
    this.#instance = instance
    this.#startTokens = instance.function('startTokens')
    this.#setPredictors = instance.function('setPredictors')
    this.#tokenAddress = instance.function('tokenAddress')
    this.#mcuCoefficients = instance.function('mcuCoefficients')
    this.#tokenizeMcus = instance.function('tokenizeMcus')
    this.#countTokens = instance.function('countTokens')
    this.#startStream = instance.function('startStream')
    this.#writeTokens = instance.function('writeTokens')
    this.#streamBits = instance.function('streamBits')
    this.#copyBits = instance.function('copyBits')
    this.#finishStream = instance.function('finishStream')
    this.#countMarkers = instance.function('countMarkers')
    this.#stuffBytes = instance.function('stuffBytes')
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

  #bandOf(columns: number): number {
    return align(this.#records + columns * RECORD_BYTES)
  }

  /** Where a piece of a scene's tokens goes: behind the band. */
  #chunkOf(columns: number): number {
    return align(this.#bandOf(columns) + MCU_PX * columns * 3 * MCU_PX + SLACK_BYTES)
  }

  /** Where the tokens of this picture go; its output comes behind them. */
  #tokensOf(columns: number): number {
    return this.#chunkOf(columns) + CHUNK_TOKENS * TOKEN_BYTES
  }

  setQuantisers(packed: Int16Array): void {
    new Int16Array(this.#instance.bytes.buffer, this.#tables + LUMA_QUANTISER, packed.length).set(packed)
  }

  /** Copies MCUs [from, to) of a row into the band, the picture's last column and row repeated beyond it. */
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

  /** Calls `visit` for the part of every run in every MCU row, with the band loaded. */
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
    this.#instance.reserve(this.#tokensOf(Math.ceil(picture.widthPx / MCU_PX)))
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

  #readCounts(): Uint32Array {
    return new Uint32Array(this.#instance.bytes.slice(this.#counts, this.#counts + COUNTS_BYTES).buffer)
  }

  /**
   * Tokenizes these runs of the picture into the kernel's memory and counts their symbols. Runs start from
   * the scene's predictors where a scene is given; `record` is called for each part of a row.
   */
  #tokenize(
    picture: OpaquePixmap,
    runs: readonly McuRun[],
    scene: TokenizedPicture | null,
    record: ((first: number, mcuCount: number) => void) | null,
  ): { readonly counts: Uint32Array; readonly runEnds: number[] } {
    const tokens = this.#tokensOf(Math.ceil(picture.widthPx / MCU_PX))
    const runEnds: number[] = []
    this.#instance.reserve(tokens)
    this.#instance.bytes.fill(0, this.#counts, this.#counts + COUNTS_BYTES)
    this.#startTokens(tokens)
    this.#forEachSegment(picture, runs, ({ run, first, mcuCount, geometry }) => {
      const used = this.#tokenAddress() >>> 0
      const end = used + mcuCount * MAX_MCU_TOKEN_BYTES + SLACK_BYTES
      // A quarter more than needed, so that many tokens grow the memory a few times and not at every row.
      if (end > this.#instance.sizeBytes) this.#instance.reserve(end + Math.ceil((end - tokens) / 4))
      if (scene && first === run.from) {
        const [y = 0, cb = 0, cr = 0] = scene.predictors.subarray(3 * first, 3 * first + 3)
        this.#setPredictors(y, cb, cr)
      }
      this.#tokenizeMcus(this.#tables, ...geometry, this.#counts, record ? this.#records : 0)
      record?.(first, mcuCount)
      if (first + mcuCount === run.to) runEnds.push(this.#tokenAddress() >>> 0)
    })
    return { counts: this.#readCounts(), runEnds }
  }

  /** All of a picture's tokens, under the quantisers set before, for mockups that share most of them. */
  tokenizeWhole(picture: OpaquePixmap): TokenizedPicture {
    const columns = Math.ceil(picture.widthPx / MCU_PX)
    const mcuCount = columns * Math.ceil(picture.heightPx / MCU_PX)
    const tokens = this.#tokensOf(columns)
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
    const end = this.#tokenAddress() >>> 0
    mcuStarts[mcuCount] = (end - tokens) / TOKEN_BYTES
    return { tokens: new Uint32Array(this.#instance.bytes.slice(tokens, end).buffer), mcuStarts, predictors, counts }
  }

  /** Calls `visit(address, sizeBytes)` for tokens [from, to) of a scene, in pieces that are in memory. */
  #forEachChunk(
    columns: number,
    scene: TokenizedPicture,
    from: number,
    to: number,
    visit: (at: number, sizeBytes: number) => void,
  ): void {
    const chunk = this.#chunkOf(columns)
    for (let first = from; first < to; first += CHUNK_TOKENS) {
      const piece = scene.tokens.subarray(first, Math.min(to, first + CHUNK_TOKENS))
      new Uint32Array(this.#instance.bytes.buffer, chunk, piece.length).set(piece)
      visit(chunk, piece.byteLength)
    }
  }

  /** Turns a whole picture into tokens, which stay in the kernel's memory for `writeFile`. */
  tokenize(picture: OpaquePixmap): TokenizedRuns {
    const columns = Math.ceil(picture.widthPx / MCU_PX)
    const runs = [{ from: 0, to: columns * Math.ceil(picture.heightPx / MCU_PX) }]
    return { ...this.#tokenize(picture, runs, null, null), runs, columns, scene: null }
  }

  /** How often each symbol occurs in these runs of a scene: what a mockup does not take over. */
  countRuns(scene: TokenizedPicture, runs: readonly McuRun[], columns: number): Uint32Array {
    this.#instance.reserve(this.#tokensOf(columns))
    this.#instance.bytes.fill(0, this.#counts, this.#counts + COUNTS_BYTES)
    for (const run of runs) {
      const from = scene.mcuStarts[run.from] ?? 0
      const to = scene.mcuStarts[run.to] ?? 0
      this.#forEachChunk(columns, scene, from, to, (at, sizeBytes) => this.#countTokens(at, sizeBytes, this.#counts))
    }
    return this.#readCounts()
  }

  /**
   * Turns the runs of a picture that differ from a scene into tokens, which stay in the kernel's memory for
   * `writeFile`; `replaced` is what `countRuns` says of these runs.
   */
  tokenizeChanges(
    picture: OpaquePixmap,
    runs: readonly McuRun[],
    scene: TokenizedPicture,
    replaced: Uint32Array,
  ): TokenizedRuns {
    const columns = Math.ceil(picture.widthPx / MCU_PX)
    const { counts, runEnds } = this.#tokenize(picture, runs, scene, null)
    for (let i = 0; i < counts.length; i++) counts[i] = (counts[i] ?? 0) + (scene.counts[i] ?? 0) - (replaced[i] ?? 0)
    return { counts, runEnds, runs, columns, scene }
  }

  /** The stream of what `tokenizeWhole` tokenized last; `scanBits` is its length under these codes. */
  codeWhole(
    { tokens, mcuStarts }: TokenizedPicture,
    columns: number,
    packedCodes: Uint32Array,
    scanBits: number,
  ): CodedPicture {
    const start = this.#tokensOf(columns)
    const output = this.#startOutput(start + tokens.byteLength, packedCodes, scanBits)
    const mcuBits = new Uint32Array(mcuStarts.length)
    for (let mcu = 0; mcu + 1 < mcuStarts.length; mcu++) {
      mcuBits[mcu] = this.#streamBits()
      const first = mcuStarts[mcu] ?? 0
      this.#writeTokens(
        this.#tables,
        start + first * TOKEN_BYTES,
        ((mcuStarts[mcu + 1] ?? first) - first) * TOKEN_BYTES,
      )
    }
    mcuBits[mcuStarts.length - 1] = this.#streamBits()
    const sizeBytes = this.#finishStream() >>> 0
    return { bytes: this.#instance.bytes.slice(output, output + sizeBytes), mcuBits }
  }

  /** Reserves memory behind `end` for a stream of so many bits and begins it. The stream's address. */
  #startOutput(end: number, packedCodes: Uint32Array, scanBits: number): number {
    new Uint32Array(this.#instance.bytes.buffer, this.#tables + CODES, packedCodes.length).set(packedCodes)
    const output = align(end + SLACK_BYTES)
    this.#instance.reserve(output + Math.ceil(scanBits / 8) + SLACK_BYTES)
    this.#startStream(output)
    return output
  }

  /**
   * The finished file of what was tokenized last; `scanBits` is the length that the codes give it. What comes
   * from the scene is copied from `coded`, the scene under the same codes, or else written from its tokens.
   */
  writeFile(
    { runEnds, runs, columns, scene }: Omit<TokenizedRuns, 'counts'>,
    coded: CodedPicture | null,
    packedCodes: Uint32Array,
    scanBits: number,
    header: Uint8Array,
    trailer: Uint8Array,
  ): Uint8Array<ArrayBuffer> {
    const stream = align((this.#tokenAddress() >>> 0) + SLACK_BYTES)
    const output = this.#startOutput(stream + (coded?.bytes.length ?? 0), packedCodes, scanBits)
    if (coded) this.#instance.bytes.set(coded.bytes, stream)
    let written = this.#tokensOf(columns)
    let cursor = 0
    const copyUntil = (mcu: number): void => {
      if (coded) {
        const first = coded.mcuBits[cursor] ?? 0
        this.#copyBits(stream, first, (coded.mcuBits[mcu] ?? first) - first)
      } else if (scene) {
        this.#forEachChunk(columns, scene, scene.mcuStarts[cursor] ?? 0, scene.mcuStarts[mcu] ?? 0, (at, sizeBytes) => {
          this.#writeTokens(this.#tables, at, sizeBytes)
        })
      }
    }
    runs.forEach((run, index) => {
      copyUntil(run.from)
      const end = runEnds[index] ?? written
      this.#writeTokens(this.#tables, written, end - written)
      written = end
      cursor = run.to
    })
    if (scene) copyUntil(scene.mcuStarts.length - 1)
    return this.#stuff(output, header, trailer)
  }

  /** Ends the stream at `output` and puts it, with a zero behind every 0xff, between header and trailer. */
  #stuff(output: number, header: Uint8Array, trailer: Uint8Array): Uint8Array<ArrayBuffer> {
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
}
