import { type AffineMap, boundUnitSquare } from './affine-map.ts'

/**
 * Where a frame shows its artwork: `toArtwork` takes the frame's (u, v) to the artwork's (x, y), each 0..1
 * from left to right and from top to bottom. Never rounded to whole pixels: rounding the crop cost 6 dB
 * inside the frame.
 */
export type ArtworkPlacement = { readonly toArtwork: AffineMap }

/** The fractions' rounding, in pixels: a position that misses a whole pixel by less is on it. */
export const ROUNDING_PX = 1e-6

/** A part of an artwork in fractions of its width and height. */
export type ArtworkPart = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The artwork fills the frame and is cropped evenly: its largest centred part of the frame's ratio. */
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

/** The smallest part of an artwork that holds what the frame shows. */
export function findShownPart({ toArtwork }: ArtworkPlacement): ArtworkPart {
  return boundUnitSquare(toArtwork)
}

/** The smallest part that holds both. */
export function uniteParts(a: ArtworkPart, b: ArtworkPart): ArtworkPart {
  const left = Math.min(a.left, b.left)
  const top = Math.min(a.top, b.top)
  const right = Math.max(a.left + a.width, b.left + b.width)
  const bottom = Math.max(a.top + a.height, b.top + b.height)
  return { left, top, width: right - left, height: bottom - top }
}
