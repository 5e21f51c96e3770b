import type { CoveragePixmap, OpaquePixmap } from '@vitrine/engine'

/** A photo, decoded and turned upright: RGB bytes in sRGB. */
export type PhotoPixels = Omit<OpaquePixmap, 'alpha'>

/** How much of each pixel of a photo belongs to something, of the photo's size. */
export type Coverage = Omit<CoveragePixmap, 'alpha'>

/** Outlines of the brushed areas, of the photo's size. */
export type Outlines = {
  /** the product; null if none was brushed over */
  readonly product: Coverage | null
  /** what is in front of each frame; null if nothing is */
  readonly fronts: readonly (Coverage | null)[]
}
