/** Memory that an idle kernel may retain; after a larger job it is released. */
const RETAINED_BYTES = 64 * 1024 * 1024

/** A kernel that is created on first use and reused while its memory is small. One job at a time. */
export class RetainedKernel<Kernel extends { readonly memoryBytes: number }> {
  readonly #start: () => Kernel
  #kernel: Kernel | null = null

  constructor(start: () => Kernel) {
    this.#start = start
  }

  run<T>(work: (kernel: Kernel) => T): T {
    const kernel = this.#kernel ?? this.#start()
    // Restored only on success: a kernel whose memory could not grow is dropped.
    this.#kernel = null
    const result = work(kernel)
    if (kernel.memoryBytes <= RETAINED_BYTES) this.#kernel = kernel
    return result
  }
}
