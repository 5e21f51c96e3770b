import { freshMemory, type PixelMemory } from '../../reused-memory.ts'
import type { Size } from '../reduction/result-layout.ts'
import { RetainedDecoder, unwatched, type Watch } from '../retained-decoder.ts'
import type { Part } from '../shown-part.ts'
import { DecoderKernel } from './decoder-kernel.ts'
import { deinterlace } from './deinterlace.ts'
import { type Checksum, parsePng } from './parse-png.ts'
import { buildPngLayout, type PngLayout } from './png-layout.ts'

/** RGBA, straight alpha. */
export type DecodedPng = {
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
  /** position in the whole picture at its size */
  readonly part: Part
  /** whether every pixel's alpha is 255 */
  readonly isOpaque: boolean
}

/**
 * PNG decoder in WebAssembly: all colour types and depths, at any size down to 1/32. It holds a few rows at a
 * time; for interlaced pictures all of them. Declines anything else and any doubt. Does not apply colour
 * profiles and orientation. Decodes one picture at a time.
 */
export class PngDecoder {
  /** where pictures are written; the caller owns them and may return them */
  readonly memory: PixelMemory
  readonly #checksum: Checksum
  readonly #watch: Watch<PngLayout>
  readonly #kernel: RetainedDecoder<DecoderKernel>

  constructor(
    module: WebAssembly.Module,
    checksum: Checksum,
    memory: PixelMemory = freshMemory,
    watch: Watch<PngLayout> = unwatched,
  ) {
    this.memory = memory
    this.#checksum = checksum
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
  decode(bytes: Uint8Array, size: Size | null = null, part: Part | null = null): DecodedPng {
    const parsed = parsePng(bytes, this.#checksum)
    const png = parsed.isInterlaced ? deinterlace(parsed, this.#checksum) : parsed
    const layout = buildPngLayout(png, size ?? png, part, this.#watch.gapBytes)
    const { data, isOpaque } = this.#kernel.decode(layout.end, kernel =>
      kernel.decode(png, layout, this.memory, this.#watch.laidOut),
    )
    return {
      widthPx: layout.part.right - layout.part.left,
      heightPx: layout.part.bottom - layout.part.top,
      data,
      part: layout.part,
      isOpaque,
    }
  }
}
