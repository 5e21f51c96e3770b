import { roundWeights } from '../../sampling/round-weights.ts'

/**
 * How an axis is reduced. Each output pixel is a tent over the source, from its centre to the centres of its
 * neighbours, so each source pixel contributes to the two output pixels around it. Then it is sharpened by
 * SHARPENING; together, they pass about the same frequencies as Catmull-Rom.
 */
export type AxisPlan = {
  readonly sourcePx: number
  readonly outPx: number
  /** by source pixel: the first of its two output pixels, -1 before the first one's centre */
  readonly falls: Int32Array
  /** by output pixel: its first source pixel, and the number of them */
  readonly firsts: Int32Array
  readonly counts: Int32Array
  /** by output pixel `mostTaps` weights, which sum to 32768 (32767 if there is a single one) */
  readonly weights: Int16Array
  readonly mostTaps: number
}

/** Weights are fractions of this. */
export const WHOLE = 32_768

/**
 * -k, 1 + 2k, -k with k = 0.1, of 32768: compensates for the tent up to the frame's density
 * (docs/decisions/decoding.md).
 */
export const SHARPENING = 3277

/** Tolerance for rounding when finding the neighbouring output pixels. */
const ROUNDING = 1e-9

/** Reduces `sourcePx` pixels to `outPx`, at most as many. Equal numbers leave the axis unchanged. */
export function planAxis(sourcePx: number, outPx: number): AxisPlan {
  const ratio = sourcePx / outPx
  const mostTaps = outPx === sourcePx ? 1 : Math.ceil(2 * ratio) + 1
  const falls = new Int32Array(sourcePx)
  const firsts = new Int32Array(outPx).fill(-1)
  const counts = new Int32Array(outPx)
  const shares = new Float64Array(outPx * mostTaps)
  const add = (out: number, source: number, share: number): void => {
    if (out < 0 || out >= outPx || share <= ROUNDING) return
    if ((firsts[out] ?? 0) < 0) firsts[out] = source
    const tap = source - (firsts[out] ?? 0)
    shares[out * mostTaps + tap] = share
    counts[out] = tap + 1
  }
  for (let source = 0; source < sourcePx; source++) {
    const place = (source + 0.5) / ratio - 0.5
    const out = Math.floor(place + ROUNDING)
    const rest = Math.max(0, place - out)
    falls[source] = out
    add(out, source, 1 - rest)
    add(out + 1, source, rest)
  }
  const weights = new Int16Array(outPx * mostTaps)
  for (let out = 0; out < outPx; out++) {
    const from = out * mostTaps
    roundWeights(shares.subarray(from, from + mostTaps), WHOLE, WHOLE - 1, weights.subarray(from, from + mostTaps))
  }
  return { sourcePx, outPx, falls, firsts, counts, weights, mostTaps }
}
