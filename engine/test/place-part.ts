import type { ArtworkPart, ArtworkPlacement } from '../src/geometry/artwork-placement.ts'

/** The frame shows that part of its artwork, and all of the artwork without one. */
export function placePart({ left, top, width, height }: ArtworkPart = wholeArtwork): ArtworkPlacement {
  return { toArtwork: { xPerU: width, xPerV: 0, x0: left, yPerU: 0, yPerV: height, y0: top } }
}

const wholeArtwork: ArtworkPart = { left: 0, top: 0, width: 1, height: 1 }
