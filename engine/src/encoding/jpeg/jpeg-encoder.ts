import type { OpaquePixmap } from '../../pixmap.ts'
import { assertEncodable } from '../picture-limits.ts'
import type { PixelRect } from '../pixel-rect.ts'
import { letteringLike, photographLike } from '../synthetic-artwork.ts'
import { codedBits, fitHuffmanSet, type HuffmanSet, STANDARD_HUFFMAN, type SymbolCounts } from './huffman.ts'
import { END_OF_IMAGE, jpegHeader } from './jpeg-header.ts'
import { JpegKernel, type McuPredictors, type McuStream, packCodes, packQuantisers } from './jpeg-kernel.ts'
import { dirtyMcuRuns, MCU_PX, type McuRun } from './mcu-runs.ts'
import { quantisationTables } from './quantiser.ts'

/** One way to code the scene: a set of Huffman tables, the file's header under it, and the scene's bits. */
type CodedScene = {
  readonly huffman: HuffmanSet
  readonly codes: Uint32Array
  readonly header: Uint8Array
  readonly stream: McuStream
}

/** A scene encoded ahead of its mockups, for one size and quality. Plain data: may be kept, counted and dropped. */
export type PreparedJpegScene = {
  readonly widthPx: number
  readonly heightPx: number
  readonly quality: number
  /** what keeping it costs */
  readonly sizeBytes: number
  readonly quantisers: Int16Array
  readonly predictors: McuPredictors
  readonly variants: readonly CodedScene[]
}

/** Memory that an idle kernel may keep; after a greater job it is given back. */
const RETAINED_BYTES = 64 * 1024 * 1024

/** How many MCU rows are looked at, out of all that are to be encoded, to choose between the sets of Huffman tables. */
const SAMPLED_ROWS = 12

/** The part of the picture that artwork is assumed to take where the caller does not say. */
const USUAL_DIRTY_SHARE = 0.3

function mcuCountOf(picture: { readonly widthPx: number; readonly heightPx: number }): number {
  return Math.ceil(picture.widthPx / MCU_PX) * Math.ceil(picture.heightPx / MCU_PX)
}

function runLength(runs: readonly McuRun[]): number {
  return runs.reduce((sum, run) => sum + run.to - run.from, 0)
}

/** Every n-th row's part of the runs, about SAMPLED_ROWS of them, spread evenly. */
function sampleRuns(runs: readonly McuRun[], columns: number): McuRun[] {
  const segments: McuRun[] = []
  for (const run of runs) {
    for (let from = run.from; from < run.to; ) {
      const to = Math.min(run.to, (Math.floor(from / columns) + 1) * columns)
      segments.push({ from, to })
      from = to
    }
  }
  const step = Math.max(1, Math.floor(segments.length / SAMPLED_ROWS))
  return segments.filter((_, index) => index % step === step >> 1)
}

function mixCounts(parts: readonly { readonly counts: SymbolCounts; readonly factor: number }[]): SymbolCounts {
  const mix = (table: keyof SymbolCounts): Float64Array =>
    Float64Array.from({ length: 256 }, (_, symbol) =>
      parts.reduce((sum, part) => sum + part.factor * (part.counts[table][symbol] ?? 0), 0),
    )
  return { dcLuma: mix('dcLuma'), dcChroma: mix('dcChroma'), acLuma: mix('acLuma'), acChroma: mix('acChroma') }
}

