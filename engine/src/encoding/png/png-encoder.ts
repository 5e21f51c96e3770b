import type { Rect } from '../../geometry/rect.ts'
import type { OpaquePixmap } from '../../pixmap.ts'
import { assertEncodable, assertSameSize } from '../picture-limits.ts'
import { RetainedKernel } from '../retained-kernel.ts'
import { type DeflateCodes, fitDeflateCodes, type TokenCounts, tokenBits } from './deflate-codes.ts'
import { type DirtySpan, dirtySpans } from './dirty-spans.ts'
import { type Crc32, closePng, PNG_HEAD_BYTES, PNG_TAIL_BYTES } from './png-container.ts'
import { type AdlerSums, PngKernel, packDeflateCodes } from './png-kernel.ts'

/** The scene's part of every mockup, encoded with one Huffman code. */
type CodedScene = {
  readonly codes: DeflateCodes
  readonly packedCodes: Uint32Array
  /** the stream without the spans, including the header, without the end of the block */
  readonly bytes: Uint8Array
  /** its bit offset of each span; one more entry, the stream's length */
  readonly spanBits: Uint32Array
}

/** A scene encoded ahead of its mockups, for one size and one set of frames. Plain data. */
export type PreparedPngScene = {
  readonly widthPx: number
  readonly heightPx: number
  /** memory needed to cache it */
  readonly sizeBytes: number
  readonly filters: Uint8Array
  readonly spans: readonly DirtySpan[]
  /** checksum of the stream as if the spans were zeros */
  readonly adler: AdlerSums
  readonly variants: readonly CodedScene[]
}

/** About this many rows are examined to choose between codes. */
const SAMPLED_ROWS = 100

/** Paeth: best or nearly so for photographs, and no worse than others for flat artwork. */
const ARTWORK_FILTER = 4

/** How residuals decay with magnitude in smooth, detailed and noisy artwork; one code for each. */
const residualRatios = [0.5, 0.75, 0.9] as const

const DIRTY_SPAN_BYTES = 24

/**
 * PNG encoder: 8-bit RGB, deterministic bytes. A scene is encoded once for its frames; a mockup encodes what
 * lies inside them and copies the scene's bits. Not re-entrant.
 */
export class PngEncoder {
  readonly #crc32: Crc32 | null
  readonly #kernel: RetainedKernel<PngKernel>

  /** `crc32`: the platform's, if it is fast; otherwise the kernel's. */
  constructor(module: WebAssembly.Module, crc32: Crc32 | null = null) {
    this.#crc32 = crc32
    this.#kernel = new RetainedKernel(() => new PngKernel(module))
  }

