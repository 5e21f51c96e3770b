import type { Quad, Rect } from '@vitrine/engine'
import type { Doubt } from '../photo-report.ts'

/** What a point of the photo shows of the artwork: 0..1 from its left and top edge, and on beyond them. */
export type ArtworkPoint = { readonly u: number; readonly v: number; readonly isSeen: boolean }

/** The artwork's coordinates at the centre of each pixel of a part of the photo; NaN where it has none. */
export type SurfaceMap = {
  readonly rect: Rect
  readonly u: Float32Array
  readonly v: Float32Array
  /** how much of each pixel shows the artwork, 0..1 */
  readonly coverage: Float32Array
}

/** Where a frame's artwork lies in the photo. */
export type FrameSurface = {
  /** width / height of the artwork */
  readonly aspectRatio: number
  /** four corners, where they say all of it; else null */
  readonly quad: Quad | null
  /** the map over every pixel that shows artwork, and some beyond */
  readonly rasterize: () => SurfaceMap
  /** a cylinder or cone, on which light is smooth around the axis */
  readonly isCurved: boolean
  /** root mean square of what the fit misses of the points, in px; null where nothing is fitted */
  readonly residualPx: number | null
  readonly doubts: readonly Doubt[]
}
