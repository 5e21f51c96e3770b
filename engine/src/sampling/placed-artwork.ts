import type { DecodedArtwork } from '../codec.ts'
import type { AffineMap } from '../geometry/affine-map.ts'
import type { Repeat } from '../geometry/artwork-placement.ts'
import type { RgbColor } from '../hex-color.ts'
import type { Extension } from './extend-texture.ts'

/** Artwork placed in a frame. */
export type PlacedArtwork = {
  /** reduced to whole texels if it repeats */
  readonly artwork: DecodedArtwork
  /** maps the frame's (u, v) to the artwork's (x, y) */
  readonly toArtwork: AffineMap
  /** the frame's left edge; not 0 if a map runs all the way round */
  readonly startU: number
  readonly repeat: Repeat
  /** texels beyond the visible part that filters may read, as far as the artwork extends */
  readonly marginPx: number
  readonly across: Extension
  readonly down: Extension
  /** see `buildArtworkCut` */
  readonly cut: Uint8Array | null
  /** under the artwork in a blended frame; a lit frame has it in its light */
  readonly background: RgbColor | null
}
