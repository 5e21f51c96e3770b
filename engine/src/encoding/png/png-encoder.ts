import { MAX_MATCH } from '../../../kernels/assembly/png/layout.ts'
import type { Rect } from '../../geometry/rect.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { assertEncodable } from '../picture-limits.ts'
import { type DeflateCodes, fitDeflateCodes, type TokenCounts, tokenBits } from './deflate-codes.ts'
import { type DirtySpan, dirtySpans } from './dirty-spans.ts'
import { type Crc32, closePng, PNG_HEAD_BYTES, PNG_TAIL_BYTES } from './png-container.ts'
import { type AdlerSums, PngKernel, packDeflateCodes } from './png-kernel.ts'

/** One way to code the scene: a Huffman code, and under it the bits of all that mockups keep. */
type CodedScene = {
  readonly codes: DeflateCodes
  readonly packedCodes: Uint32Array
  /** the stream without the spans, header included, end of block excluded */
  readonly bytes: Uint8Array
  /** where in it each span belongs; one entry more, the stream's length */
  readonly spanBits: Uint32Array
}

/** A scene encoded ahead of its mockups, for one size and set of frames. Plain data. */
export type PreparedPngScene = {
  readonly widthPx: number
  readonly heightPx: number
  /** what keeping it costs */
  readonly sizeBytes: number
  readonly filters: Uint8Array
  readonly spans: readonly DirtySpan[]
  /** checksum of the stream as if the spans were zeros */
  readonly adler: AdlerSums
  readonly variants: readonly CodedScene[]
}

/** Memory that an idle kernel may keep; after a greater job it is given back. */
const RETAINED_BYTES = 64 * 1024 * 1024

/** About how many rows are looked at to choose between codes. */
const SAMPLED_ROWS = 100

/** Paeth: best or near it for photographs, and no worse than any other for flat artwork. */
const ARTWORK_FILTER = 4

/** How residuals fall off from one magnitude to the next in smooth, detailed and noisy artwork. */
const residualRatios = [0.5, 0.75, 0.9] as const

const DIRTY_SPAN_BYTES = 24

function mixCounts(first: TokenCounts, second: TokenCounts, factor: number): TokenCounts {
  return {
    literals: first.literals.map((count, i) => count + factor * (second.literals[i] ?? 0)),
    matches: first.matches.map((count, i) => count + factor * (second.matches[i] ?? 0)),
  }
}

function tokenTotal(counts: TokenCounts): number {
  let bytes = counts.literals.reduce((sum, count) => sum + count, 0)
  counts.matches.forEach((count, length) => (bytes += count * length))
  return bytes
}

/** Columns that any of the spans touches. */
function columnsOf(spans: readonly DirtySpan[]): readonly [number, number] {
  let fromPx = Number.POSITIVE_INFINITY
  let toPx = 0
  for (const span of spans) {
    fromPx = Math.min(fromPx, span.fromPx)
    toPx = Math.max(toPx, span.toPx)
  }
  return spans.length > 0 ? [fromPx, toPx] : [0, 0]
}

/**
 * Our PNG encoder: 8-bit RGB, deterministic bytes. A mockup encodes only what lies inside its frames, between
 * bits of the scene. Not re-entrant: one call at a time, each ends before it returns.
 */
export class PngEncoder {
  readonly #module: WebAssembly.Module
  readonly #crc32: Crc32 | null
  #kernel: PngKernel | null = null

  /** `crc32`: a fast one of the platform's (Node's zlib.crc32); without it the kernel's is used. */
  constructor(module: WebAssembly.Module, crc32: Crc32 | null = null) {
    this.#module = module
    this.#crc32 = crc32
  }

