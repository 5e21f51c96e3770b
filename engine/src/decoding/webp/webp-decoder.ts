import { freshMemory, type PixelMemory } from '../../reused-memory.ts'
import type { Size } from '../reduction/result-layout.ts'
import { RetainedDecoder, unwatched, type Watch } from '../retained-decoder.ts'
import type { Part } from '../shown-part.ts'
import { DecoderKernel } from './decoder-kernel.ts'
import { parseWebp } from './parse-webp.ts'
import { buildWebpLayout, type WebpLayout } from './webp-layout.ts'

/** RGBA, straight alpha. */
export type DecodedWebp = {
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
  /** position in the whole picture at its size */
  readonly part: Part
  /** whether all alpha is 255 */
  readonly isOpaque: boolean
}

/**
 * WebP decoder in WebAssembly: still pictures at any size down to 1/32. Apart from the file, it holds a few
 * rows at a time, and the backward references of lossless data (4 MiB). Declines animations and any doubt.
 * Does not apply profiles and orientation. Decodes one picture at a time.
 */
export class WebpDecoder {
  /** where pictures are written; the caller owns them and may return them */
  readonly memory: PixelMemory
  readonly #watch: Watch<WebpLayout>
  readonly #kernel: RetainedDecoder<DecoderKernel>

  constructor(module: WebAssembly.Module, memory: PixelMemory = freshMemory, watch: Watch<WebpLayout> = unwatched) {
    this.memory = memory
    this.#watch = watch
    this.#kernel = new RetainedDecoder(() => new DecoderKernel(watch.instantiate(module)))
  }

  /** Memory of the kernel between pictures. */
  get sizeBytes(): number {
    return this.#kernel.sizeBytes
  }

  /**
   * Reduces to `size` (null: unchanged), at most the picture's per side. All data is read and validated, but
   * only `part` (pixels of the result) is computed and returned; its pixels do not depend on it. The result
   * is in `memory`. Throws DeclinedError.
   */
  decode(bytes: Uint8Array, size: Size | null = null, part: Part | null = null): DecodedWebp {
    const webp = parseWebp(bytes)
    const layout = buildWebpLayout(webp, size ?? webp, part, this.#watch.gapBytes)
    const { data, isOpaque } = this.#kernel.decode(layout.end, kernel =>
      kernel.decode(webp, layout, this.memory, this.#watch.laidOut),
    )
    const widthPx = layout.part.right - layout.part.left
    const heightPx = layout.part.bottom - layout.part.top
    return { widthPx, heightPx, data, part: layout.part, isOpaque }
  }
}
