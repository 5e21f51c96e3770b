import type { Point, Quad, Rect } from '@vitrine/engine'
import type { Doubt } from '../photo-report.ts'
import type { BodyParameters } from './body.ts'

/** The artwork's coordinates at the centre of each pixel of a part of the photo; NaN where it has none. */
export type SurfaceMap = {
  readonly rect: Rect
  readonly u: Float32Array
  readonly v: Float32Array
  /** how much of each pixel shows the artwork, 0..1 */
  readonly coverage: Float32Array
}

/** A fitted body, with its rims and sides as lines of the photo. */
export type FittedBodyLines = {
  readonly parameters: BodyParameters
  readonly lines: readonly (readonly Point[])[]
}

/** Where each point of the photo lies on a frame's artwork. */
export type MappedSurface = {
  /** width / height of the artwork */
  readonly aspectRatio: number
  /** four corners, where they say all of it; else null */
  readonly quad: Quad | null
  /** the map over all pixels that show artwork, and some beyond; `isLive`: faster, within 0.1 px of it */
  readonly rasterize: (isLive?: boolean) => SurfaceMap
  /** a cylinder or cone, on which light is smooth around the axis */
  readonly isCurved: boolean
  /** root mean square of what the fit misses of the points, in px; null where nothing is fitted */
  readonly residualPx: number | null
  readonly doubts: readonly Doubt[]
}

/** A frame's surface, with what an editor draws of it over the photo. */
export type FrameSurface = MappedSurface & {
  /** where a point of the artwork lies in the photo */
  readonly toPhoto: (u: number, v: number) => Point
  /** the body that was fitted, where the next fit may begin; else null */
  readonly fitted: FittedBodyLines | null
}