  #withKernel<T>(work: (kernel: PngKernel) => T): T {
    const kernel = this.#kernel ?? new PngKernel(this.#module)
    // Put back only after success: a kernel whose memory could not grow is dropped with all it holds.
    this.#kernel = null
    const result = work(kernel)
    if (kernel.memoryBytes <= RETAINED_BYTES) this.#kernel = kernel
    return result
  }

  /** A picture without a scene: filters chosen by row, its code fitted to a sample. Throws RangeError. */
  encode(picture: OpaquePixmap): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    return this.#withKernel(kernel => {
      const filters = chooseFilters(kernel, picture)
      const codes = fitDeflateCodes(countRows(kernel, picture, filters, Math.ceil(picture.heightPx / SAMPLED_ROWS)))
      return this.#encodeWhole(kernel, picture, filters, codes, [])
    })
  }

  /** The same with everything given: what `encodeMockup` equals byte for byte. */
  encodeWithPlan(
    picture: OpaquePixmap,
    filters: Uint8Array,
    codes: DeflateCodes,
    spans: readonly DirtySpan[],
  ): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    return this.#withKernel(kernel => this.#encodeWhole(kernel, picture, filters, codes, spans))
  }

  #encodeWhole(
    kernel: PngKernel,
    picture: OpaquePixmap,
    filters: Uint8Array,
    codes: DeflateCodes,
    spans: readonly DirtySpan[],
  ): Uint8Array<ArrayBuffer> {
    const { widthPx, heightPx } = picture
    const rowBytes = 1 + 3 * widthPx
    kernel.setCodes(packDeflateCodes(codes))
    kernel.begin(picture, 0, widthPx, 0)
    kernel.put(codes.header)
    let next = 0
    for (let row = 0; row < heightPx; row++) {
      kernel.filterPixels(row, filters[row] ?? 0, 0, widthPx)
      kernel.addToAdler(0, rowBytes, (heightPx - 1 - row) * rowBytes)
      let at = 0
      for (; spans[next]?.row === row; next++) {
        const span = spans[next]
        if (!span) break
        kernel.encode(at, 1 + 3 * span.fromPx)
        kernel.encode(1 + 3 * span.fromPx, 1 + 3 * span.toPx)
        at = 1 + 3 * span.toPx
      }
      kernel.encode(at, rowBytes)
    }
    return this.#finish(kernel, codes, widthPx, heightPx)
  }

  #finish(kernel: PngKernel, codes: DeflateCodes, widthPx: number, heightPx: number): Uint8Array<ArrayBuffer> {
    const { plain, weighted } = kernel.adler
    kernel.put([codes.endOfBlock])
    const stream = kernel.finish()
    const file = new Uint8Array(PNG_HEAD_BYTES + stream.length + 4 + PNG_TAIL_BYTES)
    file.set(stream, PNG_HEAD_BYTES)
    new DataView(file.buffer).setUint32(PNG_HEAD_BYTES + stream.length, weighted * 65536 + plain)
    closePng(file, widthPx, heightPx, this.#crc32 ?? kernel.crc32)
    return file
  }

  /** Encodes a scene for mockups that differ from it only inside `frames`. */
  prepareScene(scene: OpaquePixmap, frames: readonly Rect[]): PreparedPngScene {
    assertEncodable(scene)
    const { widthPx, heightPx } = scene
    const rowBytes = 1 + 3 * widthPx
    const spans = dirtySpans(frames, widthPx, heightPx)
    return this.#withKernel(kernel => {
      const filters = chooseFilters(kernel, scene)
      const dirtyPx = new Uint32Array(heightPx)
      for (const { row, fromPx, toPx } of spans) dirtyPx[row] = (dirtyPx[row] ?? 0) + toPx - fromPx
      dirtyPx.forEach((px, row) => {
        if (2 * px > widthPx) filters[row] = ARTWORK_FILTER
      })

      /**
       * Filters every row and hands over the parts that mockups keep, each with the number of the next span.
       */
      const forEachCleanPart = (visit: (row: number, from: number, to: number, span: number) => void): void => {
        let next = 0
        for (let row = 0; row < heightPx; row++) {
          kernel.filterPixels(row, filters[row] ?? 0, 0, widthPx)
          let at = 0
          for (let span = spans[next]; span?.row === row; span = spans[++next]) {
            visit(row, at, 1 + 3 * span.fromPx, next)
            at = 1 + 3 * span.toPx
          }
          visit(row, at, rowBytes, next)
        }
      }

      kernel.begin(scene, 0, widthPx, 0)
      kernel.resetCounts()
      forEachCleanPart((row, from, to) => {
        kernel.count(from, to)
        kernel.addToAdler(from, to, (heightPx - 1 - row) * rowBytes + rowBytes - to)
      })
      const adler = kernel.adler
      const clean = kernel.counts

      const dirtyBytes = 3 * dirtyPx.reduce((sum, px) => sum + px, 0)
      const variants = residualRatios.map((ratio): CodedScene => {
        const tokens = artworkTokens(ratio)
        const codes = fitDeflateCodes(mixCounts(clean, tokens, dirtyBytes / tokenTotal(tokens)))
        const packedCodes = packDeflateCodes(codes)
        const spanBits = new Uint32Array(spans.length + 1)
        kernel.setCodes(packedCodes)
        kernel.begin(scene, 0, widthPx, 0)
        kernel.put(codes.header)
        forEachCleanPart((_row, from, to, span) => {
          kernel.encode(from, to)
          // The last part before a span ends where the span belongs.
          spanBits[span] = kernel.bitPosition
        })
        spanBits[spans.length] = kernel.bitPosition
        return { codes, packedCodes, bytes: kernel.finish().slice(), spanBits }
      })
      let sizeBytes = filters.byteLength + DIRTY_SPAN_BYTES * spans.length
      for (const { packedCodes, bytes, spanBits } of variants) {
        sizeBytes += packedCodes.byteLength + bytes.byteLength + spanBits.byteLength
      }
      return { widthPx, heightPx, sizeBytes, filters, spans, adler, variants }
    })
  }

  /**
   * The file of a mockup: `picture` equals the prepared scene everywhere but inside the frames it was
   * prepared with. Other pixels are not looked at. Throws RangeError where the sizes differ.
   */
  encodeMockup(prepared: PreparedPngScene, picture: OpaquePixmap): Uint8Array<ArrayBuffer> {
    return this.encodeMockupWithChoice(prepared, picture).bytes
  }

  /** As `encodeMockup`, and says which of the prepared codes it chose. */
  encodeMockupWithChoice(
    prepared: PreparedPngScene,
    picture: OpaquePixmap,
  ): { readonly bytes: Uint8Array<ArrayBuffer>; readonly codes: DeflateCodes } {
    assertEncodable(picture)
    const { widthPx, heightPx, filters, spans } = prepared
    if (picture.widthPx !== widthPx || picture.heightPx !== heightPx) {
      throw new RangeError(
        `Expected a picture of ${widthPx} x ${heightPx} but received ${picture.widthPx} x ${picture.heightPx}`,
      )
    }
    return this.#withKernel(kernel => {
      const rowBytes = 1 + 3 * widthPx
      const [fromPx, toPx] = columnsOf(spans)
      const variant = chooseVariant(kernel, prepared, picture)
      kernel.setCodes(variant.packedCodes)
      kernel.begin(picture, fromPx, toPx, variant.bytes.length)
      kernel.setSource(variant.bytes)
      kernel.adler = prepared.adler
      let done = 0
      spans.forEach((span, index) => {
        const at = variant.spanBits[index] ?? 0
        kernel.append(done, at)
        done = at
        const from = 1 + 3 * span.fromPx
        const to = 1 + 3 * span.toPx
        kernel.filterPixels(span.row, filters[span.row] ?? 0, span.fromPx, span.toPx)
        kernel.addToAdler(from, to, (heightPx - 1 - span.row) * rowBytes + rowBytes - to)
        kernel.encode(from, to)
      })
      kernel.append(done, variant.spanBits[spans.length] ?? 0)
      return { bytes: this.#finish(kernel, variant.codes, widthPx, heightPx), codes: variant.codes }
    })
  }
}

