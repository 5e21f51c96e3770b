import type { Point, Quad, Rect } from '@vitrine/engine'
import type { Doubt } from '../photo-report.ts'
import type { BodyParameters } from './body.ts'

/** The artwork's coordinates at the centre of each pixel of a part of the photo; NaN if it has none. */
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
  /** four corners, if they determine the surface; otherwise null */
  readonly quad: Quad | null
  /** the map over all pixels that show artwork, and a margin; `isLive`: faster, within 0.1 px of it */
  readonly rasterize: (isLive?: boolean) => SurfaceMap
  /** a cylinder or cone, on which light is smooth around the axis */
  readonly isCurved: boolean
  /** root mean square distance between the fit and the points, in px; null if nothing is fitted */
  readonly residualPx: number | null
  readonly doubts: readonly Doubt[]
}

/** A frame's surface, with the lines that an editor draws over the photo. */
export type FrameSurface = MappedSurface & {
  /** where a point of the artwork lies in the photo */
  readonly toPhoto: (u: number, v: number) => Point
  /** u of what the camera sees, from the left to the right; a body hides what goes around its back */
  readonly seen: readonly [from: number, to: number]
  /** the body that was fitted, from which the next fit may start; otherwise null */
  readonly fitted: FittedBodyLines | null
}