/**
 * Our baseline JPEG encoder: sRGB in, JFIF 4:2:0 out, libjpeg's quantisation and arithmetic, deterministic bytes.
 * A mockup differs from its scene only where artwork and overlays touch it, so a scene is encoded once and
 * a mockup takes over all bits of it but those of the MCUs that changed.
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

  /** A picture without a scene, coded with Huffman tables fitted to a sample of it. Throws RangeError on bad sizes or quality. */
  encode(picture: OpaquePixmap, quality: number): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    const quantisation = quantisationTables(quality)
    return this.#withKernel(kernel => {
      kernel.setQuantisers(packQuantisers(quantisation))
      const all = [{ from: 0, to: mcuCountOf(picture) }]
      const sample = sampleRuns(all, Math.ceil(picture.widthPx / MCU_PX))
      const huffman = fitHuffmanSet(kernel.count(picture, sample, null))
      kernel.setCodes(packCodes(huffman))
      const header = jpegHeader(picture.widthPx, picture.heightPx, quantisation, huffman)
      return kernel.encodeFile(picture, all, null, header, END_OF_IMAGE)
    })
  }

  /** The same with given Huffman tables: what `encodeMockup` equals byte for byte, under the tables that it chose. */
  encodeWithTables(picture: OpaquePixmap, quality: number, huffman: HuffmanSet): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    const quantisation = quantisationTables(quality)
    return this.#withKernel(kernel => {
      kernel.setQuantisers(packQuantisers(quantisation))
      kernel.setCodes(packCodes(huffman))
      const header = jpegHeader(picture.widthPx, picture.heightPx, quantisation, huffman)
      return kernel.encodeFile(picture, [{ from: 0, to: mcuCountOf(picture) }], null, header, END_OF_IMAGE)
    })
  }

  /**
   * Encodes a scene for its mockups. `frames` are the rectangles that artwork and overlays will touch, as far as known:
   * they only help to fit the Huffman tables. Costs about five plain encodings.
   */
  prepareScene(scene: OpaquePixmap, quality: number, frames: readonly PixelRect[] = []): PreparedJpegScene {
    assertEncodable(scene)
    const { widthPx, heightPx } = scene
    const quantisation = quantisationTables(quality)
    const quantisers = packQuantisers(quantisation)
    return this.#withKernel(kernel => {
      kernel.setQuantisers(quantisers)
      const sets = fitSets(kernel, scene, frames)
      let predictors: McuPredictors = new Int16Array(0)
      const variants = sets.map((huffman): CodedScene => {
        const codes = packCodes(huffman)
        kernel.setCodes(codes)
        const coded = kernel.encodeScene(scene)
        predictors = coded.predictors
        const header = jpegHeader(widthPx, heightPx, quantisation, huffman)
        return { huffman, codes, header, stream: { bytes: coded.bytes, bitOffsets: coded.bitOffsets } }
      })
      let sizeBytes = quantisers.byteLength + predictors.byteLength
      for (const { codes, header, stream } of variants) {
        sizeBytes += codes.byteLength + header.byteLength + stream.bytes.byteLength + stream.bitOffsets.byteLength
      }
      return { widthPx, heightPx, quality, sizeBytes, quantisers, predictors, variants }
    })
  }

  /**
   * The file of a mockup: `picture` equals the prepared scene everywhere but inside `dirty`.
   * Pixels outside `dirty` are not looked at. Throws RangeError where the sizes differ.
   */
  encodeMockup(
    prepared: PreparedJpegScene,
    picture: OpaquePixmap,
    dirty: readonly PixelRect[],
  ): Uint8Array<ArrayBuffer> {
    return this.encodeMockupWithChoice(prepared, picture, dirty).bytes
  }

  /** As `encodeMockup`, and says which of the prepared Huffman sets it chose. */
  encodeMockupWithChoice(
    prepared: PreparedJpegScene,
    picture: OpaquePixmap,
    dirty: readonly PixelRect[],
  ): { readonly bytes: Uint8Array<ArrayBuffer>; readonly huffman: HuffmanSet } {
    assertEncodable(picture)
    if (picture.widthPx !== prepared.widthPx || picture.heightPx !== prepared.heightPx) {
      throw new RangeError(
        `Expected a picture of ${prepared.widthPx} x ${prepared.heightPx} but received ${picture.widthPx} x ${picture.heightPx}`,
      )
    }
    return this.#withKernel(kernel => {
      kernel.setQuantisers(prepared.quantisers)
      const runs = dirtyMcuRuns(dirty, picture.widthPx, picture.heightPx)
      const variant = chooseVariant(kernel, prepared, picture, runs)
      kernel.setCodes(variant.codes)
      const scene = { stream: variant.stream, predictors: prepared.predictors }
      const bytes = kernel.encodeFile(picture, runs, scene, variant.header, END_OF_IMAGE)
      return { bytes, huffman: variant.huffman }
    })
  }
}

/**
 * The sets of Huffman tables for a scene: the standard one, one for the scene alone, and two for the scene with
 * artwork in it, photographic or lettering. One fitted set alone would grow lettering by up to 12 %.
 */
function fitSets(kernel: JpegKernel, scene: OpaquePixmap, frames: readonly PixelRect[]): HuffmanSet[] {
  const mcuCount = mcuCountOf(scene)
  const dirty = dirtyMcuRuns(frames, scene.widthPx, scene.heightPx)
  const dirtyCount = frames.length > 0 ? runLength(dirty) : USUAL_DIRTY_SHARE * mcuCount
  const whole = kernel.count(scene, [{ from: 0, to: mcuCount }], null)
  // The predictors at the start of a run are not known yet; one difference a run does not move the statistics.
  const under = kernel.count(scene, dirty, null)
  const clean = mixCounts([
    { counts: whole, factor: 1 },
    { counts: under, factor: -1 },
  ])
  const positive = mixCounts([{ counts: clean, factor: 1 }])
  for (const table of Object.values(positive)) table.forEach((count, symbol) => (table[symbol] = Math.max(0, count)))
  const withArtwork = (artwork: OpaquePixmap): HuffmanSet => {
    const counts = kernel.count(artwork, [{ from: 0, to: mcuCountOf(artwork) }], null)
    return fitHuffmanSet(
      mixCounts([
        { counts: positive, factor: 1 },
        { counts, factor: dirtyCount / mcuCountOf(artwork) },
      ]),
    )
  }
  return [STANDARD_HUFFMAN, fitHuffmanSet(whole), withArtwork(photographLike()), withArtwork(letteringLike())]
}

/** The variant that makes the smallest file, going by a sample of the rows that changed; the first of equals. */
function chooseVariant(
  kernel: JpegKernel,
  prepared: PreparedJpegScene,
  picture: OpaquePixmap,
  runs: readonly McuRun[],
): CodedScene {
  const sample = sampleRuns(runs, Math.ceil(picture.widthPx / MCU_PX))
  const counts = kernel.count(picture, sample, prepared.predictors)
  const factor = runLength(runs) / Math.max(1, runLength(sample))
  let best: CodedScene | undefined
  let fewestBits = Number.POSITIVE_INFINITY
  for (const variant of prepared.variants) {
    const { bitOffsets } = variant.stream
    let bits = bitOffsets.at(-1) ?? 0
    for (const run of runs) bits -= (bitOffsets[run.to] ?? 0) - (bitOffsets[run.from] ?? 0)
    bits += factor * codedBits(counts, variant.huffman) + 8 * variant.header.length
    if (bits < fewestBits) {
      fewestBits = bits
      best = variant
    }
  }
  if (!best) throw new Error('A prepared scene has no variants')
  return best
}
