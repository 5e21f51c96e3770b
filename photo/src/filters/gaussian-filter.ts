import { boxFilter } from './box-filter.ts'

/** A Gaussian by three box filters; of a standard deviation from about 0.8 px on. */
export function gaussianFilter(from: Float32Array, widthPx: number, heightPx: number, sigmaPx: number): Float32Array {
  const radiusPx = gaussianRadius(sigmaPx)
  return smoothByBoxes(from, widthPx, heightPx, [radiusPx, radiusPx, radiusPx])
}

/** Of each box of a Gaussian. */
export function gaussianRadius(sigmaPx: number): number {
  return Math.max(1, Math.round((Math.sqrt(4 * sigmaPx * sigmaPx + 1) - 1) / 2))
}

export function smoothByBoxes(
  from: Float32Array,
  widthPx: number,
  heightPx: number,
  [first, second, third]: readonly [number, number, number],
): Float32Array {
  const [once, rows] = [new Float32Array(from.length), new Float32Array(from.length)]
  boxFilter(from, widthPx, heightPx, first, once, rows)
  boxFilter(once, widthPx, heightPx, second, once, rows)
  return boxFilter(once, widthPx, heightPx, third, once, rows)
}

/** Weights below this are noise of the sums. */
const LEAST_WEIGHT = 1e-4

/** A Gaussian in which values count by their weight: what lies outside a mask does not. */
export function gaussianFilterWithin(
  weights: Float32Array,
  widthPx: number,
  heightPx: number,
  sigmaPx: number,
): (from: Float32Array) => Float32Array {
  const totals = gaussianFilter(weights, widthPx, heightPx, sigmaPx)
  return from => {
    const weighted = new Float32Array(from.length)
    for (let i = 0; i < from.length; i++) weighted[i] = (from[i] ?? 0) * (weights[i] ?? 0)
    const sums = gaussianFilter(weighted, widthPx, heightPx, sigmaPx)
    for (let i = 0; i < sums.length; i++) {
      const total = totals[i] ?? 0
      sums[i] = total > LEAST_WEIGHT ? (sums[i] ?? 0) / total : (from[i] ?? 0)
    }
    return sums
  }
}
