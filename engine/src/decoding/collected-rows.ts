import type { PixelMemory } from '../reused-memory.ts'
import type { Part } from './shown-part.ts'

type Wanted = { readonly part: Part; readonly outStrideBytes: number }

/** Collects the pixels from the memory that the kernel hands rows over in. */
export class CollectedRows {
  readonly #memory: PixelMemory
  readonly #sizeBytes: number
  /** taken with the first rows, which most files that are declined never have */
  #data: Uint8Array | null = null
  #filled = 0

  constructor({ part, outStrideBytes }: Wanted, memory: PixelMemory) {
    this.#memory = memory
    this.#sizeBytes = outStrideBytes * (part.bottom - part.top)
  }

  add(rows: Uint8Array): void {
    this.#data ??= this.#memory.take(this.#sizeBytes)
    this.#data.set(rows, this.#filled)
    this.#filled += rows.length
  }

  /** The whole part. Checks that every byte was written: reused memory holds another picture's pixels. */
  all(): Uint8Array {
    if (this.#data === null || this.#filled !== this.#sizeBytes)
      throw new Error('The kernel wrote another number of rows than was wanted.')
    return this.#data
  }

  giveBack(): void {
    if (this.#data) this.#memory.giveBack(this.#data)
  }
}
