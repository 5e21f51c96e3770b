import { solveLinear } from '../numerics/solve-linear.ts'
import type { ColorPlanes } from './color-mixture.ts'

/** The colours of a side with fewer pixels are not used. */
const LEAST_PIXELS = 20

/** Added to the variances of features, which are 0 in even areas. */
const LEAST_VARIANCE = 2e-4

/** How far the guide may exceed the averages of the sides, which are 0 and 1. */
const MOST_BEYOND = 0.5

type Side = { count: number; readonly mean: Float64Array }

/**
 * The weighted sum of three features that best separates two sides (R. A. Fisher, 1936), about 0 on the outer
 * one and 1 on the inner one. `soft`: 0 and 1 on the sides, between near the edge. Null: a side is missing.
 */
export function sideGuide(features: ColorPlanes, soft: Float32Array): Float32Array | null {
  const [first, second, third] = features
  const sides: readonly [Side, Side] = [
    { count: 0, mean: new Float64Array(3) },
    { count: 0, mean: new Float64Array(3) },
  ]
  const sideOf = (i: number): Side | null => (soft[i] === 0 ? sides[0] : soft[i] === 1 ? sides[1] : null)
  for (let i = 0; i < soft.length; i++) {
    const side = sideOf(i)
    if (side === null) continue
    const { mean } = side
    side.count++
    mean[0] = (mean[0] ?? 0) + (first[i] ?? 0)
    mean[1] = (mean[1] ?? 0) + (second[i] ?? 0)
    mean[2] = (mean[2] ?? 0) + (third[i] ?? 0)
  }
  if (sides.some(({ count }) => count < LEAST_PIXELS)) return null
  for (const { mean, count } of sides) for (let k = 0; k < 3; k++) mean[k] = (mean[k] ?? 0) / count
  const [outer, inner] = [sides[0].mean, sides[1].mean]
  const way = outer.map((value, k) => (inner[k] ?? 0) - value)
  const [a = 0, b = 0, c = 0] = solveLinear(spreadOf(features, sideOf), way)
  const gap = a * (way[0] ?? 0) + b * (way[1] ?? 0) + c * (way[2] ?? 0)
  const base = a * (outer[0] ?? 0) + b * (outer[1] ?? 0) + c * (outer[2] ?? 0)
  const guide = new Float32Array(first.length)
  for (let i = 0; i < guide.length; i++) {
    const sum = a * (first[i] ?? 0) + b * (second[i] ?? 0) + c * (third[i] ?? 0) - base
    guide[i] = Math.min(1 + MOST_BEYOND, Math.max(-MOST_BEYOND, sum / Math.max(1e-9, gap)))
  }
  return guide
}

/** The covariance of features within the sides, each with half of the weight. */
function spreadOf([first, second, third]: ColorPlanes, sideOf: (i: number) => Side | null): Float64Array[] {
  let [xx, xy, xz, yy, yz, zz] = [LEAST_VARIANCE, 0, 0, LEAST_VARIANCE, 0, LEAST_VARIANCE]
  for (let i = 0; i < first.length; i++) {
    const side = sideOf(i)
    if (side === null) continue
    const weight = 0.5 / side.count
    const x = (first[i] ?? 0) - (side.mean[0] ?? 0)
    const y = (second[i] ?? 0) - (side.mean[1] ?? 0)
    const z = (third[i] ?? 0) - (side.mean[2] ?? 0)
    xx += weight * x * x
    xy += weight * x * y
    xz += weight * x * z
    yy += weight * y * y
    yz += weight * y * z
    zz += weight * z * z
  }
  return [Float64Array.of(xx, xy, xz), Float64Array.of(xy, yy, yz), Float64Array.of(xz, yz, zz)]
}
