/**
 * Where a decoder writes its pixels. Fresh memory costs half a millisecond a MB and more; used memory costs
 * nothing.
 */
export type PixelMemory = {
  /** So many bytes that nothing else uses. They hold anything: write every one, or give them back. */
  take(sizeBytes: number): Uint8Array<ArrayBuffer>
  /**
   * Ends the use of what was taken, by everybody: these bytes, and every other view of them, have length 0
   * from now on. Bytes that did not come from here are left as they are.
   */
  giveBack(bytes: Uint8Array): void
}

/** Memory as the platform gives it, and takes it back when nothing holds it. */
export const freshMemory: PixelMemory = { take: sizeBytes => new Uint8Array(sizeBytes), giveBack: () => {} }

/** Less than this comes from the allocator's own stock, which is reused without us. */
const LEAST_REUSED_BYTES = 256 * 1024

/** Sizes are rounded up to an eighth of the power of two below, so that buffers fit similar sizes. */
const STEPS_PER_DOUBLING = 8

/** A buffer serves sizes down to this share of it: a small picture must not occupy a large one's memory. */
const LEAST_SHARE_USED = 0.6

/** How much memory waits for its next use, at most. */
export type IdleBounds = { readonly maxBytes: number; readonly maxCount: number }

/**
 * Memory that is used again. Giving back detaches the buffer and keeps its pages under a new one: no earlier
 * view can see what is written later, so no customer's pixels show in another's mockup.
 */
export class ReusedMemory implements PixelMemory {
  readonly #bounds: IdleBounds
  /** The longest idle one first. */
  #idle: ArrayBuffer[] = []
  readonly #taken = new WeakSet<ArrayBufferLike>()

  constructor(bounds: IdleBounds) {
    this.#bounds = bounds
  }

  /** Bytes that wait for their next use. */
  get idleBytes(): number {
    return this.#idle.reduce((sum, buffer) => sum + buffer.byteLength, 0)
  }

  take(sizeBytes: number): Uint8Array<ArrayBuffer> {
    if (sizeBytes < LEAST_REUSED_BYTES) return new Uint8Array(sizeBytes)
    const fitting = this.#idle.filter(
      ({ byteLength }) => byteLength >= sizeBytes && byteLength * LEAST_SHARE_USED <= sizeBytes,
    )
    const smallest = Math.min(...fitting.map(({ byteLength }) => byteLength))
    // of equal ones the last that was used, which the processor's cache may still have
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