  /** A picture without a scene, with filters and a code chosen for it. Throws RangeError for bad sizes. */
  encode(picture: OpaquePixmap): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    const { filters, codes } = this.#kernel.run(kernel => {
      const filters = chooseFilters(kernel, picture)
      const counts = countRows(kernel, picture, filters, Math.ceil(picture.heightPx / SAMPLED_ROWS))
      return { filters, codes: fitDeflateCodes(counts) }
    })
    return this.encodeWithPlan(picture, filters, codes, [])
  }

  /** The file with these filters, code and spans: the bytes of `encodeMockup` if it chose that code. */
  encodeWithPlan(
    picture: OpaquePixmap,
    filters: Uint8Array,
    codes: DeflateCodes,
    spans: readonly DirtySpan[],
  ): Uint8Array<ArrayBuffer> {
    assertEncodable(picture)
    return this.#kernel.run(kernel => {
      kernel.setCodes(packDeflateCodes(codes))
      kernel.begin(picture, 0, picture.widthPx, 0)
      kernel.put(codes.header)
      forEachPart(kernel, picture, filters, spans, ({ row, from, to }) => {
        kernel.addToAdler(row, from, to)
        kernel.encode(from, to)
      })
      return this.#finish(kernel, codes, picture)
    })
  }

  #finish(kernel: PngKernel, codes: DeflateCodes, { widthPx, heightPx }: OpaquePixmap): Uint8Array<ArrayBuffer> {
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
    const spans = dirtySpans(frames, widthPx, heightPx)
    return this.#kernel.run(kernel => {
      const filters = chooseFilters(kernel, scene)
      const dirtyPx = new Uint32Array(heightPx)
      for (const { row, fromPx, toPx } of spans) dirtyPx[row] = (dirtyPx[row] ?? 0) + toPx - fromPx
      dirtyPx.forEach((px, row) => {
        if (2 * px > widthPx) filters[row] = ARTWORK_FILTER
      })

      kernel.begin(scene, 0, widthPx, 0)
      kernel.resetCounts()
      forEachPart(kernel, scene, filters, spans, ({ row, from, to, isDirty }) => {
        if (isDirty) return
        kernel.count(from, to)
        kernel.addToAdler(row, from, to)
      })
      const adler = kernel.adler
      const clean = kernel.counts

      const dirtyBytes = 3 * dirtyPx.reduce((sum, px) => sum + px, 0)
      const variants = residualRatios.map((ratio): CodedScene => {
        const codes = fitDeflateCodes(addArtwork(clean, ratio, dirtyBytes))
        const packedCodes = packDeflateCodes(codes)
        const spanBits = new Uint32Array(spans.length + 1)
        kernel.setCodes(packedCodes)
        kernel.begin(scene, 0, widthPx, 0)
        kernel.put(codes.header)
        forEachPart(kernel, scene, filters, spans, ({ from, to, span, isDirty }) => {
          if (isDirty) spanBits[span] = kernel.bitPosition
          else kernel.encode(from, to)
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
   * The file of a mockup, and the code that it uses. Outside the frames for which the scene was prepared,
   * `picture` equals the scene and is not read. Throws RangeError if the sizes differ.
   */
  encodeMockup(
    prepared: PreparedPngScene,
    picture: OpaquePixmap,
  ): { readonly bytes: Uint8Array<ArrayBuffer>; readonly codes: DeflateCodes } {
    assertEncodable(picture)
    assertSameSize(picture, prepared)
    const { filters, spans } = prepared
    return this.#kernel.run(kernel => {
      const { codes, packedCodes, bytes, spanBits } = chooseVariant(kernel, prepared, picture)
      kernel.setCodes(packedCodes)
      kernel.begin(picture, ...columnsOf(spans), bytes.length)
      kernel.setSource(bytes)
      kernel.adler = prepared.adler
      let done = 0
      spans.forEach(({ row, fromPx, toPx }, index) => {
        const at = spanBits[index] ?? 0
        kernel.append(done, at)
        done = at
        const from = 1 + 3 * fromPx
        const to = 1 + 3 * toPx
        kernel.filterPixels(row, filters[row] ?? 0, fromPx, toPx)
        kernel.addToAdler(row, from, to)
        kernel.encode(from, to)
      })
      kernel.append(done, spanBits[spans.length] ?? 0)
      return { bytes: this.#finish(kernel, codes, picture), codes }
    })
  }
}

/** Bytes [from, to) of a filtered row: a span that differs from the scene, or bytes between spans. */
type RowPart = {
  readonly row: number
  readonly from: number
  readonly to: number
  /** index of this span, or of the next one */
  readonly span: number
  readonly isDirty: boolean
}

/** Filters every row of the current picture and visits its parts in order. */
function forEachPart(
  kernel: PngKernel,
  { widthPx, heightPx }: OpaquePixmap,
  filters: Uint8Array,
  spans: readonly DirtySpan[],
  visit: (part: RowPart) => void,
): void {
  let span = 0
  for (let row = 0; row < heightPx; row++) {
    kernel.filterPixels(row, filters[row] ?? 0, 0, widthPx)
    let from = 0
    for (let next = spans[span]; next?.row === row; next = spans[++span]) {
      const dirtyFrom = 1 + 3 * next.fromPx
      const to = 1 + 3 * next.toPx
      visit({ row, from, to: dirtyFrom, span, isDirty: false })
      visit({ row, from: dirtyFrom, to, span, isDirty: true })
      from = to
    }
    visit({ row, from, to: 1 + 3 * widthPx, span, isDirty: false })
  }
}

/** Columns [fromPx, toPx) that contain all spans. */
function columnsOf(spans: readonly DirtySpan[]): readonly [fromPx: number, toPx: number] {
  let fromPx = Number.POSITIVE_INFINITY
  let toPx = 0
  for (const span of spans) {
    fromPx = Math.min(fromPx, span.fromPx)
    toPx = Math.max(toPx, span.toPx)
  }
  return [Math.min(fromPx, toPx), toPx]
}

function chooseFilters(kernel: PngKernel, picture: OpaquePixmap): Uint8Array {
  kernel.begin(picture, 0, picture.widthPx, 0)
  return Uint8Array.from({ length: picture.heightPx }, (_, row) => kernel.chooseFilter(row))
}

/** The scene's tokens plus `sizeBytes` of artwork whose residuals decay by this ratio. */
function addArtwork(scene: TokenCounts, ratio: number, sizeBytes: number): TokenCounts {
  const residuals = new Float64Array(256)
  let weight = 1
  for (let magnitude = 0; magnitude <= 128; magnitude++) {
    residuals[magnitude] = weight
    residuals[(256 - magnitude) & 255] = weight
    weight *= ratio
  }
  const factor = sizeBytes / residuals.reduce((sum, count) => sum + count, 0)
  return {
    literals: scene.literals.map((count, i) => count + factor * (residuals[i] ?? 0)),
    matches: scene.matches,
  }
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

/** The variant with the smallest file, estimated from a sample of the spans; the first if equal. */
function chooseVariant(kernel: PngKernel, prepared: PreparedPngScene, picture: OpaquePixmap): CodedScene {
  const { spans, filters, variants } = prepared
  const step = Math.max(1, Math.floor(spans.length / SAMPLED_ROWS))
  let spanPx = 0
  let sampledPx = 0
  kernel.begin(picture, ...columnsOf(spans), 0)
  kernel.resetCounts()
  spans.forEach(({ row, fromPx, toPx }, index) => {
    spanPx += toPx - fromPx
    if (index % step !== step >> 1) return
    sampledPx += toPx - fromPx
    kernel.filterPixels(row, filters[row] ?? 0, fromPx, toPx)
    kernel.count(1 + 3 * fromPx, 1 + 3 * toPx)
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
