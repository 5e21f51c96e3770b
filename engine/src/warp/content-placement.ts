import { type Homography, homographyToQuad, invertHomography } from '../geometry/homography.ts'
import type { Point, Quad } from '../geometry/quad.ts'

/** The placement of a frame's content in a picture. Content coordinates are the content's pixels. */
export type ContentPlacement = {
  readonly contentWidth: number
  readonly contentHeight: number
  /** maps a content point to the picture; also defined slightly beyond the content */
  readonly forward: (x: number, y: number) => Point
  /** four corners in pixels of the picture, if they define it completely; otherwise null */
  readonly quad: Quad | null
  /** boundaries of the patches in content pixels; for a quad only the ends */
  readonly sliceX: readonly number[]
  readonly sliceY: readonly number[]
}

/** The homography from a rectangle to a quad. */
export function rectToQuad(x0: number, y0: number, x1: number, y1: number, quad: Quad): Homography {
  const [a, b, c, d, e, f, g, h, i] = homographyToQuad(quad)
  const sx = 1 / (x1 - x0)
  const sy = 1 / (y1 - y0)
  const shift = (p: number, q: number, r: number): number => r - p * x0 * sx - q * y0 * sy
  return [a * sx, b * sy, shift(a, b, c), d * sx, e * sy, shift(d, e, f), g * sx, h * sy, shift(g, h, i)]
}

/** Maps a point by a homography. */
export function applyHomography(m: Homography, x: number, y: number): Point {
  const w = m[6] * x + m[7] * y + m[8]
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w]
}

/** The homography from the picture to content pixels, for a placement by four corners. */
export function contentFromDocument({ contentWidth, contentHeight, quad }: ContentPlacement): Homography | null {
  return quad && invertHomography(rectToQuad(0, 0, contentWidth, contentHeight, quad))
}
