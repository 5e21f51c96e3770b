import type { DecodedArtwork } from '../codec.ts'
import type { AffineMap } from '../geometry/affine-map.ts'
import type { Repeat } from '../geometry/artwork-placement.ts'
import type { RgbColor } from '../hex-color.ts'
import type { Extension } from './extend-texture.ts'

/** Artwork as a frame is to show it. */
export type PlacedArtwork = {
  /** reduced to whole texels where it repeats */
  readonly artwork: DecodedArtwork
  /** the frame's (u, v) to the artwork's (x, y) */
  readonly toArtwork: AffineMap
  /** the frame's left edge; elsewhere than at 0 where a map runs all the way round */
  readonly startU: number
  readonly repeat: Repeat
  /** texels beside what the frame shows that its filters may reach, as far as the artwork has them */
  readonly marginPx: number
  readonly across: Extension
  readonly down: Extension
  /** see `buildArtworkCut` */
  readonly cut: Uint8Array | null
  /** under the artwork in a blended frame; a lit one has it in its light */
  readonly background: RgbColor | null
}
