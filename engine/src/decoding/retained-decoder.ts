import { KernelInstance } from '../webassembly/kernel-instance.ts'
import { DeclinedError } from './declined.ts'

/** A picture that needs more goes to the general decoder: a 1 MB file can claim 81 megapixels. */
const MAX_MEMORY_BYTES = 192 * 1024 * 1024

/** A kernel that grew beyond this is not retained: memory never shrinks. Files of 40 MB fit. */
const MAX_RETAINED_BYTES = 96 * 1024 * 1024

/** Instrumentation for engine/fuzz. Results do not depend on it. */
export type Watch<Layout> = {
  /** unused bytes between the regions of memory */
  readonly gapBytes: number
  readonly instantiate: (module: WebAssembly.Module) => KernelInstance
  /** called when the memory is there and nothing of the picture is in it yet */
  readonly laidOut: (layout: Layout) => void
}

export const unwatched: Watch<unknown> = {
  gapBytes: 0,
  instantiate: module => new KernelInstance(module),
  laidOut: () => {},
}

/** The kernel of a decoder, for one picture after the other, in bounded memory. */
export class RetainedDecoder<Kernel extends { readonly sizeBytes: number }> {
  readonly #open: () => Kernel
  #kernel: Kernel | null = null

  constructor(open: () => Kernel) {
    this.#open = open
  }

  /** Memory of the kernel between pictures. */
  get sizeBytes(): number {
    return this.#kernel?.sizeBytes ?? 0
  }

  /**
   * Decodes a picture for which so much memory is needed, its result included where the kernel holds it.
   * @throws DeclinedError where that is too much
   */
  decode<Decoded>(memoryBytes: number, decode: (kernel: Kernel) => Decoded): Decoded {
    if (memoryBytes > MAX_MEMORY_BYTES)
      throw new DeclinedError('too-large', `${memoryBytes} bytes of memory are too many.`)
    const kernel = this.#kernel ?? this.#open()
    // Not retained while it works: a kernel that failed never sees another picture.
    this.#kernel = null
    const decoded = decode(kernel)
    if (kernel.sizeBytes <= MAX_RETAINED_BYTES) this.#kernel = kernel
    return decoded
  }
}
