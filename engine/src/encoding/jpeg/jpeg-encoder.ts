import type { Rect } from '../../geometry/rect.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { assertEncodable } from '../picture-limits.ts'
import {
  bitsOfSymbols,
  codedBits,
  fitHuffmanSet,
  fitSceneHuffmanSet,
  type HuffmanSet,
  leastBits,
  symbolCounts,
} from './huffman.ts'
import { endOfImage, jpegHeader } from './jpeg-header.ts'
import { type CodedPicture, JpegKernel, type TokenizedPicture, type TokenizedRuns } from './jpeg-kernel.ts'
import { packCodes, packQuantisers } from './kernel-tables.ts'
import { dirtyMcuRuns, MCU_PX, type McuRun } from './mcu-runs.ts'
import { type QuantisationTables, quantisationTables } from './quantiser.ts'

/** Rectangles that may differ from a scene, their MCUs, and the counts of the scene's symbols in those. */
type Changes = { readonly drawn: readonly Rect[]; readonly runs: readonly McuRun[]; readonly replaced: Uint32Array }

/** A scene prepared for its mockups, for one size and quality. Plain data: may be kept and dropped. */
export type PreparedJpegScene = {
  readonly widthPx: number
  readonly heightPx: number
  readonly quality: number
  /** what keeping it costs */
  readonly sizeBytes: number
  readonly tokenized: TokenizedPicture
  /** where its mockups differ from it as a rule, and the scene's symbols in there */
  readonly changes: Changes
  /** tables that suit most mockups, and the scene written under them */
  readonly codes: Codes
  readonly coded: CodedPicture
}

/** Tables as they are written and used, for one size and quality. */
type Codes = {
  readonly huffman: HuffmanSet
  /** as the kernel reads them */
  readonly packed: Uint32Array
  /** what each symbol costs */
  readonly bits: Uint8Array
  /** all of the file before the entropy-coded data */
  readonly header: Uint8Array
}

function buildCodes(huffman: HuffmanSet, { widthPx, heightPx }: OpaquePixmap, quantisation: QuantisationTables): Codes {
  return {
    huffman,
    packed: packCodes(huffman),
    bits: bitsOfSymbols(huffman),
    header: jpegHeader(widthPx, heightPx, quantisation, huffman),
  }
}

type Quantisers = { readonly tables: QuantisationTables; readonly packed: Int16Array }

/**
 * A mockup is written under its scene's tables unless its own would save more than this share of its bits:
 * photographs lose 0.3 to 1.5 % and gain a sixth of their time.
 */
const GREATEST_LOSS = 0.025

/** Memory that an idle kernel may keep; after a greater job it is given back. */
const RETAINED_BYTES = 64 * 1024 * 1024

/**
 * Our baseline JPEG encoder: sRGB in, JFIF 4:2:0 out, libjpeg's arithmetic, deterministic bytes. A scene is
 * transformed and written once; mockups take its bits over where they equal it. Where the scene's tables
 * don't suit a mockup it gets its own. Not re-entrant: one call at a time, each ends before it returns.
 */
export class JpegEncoder {
  readonly #module: WebAssembly.Module
  #kernel: JpegKernel | null = null
  /** By quality: a hundred of them take 70 KB. */
  readonly #quantisers = new Map<number, Quantisers>()

  constructor(module: WebAssembly.Module) {
    this.#module = module
  }

