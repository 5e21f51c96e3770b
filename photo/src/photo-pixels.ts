import type { CoveragePixmap, OpaquePixmap } from '@vitrine/engine'

/** A photo, decoded and turned upright: RGB bytes in sRGB. */
export type PhotoPixels = Omit<OpaquePixmap, 'alpha'>

/** How much of each pixel of a photo belongs to something, of the photo's size. */
export type Coverage = Omit<CoveragePixmap, 'alpha'>
