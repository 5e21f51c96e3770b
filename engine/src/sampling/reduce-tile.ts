import type { DecodedArtwork } from '../codec.ts'
import type { AffineMap } from '../geometry/affine-map.ts'
import { type Extension, findTexelBefore } from './extend-texture.ts'
import { chooseLevel } from './sample-chunk.ts'
import { type ArtworkMap, findLength, type SamplingPlan } from './sampling-plan.ts'

/**
 * Texels of a tile per output pixel where it is seen densest: so many the filter's four taps can take. Less
 * by a map, most of which is less dense.
 */
export const tileDensity = { homography: 2.75, grid: 2.25 } as const satisfies Record<ArtworkMap['kind'], number>

/** Smaller reductions are none: they would cost more than they save. */
const LEAST_REDUCTION = 1.2

/** Lobes of the filter that reduces: Lanczos3. */
const LOBES = 3

/**
 * Artwork that repeats, in whole texels, so many that each halving which the plan asks for is exact too: its
 * copies then join without a seam at every level. Filters run on into the next copy.
 */
export function reduceTile(
  artwork: DecodedArtwork,
  toArtwork: AffineMap,
  plan: SamplingPlan,
  extension: Extension,
): DecodedArtwork {
  const { extent } = artwork
  const { xPerU, xPerV, yPerU, yPerV } = toArtwork
  const least = (perU: number, perV: number): number =>
    tileDensity[plan.map.kind] / Math.hypot(perU / plan.densityU, perV / plan.densityV)
  const greatest = (perU: number, perV: number): number =>
    findLength(perU * plan.greatestScaleU, perV * plan.greatestScaleV)
  const widthPx = chooseTexels(extent.width, least(xPerU, xPerV), greatest(xPerU, xPerV))
  const heightPx = chooseTexels(extent.height, least(yPerU, yPerV), greatest(yPerU, yPerV))
  if (widthPx === artwork.widthPx && heightPx === artwork.heightPx) return artwork
  const data = resampleRepeated(artwork, widthPx, heightPx, extension)
  return { ...artwork, widthPx, heightPx, data, extent: { left: 0, top: 0, width: widthPx, height: heightPx } }
}

/** Texels of an axis with `sizePx` decoded ones, where `wantedPx` are enough. `scale`: tiles per pixel. */
function chooseTexels(sizePx: number, wantedPx: number, scale: number): number {
  const wanted = Math.max(1, Math.ceil(wantedPx))
  let texels = wanted * LEAST_REDUCTION < sizePx ? wanted : Math.round(sizePx)
  for (;;) {
    const step = 2 ** chooseLevel(scale * texels, texels)
    const next = Math.ceil(texels / step) * step
    if (next === texels) return texels
    texels = next
  }
}

/** Of each output texel: the first source texel that it takes from, and the taps' weights, which sum to 1. */
type Taps = { readonly count: number; readonly sources: Int32Array; readonly weights: Float64Array }

function planTaps(sizePx: number, outPx: number, extension: Extension): Taps {
  const ratio = sizePx / outPx
  const stretch = Math.max(1, ratio)
  const reach = LOBES * stretch
  const count = Math.ceil(2 * reach) + 1
  const sources = new Int32Array(outPx * count)
  const weights = new Float64Array(outPx * count)
  for (let out = 0; out < outPx; out++) {
    const centre = (out + 0.5) * ratio - 0.5
    const first = Math.ceil(centre - reach)
    let sum = 0
    for (let tap = 0; tap < count; tap++) {
      const weight = lanczos((first + tap - centre) / stretch)
      sources[out * count + tap] = findTexel(extension, sizePx, first + tap)
      weights[out * count + tap] = weight
      sum += weight
    }
    for (let tap = 0; tap < count; tap++) weights[out * count + tap] = (weights[out * count + tap] ?? 0) / sum
  }
  return { count, sources, weights }
}

function findTexel(extension: Extension, sizePx: number, index: number): number {
  if (index < 0) return findTexelBefore(extension, sizePx, -1 - index)
  return index < sizePx ? index : sizePx - 1 - findTexelBefore(extension, sizePx, index - sizePx)
}

function lanczos(x: number): number {
  if (x === 0) return 1
  if (Math.abs(x) >= LOBES) return 0
  const t = Math.PI * x
  return (LOBES * Math.sin(t) * Math.sin(t / LOBES)) / (t * t)
}

/** Filters down, then across, weighted by alpha; straight alpha again. */
function resampleRepeated(artwork: DecodedArtwork, outWidthPx: number, outHeightPx: number, extension: Extension) {
  const { widthPx, heightPx, data, isOpaque } = artwork
  const down = planTaps(heightPx, outHeightPx, extension)
  const across = planTaps(widthPx, outWidthPx, extension)
  const result = new Uint8Array(outWidthPx * outHeightPx * 4)
  const row = new Float64Array(widthPx * 4)
  for (let y = 0; y < outHeightPx; y++) {
    row.fill(0)
    for (let tap = y * down.count; tap < (y + 1) * down.count; tap++) {
      const weight = down.weights[tap] ?? 0
      if (weight === 0) continue
      const from = (down.sources[tap] ?? 0) * widthPx * 4
      addRow(row, data, from, weight, isOpaque)
    }
    for (let x = 0, to = y * outWidthPx * 4; x < outWidthPx; x++, to += 4) {
      let [r, g, b, a] = [0, 0, 0, 0]
      for (let tap = x * across.count; tap < (x + 1) * across.count; tap++) {
        const weight = across.weights[tap] ?? 0
        const from = (across.sources[tap] ?? 0) * 4
        r += (row[from] ?? 0) * weight
        g += (row[from + 1] ?? 0) * weight
        b += (row[from + 2] ?? 0) * weight
        a += (row[from + 3] ?? 0) * weight
      }
      const share = isOpaque ? 1 : Math.max(0, Math.min(255, a)) / 255
      result[to] = toByte(share > 0 ? r / share : 0)
      result[to + 1] = toByte(share > 0 ? g / share : 0)
      result[to + 2] = toByte(share > 0 ? b / share : 0)
      result[to + 3] = isOpaque ? 255 : toByte(a)
    }
  }
  return result
}

function addRow(row: Float64Array, data: Uint8Array, from: number, weight: number, isOpaque: boolean): void {
  if (isOpaque) {
    for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) + (data[from + i] ?? 0) * weight
    return
  }
  for (let i = 0; i < row.length; i += 4) {
    const alpha = (data[from + i + 3] ?? 0) * weight
    const share = alpha / 255
    row[i] = (row[i] ?? 0) + (data[from + i] ?? 0) * share
    row[i + 1] = (row[i + 1] ?? 0) + (data[from + i + 1] ?? 0) * share
    row[i + 2] = (row[i + 2] ?? 0) + (data[from + i + 2] ?? 0) * share
    row[i + 3] = (row[i + 3] ?? 0) + alpha
  }
}

function toByte(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)))
}
