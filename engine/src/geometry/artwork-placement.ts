import type { AffineMap } from './affine-map.ts'
import type { Bounds } from './rect.ts'

/**
 * Where a frame shows its artwork: `toArtwork` takes the frame's (u, v) to the artwork's (x, y), each 0..1
 * from left (top) to right (bottom). Never rounded to pixels (docs/decisions/sampling-and-light.md).
 */
export type ArtworkPlacement = { readonly toArtwork: AffineMap }

/** A position that misses a whole pixel by less than this is on it. */
export const ROUNDING_PX = 1e-6

/** A part of an artwork in fractions of its width and height. */
export type ArtworkPart = Bounds

/** Fills the frame and crops evenly: the largest centred part of the frame's ratio (width / height). */
export function buildCoverPlacement(
  sourceWidthPx: number,
  sourceHeightPx: number,
  frameAspectRatio: number,
): ArtworkPlacement {
  const sourceRatio = sourceWidthPx / sourceHeightPx
  const width = Math.min(1, frameAspectRatio / sourceRatio)
  const height = Math.min(1, sourceRatio / frameAspectRatio)
  return {
    toArtwork: { xPerU: width, xPerV: 0, x0: (1 - width) / 2, yPerU: 0, yPerV: height, y0: (1 - height) / 2 },
  }
}

/** The smallest part that holds both. */
export function uniteParts(a: ArtworkPart, b: ArtworkPart): ArtworkPart {
  const left = Math.min(a.left, b.left)
  const top = Math.min(a.top, b.top)
  const right = Math.max(a.left + a.width, b.left + b.width)
  const bottom = Math.max(a.top + a.height, b.top + b.height)
  return { left, top, width: right - left, height: bottom - top }
}
