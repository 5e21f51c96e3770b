import { KernelInstance } from '../webassembly/kernel-instance.ts'
import { DeclinedError } from './declined.ts'

/** Pictures that need more are left to the general decoder: a 1 MB file can declare 81 megapixels. */
const MAX_MEMORY_BYTES = 192 * 1024 * 1024

/** A kernel that grew beyond this is not retained: its memory never shrinks. Files of 40 MB fit. */
const MAX_RETAINED_BYTES = 96 * 1024 * 1024

/** Instrumentation for engine/fuzz. Results do not depend on it. */
export type Watch<Layout> = {
  /** unused bytes between the regions of memory */
  readonly gapBytes: number
  readonly instantiate: (module: WebAssembly.Module) => KernelInstance
  /** called once the memory is allocated, before it contains anything of the picture */
  readonly laidOut: (layout: Layout) => void
}

export const unwatched: Watch<unknown> = {
  gapBytes: 0,
  instantiate: module => new KernelInstance(module),
  laidOut: () => {},
}

/** A decoder's kernel, for one picture after another, in bounded memory. */
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
   * Decodes a picture that needs this much memory, including the result if the kernel holds it. @throws
   * DeclinedError if that is too much
   */
  decode<Decoded>(memoryBytes: number, decode: (kernel: Kernel) => Decoded): Decoded {
    if (memoryBytes > MAX_MEMORY_BYTES)
      throw new DeclinedError('too-large', `${memoryBytes} bytes of memory are too many.`)
    const kernel = this.#kernel ?? this.#open()
    // Not retained while it works: a kernel that failed is never used again.
    this.#kernel = null
    const decoded = decode(kernel)
    if (kernel.sizeBytes <= MAX_RETAINED_BYTES) this.#kernel = kernel
    return decoded
  }
}
