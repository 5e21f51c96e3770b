import { areaOf, type Rect } from '../geometry/rect.ts'
import type { SampledFrame } from '../sampling/sampled-frame.ts'
import { blurTent } from './effect-masks.ts'
import { type Motion, smearPlane } from './smear-plane.ts'

/** Filters of artwork including its edges, in this order. */
export type ArtworkFilters = {
  /** standard deviation of a Gaussian; 0: none */
  readonly blurPx: number
  readonly motion: Motion | null
  readonly sharpen: Sharpen | null
  /** a byte per pixel of the frame's reach: how much of them is applied; null: all */
  readonly mask: Uint8Array | null
}

/** Photoshop's Unsharp Mask; `amount` 1: once what a blur removes; `threshold` 0..255. */
export type Sharpen = { readonly amount: number; readonly radiusPx: number; readonly threshold: number }

/** Two tents of this many standard deviations have the variance of a Gaussian, and nearly its shape. */
const TENT_REACH = Math.sqrt(3)

/** Radius of a blur, in standard deviations. */
export const BLUR_REACH = 2 * TENT_REACH

/** Filters artwork with its edges into one picture over `reach`, transparent around it. */
export function filterArtwork(
  { region, data, coverage, light }: SampledFrame,
  reach: Rect,
  { blurPx, motion, sharpen, mask }: ArtworkFilters,
): SampledFrame {
  const count = areaOf(reach)
  const filtered = new Uint8Array(4 * count)
  const plane = new Float32Array(count)
  const soften = (): Float32Array => {
    const blurred = blurPx > 0 ? blurPlane(plane, reach, blurPx) : plane
    return motion && motion.lengthPx > 1 ? smearPlane(blurred, reach, motion) : blurred
  }
  let shape: Shape | null = null
  // Alpha first: sharpening changes colours within it.
  for (const c of [3, 0, 1, 2]) {
    plane.fill(0)
    for (let y = 0, i = 0; y < region.heightPx; y++) {
      let to = (region.top + y - reach.top) * reach.widthPx + region.left - reach.left
      for (let x = 0; x < region.widthPx; x++, i++, to++) {
        plane[to] = ((data[4 * i + c] ?? 0) * (coverage[i] ?? 0)) / 65_025
      }
    }
    const soft = soften()
    if (sharpen && c === 3)
      shape = { alpha: soft === plane ? plane.slice() : soft, low: blurPlane(soft, reach, sharpen.radiusPx) }
    const done = sharpen && shape && c !== 3 ? sharpenPlane(soft, shape, reach, sharpen) : soft
    for (let k = 0; k < count; k++) {
      const value = done[k] ?? 0
      const before = plane[k] ?? 0
      const mixed = mask ? before + ((mask[k] ?? 0) / 255) * (value - before) : value
      filtered[4 * k + c] = Math.floor(mixed * 255 + 0.5)
    }
  }
  // Channels are rounded separately: none may exceed its alpha.
  for (let i = 0; i < filtered.length; i++) filtered[i] = Math.min(filtered[i] ?? 0, filtered[i | 3] ?? 0)
  return { region: reach, data: filtered, coverage: new Uint8Array(count).fill(255), light }
}

/** Alpha, and its blur. */
type Shape = { readonly alpha: Float32Array; readonly low: Float32Array }

/** A premultiplied channel: the change is scaled, then reduced by the threshold (measured by Patchy, MIT). */
function sharpenPlane(
  plane: Float32Array,
  { alpha, low }: Shape,
  reach: Rect,
  { amount, radiusPx, threshold }: Sharpen,
): Float32Array {
  const blurred = blurPlane(plane, reach, radiusPx)
  const least = threshold / 255
  return plane.map((value, k) => {
    const own = alpha[k] ?? 0
    const around = low[k] ?? 0
    if (own <= 0 || around <= 0) return value
    const color = value / own
    const change = (color - (blurred[k] ?? 0) / around) * amount
    const applied = Math.sign(change) * Math.max(0, Math.abs(change) - least)
    return Math.min(1, Math.max(0, color + applied)) * own
  })
}

function blurPlane(alpha: Float32Array, { widthPx, heightPx }: Rect, sigmaPx: number): Float32Array {
  const tent = sigmaPx * TENT_REACH
  if (tent > 1) return blurTent({ widthPx, heightPx, alpha: blurTent({ widthPx, heightPx, alpha }, tent) }, tent)
  return blurLittle(alpha, widthPx, heightPx, sigmaPx)
}

/** A weighted mean with the adjacent pixels, since a tent of less than a pixel has none. */
function blurLittle(plane: Float32Array, widthPx: number, heightPx: number, sigmaPx: number): Float32Array {
  const share = sigmaPx ** 2 / 2
  const mix = (from: Float32Array, step: number, isFirst: (k: number) => boolean, isLast: (k: number) => boolean) =>
    from.map((value, k) => {
      const before = isFirst(k) ? value : (from[k - step] ?? 0)
      const after = isLast(k) ? value : (from[k + step] ?? 0)
      return value + share * (before + after - 2 * value)
    })
  const across = mix(
    plane,
    1,
    k => k % widthPx === 0,
    k => k % widthPx === widthPx - 1,
  )
  return mix(
    across,
    widthPx,
    k => k < widthPx,
    k => k >= widthPx * (heightPx - 1),
  )
}
