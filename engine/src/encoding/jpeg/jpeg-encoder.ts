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

/** A scene prepared for its mockups, for one size and quality. Plain data. */
export type PreparedJpegScene = {
  readonly widthPx: number
  readonly heightPx: number
  readonly quality: number
  /** memory needed to cache it */
  readonly sizeBytes: number
  readonly tokenized: TokenizedPicture
  /** where most of its mockups differ from it */
  readonly changes: Changes
  /** tables fitted to the scene before any artwork is known, and the scene encoded with them */
  readonly codes: Codes
  readonly coded: CodedPicture
}

/** Huffman tables for one size and quality. */
type Codes = {
  readonly huffman: HuffmanSet
  /** in the kernel's format */
  readonly packed: Uint32Array
  /** bits that each symbol costs */
  readonly bits: Uint8Array
  /** the file up to the entropy-coded data */
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

/** The scene's tables are used if they cost at most this share more than the mockup's entropy. */
const GREATEST_LOSS = 0.025

/**
 * Baseline JPEG encoder: sRGB in, JFIF 4:2:0 out, libjpeg's quantisation and arithmetic, deterministic bytes.
 * A mockup copies its scene's bits if its own optimal tables would save little; otherwise it gets fitted
 * tables, and the scene's tokens (symbols and value bits) are written again. Not re-entrant.
 */
export class JpegEncoder {
  readonly #kernel: RetainedKernel<JpegKernel>
  /** By quality: a hundred of them take 70 KB. */
  readonly #quantisers = new Map<number, Quantisers>()

  constructor(module: WebAssembly.Module) {
    this.#kernel = new RetainedKernel(() => new JpegKernel(module))
  }

  /** Throws RangeError for a quality out of range. */
  #findQuantisers(quality: number): Quantisers {
    const known = this.#quantisers.get(quality)
    if (known) return known
    const tables = quantisationTables(quality)
    const quantisers = { tables, packed: packQuantisers(tables) }
    this.#quantisers.set(quality, quantisers)
    return quantisers
  }

  /**
   * The file of a picture with optimal tables, or with a scene, as its mockup would be written. @throws
   * RangeError for invalid sizes and qualities outside 1..100
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
   * Prepares a scene for mockups that differ from it only inside `drawn`. @throws RangeError like `encode`
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
   * The file of a mockup: the same bytes as `encode` gives with its scene. Outside the 16 x 16 px units that
   * `dirty` touches, and the next unit to the right, `picture` equals the scene and is not read. Throws
   * RangeError if the sizes differ.
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

/** Writes the tokens with the scene's tables if they are good enough, otherwise with optimal tables. */
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
