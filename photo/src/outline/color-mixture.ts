import { createRandom } from '../numerics/random.ts'

/** Gaussians of a mixture, as GrabCut has them. */
const COMPONENTS = 5
const ROUNDS = 8

/** The number of samples, evenly taken from a group's colours, from which a mixture is found. */
const MAX_SAMPLES = 6000

/** Added to variances, which are 0 in even areas. */
const LEAST_VARIANCE = 1e-4

/** The variance of fewer samples is not used. */
const LEAST_GROUP = 5

/** The least density: a colour that no component has is unlikely, not impossible. */
const LEAST_DENSITY = 1e-12

const SEED = 3

/** Three numbers per pixel: colours, or values computed from them. */
export type ColorPlanes = readonly [Float32Array, Float32Array, Float32Array]

/** Minus the logarithm of how likely a colour is. */
export type ColorCost = (red: number, green: number, blue: number) => number

type Component = {
  readonly mean: Float64Array
  /** logarithm of the weight over the root of the determinant */
  readonly scale: number
  /** inverse of the covariance: rr, rg, rb, gg, gb, bb */
  readonly inverse: Float64Array
}

/**
 * A mixture of Gaussians in colour for the pixels given, by k-means and moments (C. Rother, V. Kolmogorov,
 * A. Blake, GrabCut, 2004). No pixels: every colour is as likely as any other.
 */
export function fitColorMixture(planes: ColorPlanes, pixels: Int32Array): ColorCost {
  const samples = samplesOf(planes, pixels)
  const count = samples.length / 3
  if (count === 0) return () => 0
  const groups = new Uint8Array(count)
  const centers = chooseCenters(samples)
  for (let round = 0; round < ROUNDS; round++) {
    assignGroups(samples, centers, groups)
    moveCenters(samples, centers, groups)
  }
  const components = centers.flatMap((mean, group) => describeGroup(samples, groups, group, mean) ?? [])
  return (red, green, blue) => {
    let density = LEAST_DENSITY
    for (const { mean, scale, inverse } of components) {
      const r = red - (mean[0] ?? 0)
      const g = green - (mean[1] ?? 0)
      const b = blue - (mean[2] ?? 0)
      const [rr = 0, rg = 0, rb = 0, gg = 0, gb = 0, bb = 0] = inverse
      density += Math.exp(scale - 0.5 * (rr * r * r + gg * g * g + bb * b * b) - rg * r * g - rb * r * b - gb * g * b)
    }
    return -Math.log(density)
  }
}

function samplesOf([red, green, blue]: ColorPlanes, pixels: Int32Array): Float32Array {
  const count = Math.min(pixels.length, MAX_SAMPLES)
  const samples = new Float32Array(3 * count)
  for (let k = 0; k < count; k++) {
    const pixel = pixels[Math.floor((k * pixels.length) / count)] ?? 0
    samples[3 * k] = red[pixel] ?? 0
    samples[3 * k + 1] = green[pixel] ?? 0
    samples[3 * k + 2] = blue[pixel] ?? 0
  }
  return samples
}

function chooseCenters(samples: Float32Array): Float64Array[] {
  const random = createRandom(SEED)
  return Array.from({ length: COMPONENTS }, () => {
    const k = Math.floor((random() * samples.length) / 3)
    return Float64Array.from(samples.subarray(3 * k, 3 * k + 3))
  })
}

function assignGroups(samples: Float32Array, centers: readonly Float64Array[], groups: Uint8Array): void {
  const flat = Float64Array.from(centers.flatMap(center => [...center]))
  for (let k = 0; k < groups.length; k++) {
    const [r, g, b] = [samples[3 * k] ?? 0, samples[3 * k + 1] ?? 0, samples[3 * k + 2] ?? 0]
    let least = Infinity
    for (let c = 0; c < COMPONENTS; c++) {
      const [dr, dg, db] = [r - (flat[3 * c] ?? 0), g - (flat[3 * c + 1] ?? 0), b - (flat[3 * c + 2] ?? 0)]
      const distance = dr * dr + dg * dg + db * db
      if (distance >= least) continue
      least = distance
      groups[k] = c
    }
  }
}

function moveCenters(samples: Float32Array, centers: readonly Float64Array[], groups: Uint8Array): void {
  const sums = centers.map(() => new Float64Array(4))
  for (const [k, group] of groups.entries()) {
    const sum = sums[group]
    if (!sum) continue
    for (let c = 0; c < 3; c++) sum[c] = (sum[c] ?? 0) + (samples[3 * k + c] ?? 0)
    sum[3] = (sum[3] ?? 0) + 1
  }
  for (const [group, [r = 0, g = 0, b = 0, count = 0]] of sums.entries()) {
    if (count > 0) centers[group]?.set([r / count, g / count, b / count])
  }
}

function describeGroup(samples: Float32Array, groups: Uint8Array, group: number, mean: Float64Array): Component | null {
  const sums = new Float64Array(6)
  const [meanR = 0, meanG = 0, meanB = 0] = mean
  let count = 0
  for (let k = 0; k < groups.length; k++) {
    if (groups[k] !== group) continue
    count++
    const r = (samples[3 * k] ?? 0) - meanR
    const g = (samples[3 * k + 1] ?? 0) - meanG
    const b = (samples[3 * k + 2] ?? 0) - meanB
    for (const [i, product] of [r * r, r * g, r * b, g * g, g * b, b * b].entries()) sums[i] = (sums[i] ?? 0) + product
  }
  if (count < Math.min(LEAST_GROUP, groups.length)) return null
  const [rr = 0, rg = 0, rb = 0, gg = 0, gb = 0, bb = 0] = sums.map(
    (sum, i) => sum / count + (isVariance(i) ? LEAST_VARIANCE : 0),
  )
  const determinant = rr * (gg * bb - gb * gb) - rg * (rg * bb - gb * rb) + rb * (rg * gb - gg * rb)
  return {
    mean,
    scale: Math.log(count / groups.length) - 0.5 * Math.log(determinant),
    inverse: Float64Array.of(
      (gg * bb - gb * gb) / determinant,
      (rb * gb - rg * bb) / determinant,
      (rg * gb - rb * gg) / determinant,
      (rr * bb - rb * rb) / determinant,
      (rg * rb - rr * gb) / determinant,
      (rr * gg - rg * rg) / determinant,
    ),
  }
}

const isVariance = (i: number): boolean => i === 0 || i === 3 || i === 5
