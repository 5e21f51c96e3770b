import type { Rect } from '../../geometry/rect.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { assertEncodable } from '../picture-limits.ts'
import { codedBits, fitHuffmanSet } from './huffman.ts'
import { END_OF_IMAGE, jpegHeader } from './jpeg-header.ts'
import { JpegKernel, packQuantisers, symbolCounts, type TokenizedPicture, type TokenizedRuns } from './jpeg-kernel.ts'
import { dirtyMcuRuns, MCU_PX } from './mcu-runs.ts'
import { type QuantisationTables, quantisationTables } from './quantiser.ts'

/** A scene made ready for its mockups, for one size and quality. Plain data: may be kept, counted and dropped. */
export type PreparedJpegScene = {
  readonly widthPx: number
  readonly heightPx: number
  readonly quality: number
  /** what keeping it costs */
  readonly sizeBytes: number
  readonly tokenized: TokenizedPicture
}

/** Memory that an idle kernel may keep; after a greater job it is given back. */
const RETAINED_BYTES = 64 * 1024 * 1024

/**
 * Our baseline JPEG encoder: sRGB in, JFIF 4:2:0 out, libjpeg's quantisation and arithmetic, the best Huffman tables for
 * each picture, deterministic bytes. A mockup differs from its scene only where artwork and overlays touch it, so a scene
 * is transformed once and a mockup only writes its tokens again (symbols and value bits, about 2 ns each). Keeping the
 * finished bits and splicing them would be 1 ms faster in 5 megapixels, but ties a mockup to tables that were fitted
 * before its artwork was known: up to 5 % more bytes.
 * Not re-entrant and never waits: one call at a time, each ends before it returns.
 */
export class JpegEncoder {
  readonly #module: WebAssembly.Module
  #kernel: JpegKernel | null = null

  constructor(module: WebAssembly.Module) {
    this.#module = module
  }

  #withKernel<T>(work: (kernel: JpegKernel) => T): T {
    const kernel = this.#kernel ?? new JpegKernel(this.#module)
    // Put back only after success: a kernel whose memory could not grow is dropped with all it holds.
    this.#kernel = null
    const result = work(kernel)
    if (kernel.memoryBytes <= RETAINED_BYTES) this.#kernel = kernel
    return result
  }

  /** The file of a picture, quality 1..100. Throws RangeError on sizes or a quality out of range. */
  encode(picture: OpaquePixmap, quality: number): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    const quantisation = quantisationTables(quality)
    return this.#withKernel(kernel => {
      kernel.setQuantisers(packQuantisers(quantisation))
      return writeFile(kernel, picture, quantisation, kernel.tokenize(picture))
    })
  }

  /**
   * The file of a mockup, and its scene made ready for the next one: what mockups replace is never used of it,
   * so any mockup serves as well as the empty scene. Costs little more than `encode`.
   */
  encodeAndPrepare(
    picture: OpaquePixmap,
    quality: number,
  ): { readonly bytes: Uint8Array<ArrayBuffer>; readonly prepared: PreparedJpegScene } {
    assertEncodable(picture)
    const { widthPx, heightPx } = picture
    const quantisation = quantisationTables(quality)
    return this.#withKernel(kernel => {
      kernel.setQuantisers(packQuantisers(quantisation))
      const tokenized = kernel.tokenizeWhole(picture)
      const { tokens, mcuStarts, predictors, counts } = tokenized
      const sizeBytes = tokens.byteLength + mcuStarts.byteLength + predictors.byteLength + counts.byteLength
      // The tokens are written from the copy: a run of none, everything from the scene.
      const runs: TokenizedRuns = {
        counts,
        runs: [],
        runEnds: [],
        columns: Math.ceil(widthPx / MCU_PX),
        scene: tokenized,
      }
      const bytes = writeFile(kernel, picture, quantisation, runs)
      return { bytes, prepared: { widthPx, heightPx, quality, sizeBytes, tokenized } }
    })
  }

  /**
   * The file of a mockup, the same bytes that `encode` makes of it. `picture` equals the prepared one everywhere but
   * inside `dirty`, and is not looked at elsewhere (whole units of 16 x 16 pixels that `dirty` touches, and the next one
   * to the right of them). Throws RangeError where the sizes differ.
   */
  encodeMockup(prepared: PreparedJpegScene, picture: OpaquePixmap, dirty: readonly Rect[]): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    if (picture.widthPx !== prepared.widthPx || picture.heightPx !== prepared.heightPx) {
      throw new RangeError(
        `Expected a picture of ${prepared.widthPx} x ${prepared.heightPx} but received ${picture.widthPx} x ${picture.heightPx}`,
      )
    }
    const quantisation = quantisationTables(prepared.quality)
    const runs = dirtyMcuRuns(dirty, picture.widthPx, picture.heightPx)
    return this.#withKernel(kernel => {
      kernel.setQuantisers(packQuantisers(quantisation))
      return writeFile(kernel, picture, quantisation, kernel.tokenizeChanges(picture, runs, prepared.tokenized))
    })
  }
}

/** Fits the tables to what was tokenized and writes it. */
function writeFile(
  kernel: JpegKernel,
  picture: OpaquePixmap,
  quantisation: QuantisationTables,
  tokenized: TokenizedRuns,
): Uint8Array<ArrayBuffer> {
  const counts = symbolCounts(tokenized.counts)
  const huffman = fitHuffmanSet(counts)
  const header = jpegHeader(picture.widthPx, picture.heightPx, quantisation, huffman)
  return kernel.writeFile(tokenized, huffman, codedBits(counts, huffman), header, END_OF_IMAGE)
}