  /** Throws RangeError on a quality out of range. */
  #findQuantisers(quality: number): Quantisers {
    const known = this.#quantisers.get(quality)
    if (known) return known
    const tables = quantisationTables(quality)
    const quantisers = { tables, packed: packQuantisers(tables) }
    this.#quantisers.set(quality, quantisers)
    return quantisers
  }

  #withKernel<T>(work: (kernel: JpegKernel) => T): T {
    const kernel = this.#kernel ?? new JpegKernel(this.#module)
    // Put back only after success: a kernel whose memory could not grow is dropped with all it holds.
    this.#kernel = null
    const result = work(kernel)
    if (kernel.memoryBytes <= RETAINED_BYTES) this.#kernel = kernel
    return result
  }

  /**
   * The file of a picture, quality 1..100, under the best tables for it; with a scene, under the tables that
   * its mockups would have. Throws RangeError on sizes or a quality out of range.
   */
  encode(picture: OpaquePixmap, quality: number, scene: PreparedJpegScene | null = null): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    const quantisers = this.#findQuantisers(quality)
    return this.#withKernel(kernel => {
      kernel.setQuantisers(quantisers.packed)
      const scenes = scene && buildCodes(scene.codes.huffman, picture, quantisers.tables)
      return writeFile(kernel, picture, quantisers.tables, kernel.tokenize(picture), scenes, null)
    })
  }

  /**
   * A scene made ready for mockups that differ from it only inside `drawn`. Costs little more than `encode`.
   * Throws RangeError on sizes or a quality out of range.
   */
  prepareScene(scene: OpaquePixmap, quality: number, drawn: readonly Rect[]): PreparedJpegScene {
    assertEncodable(scene)
    const { widthPx, heightPx } = scene
    const quantisers = this.#findQuantisers(quality)
    const runs = dirtyMcuRuns(drawn, widthPx, heightPx)
    return this.#withKernel(kernel => {
      kernel.setQuantisers(quantisers.packed)
      const tokenized = kernel.tokenizeWhole(scene)
      const artworkMcus = runs.reduce((sum, run) => sum + run.to - run.from, 0)
      const huffman = fitSceneHuffmanSet(symbolCounts(tokenized.counts), artworkMcus)
      const codes = buildCodes(huffman, scene, quantisers.tables)
      const columns = Math.ceil(widthPx / MCU_PX)
      const coded = kernel.codeWhole(tokenized, columns, codes.packed, codedBits(tokenized.counts, codes.bits))
      const changes = { drawn, runs, replaced: kernel.countRuns(tokenized, runs, columns) }
      const arrays = [
        ...Object.values(tokenized),
        ...Object.values(coded),
        changes.replaced,
        codes.packed,
        codes.header,
      ]
      const sizeBytes = arrays.reduce((sum, array) => sum + array.byteLength, 0)
      return { widthPx, heightPx, quality, sizeBytes, tokenized, changes, codes, coded }
    })
  }

  /**
   * The file of a mockup, as `encode` makes it with its scene. `picture` equals the scene outside `dirty` and
   * is read only in the 16 x 16 units that `dirty` touches and the next ones to the right. Throws RangeError
   * where sizes differ.
   */
  encodeMockup(prepared: PreparedJpegScene, picture: OpaquePixmap, dirty: readonly Rect[]): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    if (picture.widthPx !== prepared.widthPx || picture.heightPx !== prepared.heightPx) {
      throw new RangeError(
        `Expected a picture of ${prepared.widthPx} x ${prepared.heightPx} but received ${picture.widthPx} x ${picture.heightPx}`,
      )
    }
    const quantisers = this.#findQuantisers(prepared.quality)
    const { tokenized: scene, changes } = prepared
    return this.#withKernel(kernel => {
      const isUsual = dirty === changes.drawn
      const runs = isUsual ? changes.runs : dirtyMcuRuns(dirty, picture.widthPx, picture.heightPx)
      const columns = Math.ceil(picture.widthPx / MCU_PX)
      const replaced = isUsual ? changes.replaced : kernel.countRuns(scene, runs, columns)
      kernel.setQuantisers(quantisers.packed)
      const tokenized = kernel.tokenizeChanges(picture, runs, scene, replaced)
      return writeFile(kernel, picture, quantisers.tables, tokenized, prepared.codes, prepared.coded)
    })
  }
}

/**
 * Writes what was tokenized: under the scene's tables where these suit, from its stream where there is one,
 * else under the best tables.
 */
function writeFile(
  kernel: JpegKernel,
  picture: OpaquePixmap,
  quantisation: QuantisationTables,
  tokenized: TokenizedRuns,
  scenes: Codes | null,
  coded: CodedPicture | null,
): Uint8Array<ArrayBuffer> {
  const { counts } = tokenized
  const isSuited = scenes !== null && codedBits(counts, scenes.bits) <= leastBits(counts) * (1 + GREATEST_LOSS)
  const codes = isSuited ? scenes : buildCodes(fitHuffmanSet(symbolCounts(counts)), picture, quantisation)
  const scanBits = codedBits(counts, codes.bits)
  return kernel.writeFile(tokenized, isSuited ? coded : null, codes.packed, scanBits, codes.header, endOfImage)
}