function chooseFilters(kernel: PngKernel, picture: OpaquePixmap): Uint8Array {
  kernel.begin(picture, 0, picture.widthPx, 0)
  return Uint8Array.from({ length: picture.heightPx }, (_, row) => kernel.chooseFilter(row))
}

/** Residuals of artwork that falls off by this ratio. */
function artworkTokens(ratio: number): TokenCounts {
  const literals = new Float64Array(256)
  let weight = 1
  for (let magnitude = 0; magnitude <= 128; magnitude++) {
    literals[magnitude] = weight
    literals[(256 - magnitude) & 255] = weight
    weight *= ratio
  }
  return { literals, matches: new Float64Array(MAX_MATCH + 1) }
}

/** Tokens of every `step`-th row. */
function countRows(kernel: PngKernel, picture: OpaquePixmap, filters: Uint8Array, step: number): TokenCounts {
  kernel.begin(picture, 0, picture.widthPx, 0)
  kernel.resetCounts()
  for (let row = step >> 1; row < picture.heightPx; row += step) {
    kernel.filterPixels(row, filters[row] ?? 0, 0, picture.widthPx)
    kernel.count(0, 1 + 3 * picture.widthPx)
  }
  return kernel.counts
}

/** The variant that makes the smallest file, going by a sample of the spans; the first of equals. */
function chooseVariant(kernel: PngKernel, prepared: PreparedPngScene, picture: OpaquePixmap): CodedScene {
  const { spans, filters, variants } = prepared
  const [fromPx, toPx] = columnsOf(spans)
  const step = Math.max(1, Math.floor(spans.length / SAMPLED_ROWS))
  let spanPx = 0
  let sampledPx = 0
  kernel.begin(picture, fromPx, toPx, 0)
  kernel.resetCounts()
  spans.forEach((span, index) => {
    spanPx += span.toPx - span.fromPx
    if (index % step !== step >> 1) return
    sampledPx += span.toPx - span.fromPx
    kernel.filterPixels(span.row, filters[span.row] ?? 0, span.fromPx, span.toPx)
    kernel.count(1 + 3 * span.fromPx, 1 + 3 * span.toPx)
  })
  const counts = kernel.counts
  const factor = spanPx / Math.max(1, sampledPx)
  let best: CodedScene | undefined
  let fewestBits = Number.POSITIVE_INFINITY
  for (const variant of variants) {
    const bits = (variant.spanBits[spans.length] ?? 0) + factor * tokenBits(counts, variant.codes)
    if (bits < fewestBits) {
      fewestBits = bits
      best = variant
    }
  }
  if (!best) throw new Error('A prepared scene has no variants')
  return best
}
