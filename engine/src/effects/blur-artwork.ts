import { areaOf, type Rect } from '../geometry/rect.ts'
import type { SampledFrame } from '../sampling/sampled-frame.ts'
import { blurTent } from './effect-masks.ts'

/** Two tents of this many standard deviations have the variance of a Gaussian, and nearly its shape. */
const TENT_REACH = Math.sqrt(3)

/** Radius of the blur, in standard deviations. */
export const BLUR_REACH = 2 * TENT_REACH

/** Blurs artwork with its edges into one picture over `reach`. `sigmaPx`: of a Gaussian. */
export function blurArtwork(
  { region, data, coverage, light }: SampledFrame,
  reach: Rect,
  sigmaPx: number,
): SampledFrame {
  const count = areaOf(reach)
  const blurred = new Uint8Array(4 * count)
  const plane = new Float32Array(count)
  for (let c = 0; c < 4; c++) {
    plane.fill(0)
    for (let y = 0, i = 0; y < region.heightPx; y++) {
      let to = (region.top + y - reach.top) * reach.widthPx + region.left - reach.left
      for (let x = 0; x < region.widthPx; x++, i++, to++) {
        plane[to] = ((data[4 * i + c] ?? 0) * (coverage[i] ?? 0)) / 65_025
      }
    }
    const soft = blurPlane(plane, reach, sigmaPx)
    for (let k = 0; k < count; k++) blurred[4 * k + c] = Math.floor((soft[k] ?? 0) * 255 + 0.5)
  }
  // Channels are rounded separately: none may exceed its alpha.
  for (let i = 0; i < blurred.length; i++) blurred[i] = Math.min(blurred[i] ?? 0, blurred[i | 3] ?? 0)
  return { region: reach, data: blurred, coverage: new Uint8Array(count).fill(255), light }
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
