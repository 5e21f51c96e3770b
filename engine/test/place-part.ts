import { EXTENDS_EDGE } from '../kernels/assembly/frame/constants.ts'
import type { DecodedArtwork } from '../src/codec.ts'
import type { AffineMap } from '../src/geometry/affine-map.ts'
import type { ArtworkPart } from '../src/geometry/artwork-placement.ts'
import type { PlacedArtwork } from '../src/sampling/placed-artwork.ts'

/** The frame shows that part of its artwork, and all of the artwork without one. */
export function placePart({ left, top, width, height }: ArtworkPart = wholeArtwork): AffineMap {
  return { xPerU: width, xPerV: 0, x0: left, yPerU: 0, yPerV: height, y0: top }
}

/** Artwork as a frame shows it by that map, without edges of its own; `changes` say otherwise. */
export function asPlaced(
  artwork: DecodedArtwork,
  toArtwork: AffineMap = placePart(),
  changes: Partial<PlacedArtwork> = {},
): PlacedArtwork {
  const plain = {
    startU: 0,
    repeat: 'none',
    marginPx: 0,
    across: EXTENDS_EDGE,
    down: EXTENDS_EDGE,
    cut: null,
    background: null,
  } as const
  return { artwork, toArtwork, ...plain, ...changes }
}

const wholeArtwork: ArtworkPart = { left: 0, top: 0, width: 1, height: 1 }
