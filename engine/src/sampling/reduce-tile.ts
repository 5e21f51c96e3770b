import type { DecodedArtwork } from '../codec.ts'
import type { AffineMap } from '../geometry/affine-map.ts'
import type { Extension } from './extend-texture.ts'
import { unmultiply } from './premultiply.ts'
import { planTaps, type ReduceTaps } from './reduce-by-taps.ts'
import { chooseLevel } from './sample-chunk.ts'
import { type ArtworkMap, findLength, type SamplingPlan } from './sampling-plan.ts'

/**
 * Texels of a tile per output pixel at its highest density: as many as the filter's four taps can take. Fewer
 * with a map, most of which is less dense.
 */
export const tileDensity = { homography: 2.75, grid: 2.25 } as const satisfies Record<ArtworkMap['kind'], number>

/** Smaller reductions would cost more than they save. */
const LEAST_REDUCTION = 1.2

/**
 * Reduces repeated artwork to an integer number of texels that all needed mip levels divide exactly: its
 * copies then join without a seam at every level. Filters read across into the next copy.
 */
export function reduceTile(
  artwork: DecodedArtwork,
  toArtwork: AffineMap,
  plan: SamplingPlan,
  extension: Extension,
  reduce: ReduceTaps,
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
  const across = planTaps(artwork.widthPx, widthPx)
  const down = planTaps(artwork.heightPx, heightPx)
  const data = unmultiplied(reduce(artwork, across, down, extension), artwork.isOpaque)
  return { ...artwork, widthPx, heightPx, data, extent: { left: 0, top: 0, width: widthPx, height: heightPx } }
}

/** Texels along an axis with `sizePx` decoded ones, if `wantedPx` are enough. `scale`: tiles per pixel. */
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

/** Unpremultiplied colours; filters may have left channels above alpha. */
function unmultiplied(data: Uint8Array, isOpaque: boolean): Uint8Array {
  if (isOpaque) return data
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] ?? 0
    if (alpha === 255) continue
    if (alpha === 0) data.fill(0, i, i + 3)
    else for (let channel = i; channel < i + 3; channel++) data[channel] = unmultiply(data[channel] ?? 0, alpha)
  }
  return data
}
