import { SLACK_BYTES } from '../../kernels/assembly/frame/layout.ts'
import type { DecodedArtwork } from '../codec.ts'
import type { Extension } from '../sampling/extend-texture.ts'
import { findTexel, reduceByTaps, type Taps } from '../sampling/reduce-by-taps.ts'
import { alignAddress as align } from '../webassembly/align-address.ts'
import type { KernelInstance } from '../webassembly/kernel-instance.ts'

/** Larger artwork is left to the reference implementation: a kernel's memory never shrinks. */
const GREATEST_BYTES = 96 * 1024 * 1024

/** Bytes of a texel between the two passes. */
const BETWEEN_TEXEL_BYTES = 8

/** Reduces repeated artwork in the frame kernel's memory: like `reduceByTaps`, byte for byte. */
export class TileReducer {
  readonly #instance: KernelInstance
  readonly #takeMemory: () => number
  readonly #premultiply
  readonly #reduceDown
  readonly #continueRow
  readonly #reduceAcross

  /** `takeMemory` returns the address from which all memory is free until the call ends. */
  constructor(instance: KernelInstance, takeMemory: () => number) {
    this.#instance = instance
    this.#takeMemory = takeMemory
    this.#premultiply = instance.function('premultiply')
    this.#reduceDown = instance.function('reduceDown')
    this.#continueRow = instance.function('continueRow')
    this.#reduceAcross = instance.function('reduceAcross')
  }

  reduce(artwork: DecodedArtwork, across: Taps, down: Taps, extension: Extension): Uint8Array {
    if (artwork.data.length > GREATEST_BYTES) return reduceByTaps(artwork, across, down, extension)
    const { widthPx, heightPx } = artwork
    const reach = findReach(across)
    // Rows are padded by one cache line, so that those of a tap do not fall into the same cache set.
    const strideBytes = align(widthPx * 4) + 64
    let end = align(this.#takeMemory())
    const take = (sizeBytes: number): number => {
      const address = end
      end = align(end + sizeBytes + SLACK_BYTES)
      return address
    }
    const at = {
      artwork: take(strideBytes * heightPx),
      sources: take(down.outPx * down.count * 4),
      downWeights: take(down.weights.byteLength),
      firsts: take(across.firsts.byteLength),
      acrossWeights: take(across.weights.byteLength),
      row: take((widthPx + 2 * reach) * BETWEEN_TEXEL_BYTES),
      result: take(across.outPx * down.outPx * 4),
    }
    this.#instance.reserve(end)
    const { bytes } = this.#instance
    for (let y = 0; y < heightPx; y++) {
      const to = at.artwork + y * strideBytes
      bytes.set(artwork.data.subarray(y * widthPx * 4, (y + 1) * widthPx * 4), to)
      if (!artwork.isOpaque) this.#premultiply(to, widthPx)
    }
    const sources = new Uint32Array(bytes.buffer, at.sources, down.outPx * down.count)
    for (let tap = 0; tap < sources.length; tap++) {
      const index = (down.firsts[Math.floor(tap / down.count)] ?? 0) + (tap % down.count)
      sources[tap] = at.artwork + findTexel(extension, heightPx, index) * strideBytes
    }
    new Int16Array(bytes.buffer, at.downWeights, down.weights.length).set(down.weights)
    new Int32Array(bytes.buffer, at.firsts, across.firsts.length).set(across.firsts)
    new Int16Array(bytes.buffer, at.acrossWeights, across.weights.length).set(across.weights)
    const first = at.row + reach * BETWEEN_TEXEL_BYTES
    for (let y = 0; y < down.outPx; y++) {
      const tap = y * down.count
      this.#reduceDown(at.sources + tap * 4, at.downWeights + tap * 2, down.count / 2, widthPx * 4, first)
      this.#continueRow(first, widthPx, reach, extension)
      const to = at.result + y * across.outPx * 4
      this.#reduceAcross(first, at.firsts, at.acrossWeights, across.count / 2, across.outPx, to)
    }
    return bytes.slice(at.result, at.result + across.outPx * down.outPx * 4)
  }
}

/** How far taps reach beyond either end of the source. */
function findReach({ sizePx, count, firsts }: Taps): number {
  const before = -(firsts[0] ?? 0)
  const after = (firsts.at(-1) ?? 0) + count - sizePx
  return Math.max(0, before, after)
}
