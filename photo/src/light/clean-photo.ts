import type { Rect } from '@vitrine/engine'
import { guidedFilters } from '../filters/guided-filter.ts'
import type { PhotoPixels } from '../photo-pixels.ts'

/** Three planes of one picture: red, green, blue. */
export type Planes = readonly [Float32Array, Float32Array, Float32Array]

/** The filter's window. */
const RADIUS_PX = 4

/** Avoids a division by 0. */
const LEAST_VARIANCE = 1e-9

/** A part of a photo as the values that its bytes have. */
export function cutPlanes({ widthPx, data }: PhotoPixels, rect: Rect, valueOf: Float32Array): Planes {
  const count = rect.widthPx * rect.heightPx
  const [red, green, blue] = [new Float32Array(count), new Float32Array(count), new Float32Array(count)]
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let from = ((rect.top + y) * widthPx + rect.left) * 3
    for (let x = 0; x < rect.widthPx; x++, i++, from += 3) {
      red[i] = valueOf[data[from] ?? 0] ?? 0
      green[i] = valueOf[data[from + 1] ?? 0] ?? 0
      blue[i] = valueOf[data[from + 2] ?? 0] ?? 0
    }
  }
  return [red, green, blue]
}

/**
 * Removes noise from encoded values, in which it is even: the inverse of a shoulder or a division by black
 * would amplify it. `strength`: in standard deviations of the noise.
 */
export function cleanPlanes(planes: Planes, rect: Rect, weights: Float32Array, strength: number): Planes {
  const [red, green, blue] = planes
  const noise = measureNoise(green, weights, rect)
  const guide = new Float32Array(green.length)
  for (let i = 0; i < guide.length; i++) guide[i] = ((red[i] ?? 0) + (green[i] ?? 0) + (blue[i] ?? 0)) / 3
  const epsilon = (strength * noise) ** 2 + LEAST_VARIANCE
  const [r = red, g = green, b = blue] = guidedFilters(guide, planes, rect.widthPx, rect.heightPx, RADIUS_PX, epsilon)
  return [r, g, b]
}

/** Values that the sensor did not clip. */
const LEAST_VALUE = 0.01
const GREATEST_VALUE = 0.985

/** The median of the absolute values of a standard normal distribution. */
const MEDIAN_DEVIATION = 0.6745

/** Bins of the histogram, over 0..1. */
const BINS = 65_536

/**
 * The standard deviation of noise in encoded values, by the median of a Laplacian that ignores linear
 * ramps (J. Immerkaer, Fast Noise Variance Estimation, 1996).
 */
export function measureNoise(plane: Float32Array, weights: Float32Array, { widthPx, heightPx }: Rect): number {
  const histogram = new Uint32Array(BINS)
  let count = 0
  const at = (i: number): number => plane[i] ?? 0
  for (let y = 1; y < heightPx - 1; y += 2) {
    for (let x = 1; x < widthPx - 1; x += 2) {
      const i = y * widthPx + x
      if ((weights[i] ?? 0) <= 0.99 || at(i) >= GREATEST_VALUE || at(i) <= LEAST_VALUE) continue
      const [above, below] = [i - widthPx, i + widthPx]
      const corners = at(above - 1) + at(above + 1) + at(below - 1) + at(below + 1)
      const sides = at(above) + at(below) + at(i - 1) + at(i + 1)
      const laplacian = Math.abs(corners - 2 * sides + 4 * at(i)) / 6
      const bin = Math.min(BINS - 1, Math.floor(laplacian * BINS))
      histogram[bin] = (histogram[bin] ?? 0) + 1
      count++
    }
  }
  let [bin, below] = [0, 0]
  while (bin < BINS && below + (histogram[bin] ?? 0) <= count / 2) below += histogram[bin++] ?? 0
  return count === 0 ? 0 : (bin + 0.5) / BINS / MEDIAN_DEVIATION
}
