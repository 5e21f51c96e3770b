import { freshMemory, type PixelMemory } from '../../reused-memory.ts'
import { KernelInstance } from '../../webassembly/kernel-instance.ts'
import { DeclinedError } from '../declined.ts'
import type { Size } from '../reduction/result-layout.ts'
import type { Part } from '../shown-part.ts'
import { DecoderKernel } from './decoder-kernel.ts'
import { parseWebp } from './parse-webp.ts'
import { buildWebpLayout, type WebpLayout } from './webp-layout.ts'

/** RGBA, straight alpha. */
export type DecodedWebp = {
  readonly widthPx: number
  readonly heightPx: number
  readonly data: Uint8Array
  /** position on the whole picture at its size */
  readonly part: Part
  /** whether all of it has alpha 255 */
  readonly isOpaque: boolean
}

/** A picture that needs more goes to the general decoder. */
const MAX_MEMORY_BYTES = 192 * 1024 * 1024

/** An instance that grew beyond this is not kept: memory never shrinks. */
const MAX_KEPT_BYTES = 96 * 1024 * 1024

/** Instrumentation for engine/fuzz. Results do not depend on it. */
export type Watch = {
  /** unused bytes between the regions of memory */
  readonly gapBytes: number
  readonly instantiate: (module: WebAssembly.Module) => KernelInstance
  /** called when the memory is there and nothing of the picture is in it yet */
  readonly laidOut: (layout: WebpLayout) => void
}

const unwatched: Watch = { gapBytes: 0, instantiate: module => new KernelInstance(module), laidOut: () => {} }

/**
 * WebP decoder in WebAssembly: still pictures at any size down to a 32nd. Beside the file it holds a few rows
 * at a time, and what lossless data refers back to (4 MiB). Declines animations and any doubt. Profiles and
 * orientation are not applied. One picture at a time.
 */
export class WebpDecoder {
  /** where pictures are written; the caller owns them and may give them back */
  readonly memory: PixelMemory
  readonly #module: WebAssembly.Module
  readonly #watch: Watch
  #kernel: DecoderKernel | null = null

  constructor(module: WebAssembly.Module, memory: PixelMemory = freshMemory, watch: Watch = unwatched) {
    this.memory = memory
    this.#module = module
    this.#watch = watch
  }

  /** Memory of the kernel. */
  get sizeBytes(): number {
    return this.#kernel?.sizeBytes ?? 0
  }

  /**
   * Reduces to `size` (null: as it is), each side at most the picture's. All data is read and judged, but
   * only `part` (pixels of the result, within it) is computed and returned; these pixels are the same with
   * and without. The result lies in `memory`. Throws DeclinedError.
   */
  decode(bytes: Uint8Array, size: Size | null = null, part: Part | null = null): DecodedWebp {
    const webp = parseWebp(bytes)
    const layout = buildWebpLayout(webp, size ?? webp, part, this.#watch.gapBytes)
    const widthPx = layout.part.right - layout.part.left
    const heightPx = layout.part.bottom - layout.part.top
    if (layout.end > MAX_MEMORY_BYTES) throw new DeclinedError('too-large', `${layout.end} bytes are too many.`)
    this.#kernel ??= new DecoderKernel(this.#watch.instantiate(this.#module))
    const kernel = this.#kernel
    // Not kept while it works: an instance that failed never sees another picture.
    this.#kernel = null
    const { data, isOpaque } = kernel.decode(webp, layout, this.memory, this.#watch.laidOut)
    if (kernel.sizeBytes <= MAX_KEPT_BYTES) this.#kernel = kernel
    return { widthPx, heightPx, data, part: layout.part, isOpaque }
  }
}
