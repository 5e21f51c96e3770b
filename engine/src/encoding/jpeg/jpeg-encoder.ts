import type { Rect } from '../../geometry/rect.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { assertEncodable, assertSameSize } from '../picture-limits.ts'
import { RetainedKernel } from '../retained-kernel.ts'
import {
  bitsOfSymbols,
  codedBits,
  fitHuffmanSet,
  fitSceneHuffmanSet,
  type HuffmanSet,
  leastBits,
  symbolCounts,
} from './huffman.ts'
import { jpegHeader } from './jpeg-header.ts'
import { type CodedPicture, JpegKernel, type TokenizedPicture, type TokenizedRuns } from './jpeg-kernel.ts'
import { packCodes, packQuantisers } from './kernel-tables.ts'
import { dirtyMcuRuns, type McuRun } from './mcu-runs.ts'
import { type QuantisationTables, quantisationTables } from './quantiser.ts'

/** Rectangles that may differ from a scene, their MCUs, and the symbol counts of these MCUs in the scene. */
type Changes = { readonly drawn: readonly Rect[]; readonly runs: readonly McuRun[]; readonly replaced: Uint32Array }

/** A scene made ready for its mockups, for one size and quality. Plain data. */
export type PreparedJpegScene = {
  readonly widthPx: number
  readonly heightPx: number
  readonly quality: number
  /** memory that keeping it takes */
  readonly sizeBytes: number
  readonly tokenized: TokenizedPicture
  /** where most of its mockups differ from it */
  readonly changes: Changes
  /** tables fitted to the scene before any artwork is known, and the scene written under them */
  readonly codes: Codes
  readonly coded: CodedPicture
}

/** Huffman tables for one size and quality. */
type Codes = {
  readonly huffman: HuffmanSet
  /** as the kernel reads them */
  readonly packed: Uint32Array
  /** bits that each symbol costs */
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

/** The scene's tables are used where they cost at most this share more than the mockup's entropy. */
const GREATEST_LOSS = 0.025

/**
 * Baseline JPEG encoder: sRGB in, JFIF 4:2:0 out, libjpeg's quantisation and arithmetic, deterministic bytes.
 * A mockup copies its scene's bits where its own best tables would save little; otherwise it gets tables
 * fitted to it, and the scene's tokens (symbols and value bits) are written again. Not re-entrant.
 */
export class JpegEncoder {
  readonly #kernel: RetainedKernel<JpegKernel>
  /** By quality: a hundred of them take 70 KB. */
  readonly #quantisers = new Map<number, Quantisers>()

  constructor(module: WebAssembly.Module) {
    this.#kernel = new RetainedKernel(() => new JpegKernel(module))
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

  /**
   * The file of a picture under the best tables for it, or with a scene as its mockup would be written.
   * @throws RangeError for bad sizes and qualities outside 1..100
   */
  encode(picture: OpaquePixmap, quality: number, scene: PreparedJpegScene | null = null): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    const quantisers = this.#findQuantisers(quality)
    return this.#kernel.run(kernel => {
      kernel.begin(picture.widthPx, quantisers.packed)
      const scenes = scene && buildCodes(scene.codes.huffman, picture, quantisers.tables)
      return writeFile(kernel, picture, quantisers.tables, kernel.tokenize(picture), scenes, null)
    })
  }

  /**
   * Prepares a scene for mockups that differ from it only inside `drawn`. Throws RangeError as `encode` does.
   */
  prepareScene(scene: OpaquePixmap, quality: number, drawn: readonly Rect[]): PreparedJpegScene {
    assertEncodable(scene)
    const { widthPx, heightPx } = scene
    const quantisers = this.#findQuantisers(quality)
    const runs = dirtyMcuRuns(drawn, widthPx, heightPx)
    return this.#kernel.run(kernel => {
      kernel.begin(widthPx, quantisers.packed)
      const tokenized = kernel.tokenizeWhole(scene)
      const artworkMcus = runs.reduce((sum, run) => sum + run.to - run.from, 0)
      const huffman = fitSceneHuffmanSet(symbolCounts(tokenized.counts), artworkMcus)
      const codes = buildCodes(huffman, scene, quantisers.tables)
      const coded = kernel.codeWhole(tokenized, codes.packed, codedBits(tokenized.counts, codes.bits))
      const replaced = kernel.countRuns(tokenized, runs)
      const changes = { drawn, runs, replaced }
      const arrays = [...Object.values(tokenized), ...Object.values(coded), replaced, codes.packed, codes.header]
      const sizeBytes = arrays.reduce((sum, array) => sum + array.byteLength, 0)
      return { widthPx, heightPx, quality, sizeBytes, tokenized, changes, codes, coded }
    })
  }

  /**
   * The file of a mockup: the bytes that `encode` gives with its scene. Outside the 16 x 16 px units that
   * `dirty` touches, and the next one to the right, `picture` equals the scene and is not read. Throws
   * RangeError where the sizes differ.
   */
  encodeMockup(prepared: PreparedJpegScene, picture: OpaquePixmap, dirty: readonly Rect[]): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    assertSameSize(picture, prepared)
    const quantisers = this.#findQuantisers(prepared.quality)
    const { tokenized: scene, changes } = prepared
    return this.#kernel.run(kernel => {
      kernel.begin(picture.widthPx, quantisers.packed)
      const isUsual = dirty === changes.drawn
      const runs = isUsual ? changes.runs : dirtyMcuRuns(dirty, picture.widthPx, picture.heightPx)
      const replaced = isUsual ? changes.replaced : kernel.countRuns(scene, runs)
      const tokenized = kernel.tokenizeChanges(picture, runs, scene, replaced)
      return writeFile(kernel, picture, quantisers.tables, tokenized, prepared.codes, prepared.coded)
    })
  }
}

/** Writes what was tokenized: under the scene's tables where they suit, else under the best tables. */
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
  return kernel.writeFile(tokenized, isSuited ? coded : null, codes.packed, scanBits, codes.header)
}
