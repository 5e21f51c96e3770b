import type { PixelMemory } from '../reused-memory.ts'
import type { Part } from './shown-part.ts'

type Wanted = { readonly part: Part; readonly outStrideBytes: number }

/** Collects pixels from the memory in which the kernel hands over rows. */
export class CollectedRows {
  readonly #memory: PixelMemory
  readonly #sizeBytes: number
  /** allocated with the first rows, which most declined files never have */
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

  /** All rows. Checks that every byte was written: reused memory contains another picture's pixels. */
  all(): Uint8Array {
    if (this.#data === null || this.#filled !== this.#sizeBytes)
      throw new Error('The kernel wrote another number of rows than was wanted.')
    return this.#data
  }

  giveBack(): void {
    if (this.#data) this.#memory.giveBack(this.#data)
  }
}
