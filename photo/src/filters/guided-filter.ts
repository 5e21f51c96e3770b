import { boxFilter } from './box-filter.ts'

/**
 * The guided filter (He, Sun & Tang 2010): smooths a plane where the guide is flat, and follows its edges.
 * `epsilon` is the variance of the guide below which it is taken for flat.
 */
export function guidedFilter(
  guide: Float32Array,
  from: Float32Array,
  widthPx: number,
  heightPx: number,
  radiusPx: number,
  epsilon: number,
): Float32Array {
  return guidedFilters(guide, [from], widthPx, heightPx, radiusPx, epsilon)[0] ?? from
}

/** The same for several planes with one guide, whose means are computed once. */
export function guidedFilters(
  guide: Float32Array,
  planes: readonly Float32Array[],
  widthPx: number,
  heightPx: number,
  radiusPx: number,
  epsilon: number,
): Float32Array[] {
  const mean = (plane: Float32Array, to?: Float32Array): Float32Array =>
    boxFilter(plane, widthPx, heightPx, radiusPx, to)
  const guideMean = mean(guide)
  const square = new Float32Array(guide.length)
  for (let i = 0; i < square.length; i++) square[i] = (guide[i] ?? 0) ** 2
  const spread = mean(square, square)
  for (let i = 0; i < spread.length; i++) spread[i] = (spread[i] ?? 0) - (guideMean[i] ?? 0) ** 2 + epsilon
  return planes.map(plane => {
    const offset = mean(plane)
    const slope = new Float32Array(guide.length)
    for (let i = 0; i < slope.length; i++) slope[i] = (guide[i] ?? 0) * (plane[i] ?? 0)
    mean(slope, slope)
    for (let i = 0; i < slope.length; i++) {
      const s = ((slope[i] ?? 0) - (guideMean[i] ?? 0) * (offset[i] ?? 0)) / (spread[i] ?? 1)
      slope[i] = s
      offset[i] = (offset[i] ?? 0) - s * (guideMean[i] ?? 0)
    }
    mean(slope, slope)
    mean(offset, offset)
    for (let i = 0; i < slope.length; i++) offset[i] = (slope[i] ?? 0) * (guide[i] ?? 0) + (offset[i] ?? 0)
    return offset
  })
}
