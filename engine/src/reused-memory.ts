/** Memory for decoded pixels. Fresh memory costs 0.5 ms per MB and more on first use, reused none. */
export type PixelMemory = {
  /** Bytes that nobody else uses, with arbitrary content: the caller writes every one, or returns them. */
  take(sizeBytes: number): Uint8Array<ArrayBuffer>
  /** Ends the use of taken bytes: every view of them has length 0 afterwards. Ignores other bytes. */
  giveBack(bytes: Uint8Array): void
}

/** Fresh memory, freed by the garbage collector. */
export const freshMemory: PixelMemory = { take: sizeBytes => new Uint8Array(sizeBytes), giveBack: () => {} }

/** Smaller sizes come from the allocator, which reuses them by itself. */
const LEAST_REUSED_BYTES = 256 * 1024

/** Sizes are rounded up to an eighth of the power of two below, so that similar sizes share buffers. */
const STEPS_PER_DOUBLING = 8

/** A buffer is used for sizes down to this share of it: small pictures must not occupy large buffers. */
const LEAST_SHARE_USED = 0.6

/** Maximum of idle memory. */
export type IdleBounds = { readonly maxBytes: number; readonly maxCount: number }

/**
 * Memory that is reused. Returning bytes detaches the buffer and moves its pages to a new one, so that no old
 * view can see another customer's pixels.
 */
export class ReusedMemory implements PixelMemory {
  readonly #bounds: IdleBounds
  /** longest idle first */
  #idle: ArrayBuffer[] = []
  readonly #taken = new WeakSet<ArrayBufferLike>()

  constructor(bounds: IdleBounds) {
    this.#bounds = bounds
  }

  get idleBytes(): number {
    return this.#idle.reduce((sum, buffer) => sum + buffer.byteLength, 0)
  }

  take(sizeBytes: number): Uint8Array<ArrayBuffer> {
    if (sizeBytes < LEAST_REUSED_BYTES) return new Uint8Array(sizeBytes)
    const fitting = this.#idle.filter(
      ({ byteLength }) => byteLength >= sizeBytes && byteLength * LEAST_SHARE_USED <= sizeBytes,
    )
    const smallest = Math.min(...fitting.map(({ byteLength }) => byteLength))
    // of equal ones the last used, which may still be in the processor's cache
    const found = fitting.findLast(({ byteLength }) => byteLength === smallest)
    if (found) this.#idle = this.#idle.filter(buffer => buffer !== found)
    const buffer = found ?? new ArrayBuffer(roundUp(sizeBytes))
    this.#taken.add(buffer)
    return new Uint8Array(buffer, 0, sizeBytes)
  }

  giveBack({ buffer }: Uint8Array): void {
    if (!(buffer instanceof ArrayBuffer) || !this.#taken.delete(buffer)) return
    this.#idle.push(buffer.transfer())
    while (this.#idle.length > this.#bounds.maxCount || this.idleBytes > this.#bounds.maxBytes) this.#idle.shift()
  }
}

function roundUp(sizeBytes: number): number {
  const step = 2 ** Math.floor(Math.log2(sizeBytes)) / STEPS_PER_DOUBLING
  return Math.ceil(sizeBytes / step) * step
}
