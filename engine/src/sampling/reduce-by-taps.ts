import {
  REDUCTION_BETWEEN_BITS as BETWEEN_BITS,
  REDUCTION_WEIGHT_BITS as WEIGHT_BITS,
} from '../../kernels/assembly/frame/constants.ts'
import type { DecodedArtwork } from '../codec.ts'
import { type Extension, findTexelBefore } from './extend-texture.ts'
import { LOBES, lanczos3 } from './lanczos3.ts'
import { premultiplyPixels } from './premultiply.ts'
import { roundWeights } from './round-weights.ts'

/** For each output texel along an axis: its first source texel and its weights. */
export type Taps = {
  readonly sizePx: number
  readonly outPx: number
  /** per output texel; even, because the kernel processes two at once */
  readonly count: number
  /** may lie outside the source, which is extended there */
  readonly firsts: Int32Array
  /** `count` per output texel, summing to exactly 1 */
  readonly weights: Int16Array
}

/**
 * Filters artwork vertically, then horizontally: premultiplied RGBA, extended by `extension` at its edges. In
 * integers, so that the kernel gives the same bytes.
 */
export type ReduceTaps = (artwork: DecodedArtwork, across: Taps, down: Taps, extension: Extension) => Uint8Array

export function planTaps(sizePx: number, outPx: number): Taps {
  const ratio = sizePx / outPx
  const stretch = Math.max(1, ratio)
  const reach = LOBES * stretch
  const count = 2 * Math.ceil(reach + 0.5)
  const firsts = new Int32Array(outPx)
  const weights = new Int16Array(outPx * count)
  for (let out = 0; out < outPx; out++) {
    const centre = (out + 0.5) * ratio - 0.5
    const first = Math.ceil(centre - reach)
    firsts[out] = first
    const exact = Float64Array.from({ length: count }, (_, tap) => lanczos3((first + tap - centre) / stretch))
    roundWeights(exact, 1 << WEIGHT_BITS, Infinity, weights.subarray(out * count, (out + 1) * count))
  }
  return { sizePx, outPx, count, firsts, weights }
}

/** The source texel of an index, which may lie outside. */
export function findTexel(extension: Extension, sizePx: number, index: number): number {
  if (index < 0) return findTexelBefore(extension, sizePx, -1 - index)
  return index < sizePx ? index : sizePx - 1 - findTexelBefore(extension, sizePx, index - sizePx)
}

/** The reference implementation. */
export const reduceByTaps: ReduceTaps = ({ widthPx, data, isOpaque }, across, down, extension) => {
  const source = isOpaque ? data : new Uint8Array(data)
  if (!isOpaque) premultiplyPixels(source, 0, source.length)
  const columns = Int32Array.from({ length: across.outPx * across.count }, (_, tap) => {
    const first = across.firsts[Math.floor(tap / across.count)] ?? 0
    return findTexel(extension, across.sizePx, first + (tap % across.count)) * 4
  })
  const result = new Uint8Array(across.outPx * down.outPx * 4)
  const sums = new Int32Array(widthPx * 4)
  const row = new Int16Array(widthPx * 4)
  for (let y = 0; y < down.outPx; y++) {
    sums.fill(1 << (WEIGHT_BITS - BETWEEN_BITS - 1))
    for (let tap = 0; tap < down.count; tap++) {
      const weight = down.weights[y * down.count + tap] ?? 0
      if (weight === 0) continue
      const from = findTexel(extension, down.sizePx, (down.firsts[y] ?? 0) + tap) * sums.length
      for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (source[from + i] ?? 0) * weight
    }
    for (let i = 0; i < row.length; i++) row[i] = toShort((sums[i] ?? 0) >> (WEIGHT_BITS - BETWEEN_BITS))
    reduceRow(row, across, columns, result, y * across.outPx * 4)
  }
  return result
}

function reduceRow(row: Int16Array, across: Taps, columns: Int32Array, result: Uint8Array, to: number): void {
  const half = 1 << (WEIGHT_BITS + BETWEEN_BITS - 1)
  for (let x = 0, tap = 0; x < across.outPx; x++) {
    let [red, green, blue, alpha] = [half, half, half, half]
    for (const end = tap + across.count; tap < end; tap++) {
      const weight = across.weights[tap] ?? 0
      const from = columns[tap] ?? 0
      red += (row[from] ?? 0) * weight
      green += (row[from + 1] ?? 0) * weight
      blue += (row[from + 2] ?? 0) * weight
      alpha += (row[from + 3] ?? 0) * weight
    }
    result[to + x * 4] = toByte(red)
    result[to + x * 4 + 1] = toByte(green)
    result[to + x * 4 + 2] = toByte(blue)
    result[to + x * 4 + 3] = toByte(alpha)
  }
}

function toShort(value: number): number {
  return Math.max(-32768, Math.min(32767, value))
}

function toByte(sum: number): number {
  return Math.max(0, Math.min(255, sum >> (WEIGHT_BITS + BETWEEN_BITS)))
}
