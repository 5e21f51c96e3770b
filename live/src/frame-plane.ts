/** Where a template's frames are in its picture, for pointer handling: planes, exact or approximate. */
import {
  type AffineMap,
  buildArtworkMap,
  type Homography,
  invertHomography,
  type Placement,
  type PreparedTemplate,
} from '@vitrine/engine'

export type Point = readonly [x: number, y: number]

/** A frame's homography from shares of the picture's width and height to (u, v), 0..1 over the frame. */
export type FramePlane = {
  readonly toFrame: Homography
  /** width / height */
  readonly aspectRatio: number
}

/** Maps are sampled every so many pixels. */
const MAP_STEP_PX = 4

/** Points behind the viewer have no image on the plane: they are placed far away. */
const LEAST_DEPTH = 1e-6

/** Frames with corners exactly; for a curved map, the plane that fits its visible part best. */
export function framePlanes({ widthPx, heightPx, frames }: PreparedTemplate): readonly FramePlane[] {
  return frames.map(({ aspectRatio, plan: { map, region }, coverage }) => {
    if (map.kind === 'homography') {
      const [a, b, c, d, e, f, g, h, i] = map.matrix
      const across = (perX: number): number => perX * widthPx
      const down = (perY: number): number => perY * heightPx
      return { aspectRatio, toFrame: [across(a), down(b), c, across(d), down(e), f, across(g), down(h), i] }
    }
    const samples = new Samples()
    for (let y = 0; y < region.heightPx; y += MAP_STEP_PX)
      for (let x = 0; x < region.widthPx; x += MAP_STEP_PX) {
        const index = y * region.widthPx + x
        if ((coverage[index] ?? 0) < 128) continue
        const [px, py] = [(region.left + x + 0.5) / widthPx, (region.top + y + 0.5) / heightPx]
        samples.add(px, py, map.u[index] ?? 0, map.v[index] ?? 0)
      }
    if (map.wrapsU) unwrap(samples.u)
    return { aspectRatio, toFrame: fitPlane(samples) }
  })
}

/** Around a mug, u wraps: samples are unwrapped to be continuous around the middle of the visible part. */
function unwrap(us: number[]): void {
  const [first = 0] = us
  for (const [index, u] of us.entries()) us[index] = u - Math.round(u - first)
  const turns = Math.round(us.reduce((sum, u) => sum + u, 0) / Math.max(1, us.length) - 0.5)
  for (const [index, u] of us.entries()) us[index] = u - turns
}

/** Points (x, y) of the picture and their (u, v) on a frame, as lists of numbers to save objects. */
export class Samples {
  readonly x: number[] = []
  readonly y: number[] = []
  readonly u: number[] = []
  readonly v: number[] = []

  add(x: number, y: number, u: number, v: number): void {
    this.x.push(x)
    this.y.push(y)
    this.u.push(u)
    this.v.push(v)
  }
}

const meanOf = (values: readonly number[]): number => {
  let sum = 0
  for (const value of values) sum += value
  return sum / Math.max(1, values.length)
}

/** The covariance of two lists. */
function covariance(a: readonly number[], meanA: number, b: readonly number[], meanB: number): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - meanA) * ((b[i] ?? 0) - meanB)
  return sum / Math.max(1, a.length)
}

/** The least-squares affine map of the samples; with too few, the whole picture. */
export function fitPlane({ x, y, u, v }: Samples): Homography {
  const [x0, y0, u0, v0] = [meanOf(x), meanOf(y), meanOf(u), meanOf(v)]
  const [xx, xy, yy] = [covariance(x, x0, x, x0), covariance(x, x0, y, y0), covariance(y, y0, y, y0)]
  const determinant = xx * yy - xy * xy
  if (determinant < 1e-12) return [1, 0, 0, 0, 1, 0, 0, 0, 1]
  const slopes = (values: readonly number[], mean: number): Point => {
    const alongX = covariance(x, x0, values, mean)
    const alongY = covariance(y, y0, values, mean)
    return [(alongX * yy - alongY * xy) / determinant, (alongY * xx - alongX * xy) / determinant]
  }
  const [ux, uy] = slopes(u, u0)
  const [vx, vy] = slopes(v, v0)
  return [ux, uy, u0 - ux * x0 - uy * y0, vx, vy, v0 - vx * x0 - vy * y0, 0, 0, 1]
}

export const toFrame = (plane: FramePlane, point: Point): Point => apply(plane.toFrame, point)
export const toPicture = (plane: FramePlane, point: Point): Point => apply(invertHomography(plane.toFrame), point)

function apply([a, b, c, d, e, f, g, h, i]: Homography, [x, y]: Point): Point {
  const depth = Math.max(LEAST_DEPTH, g * x + h * y + i)
  return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth]
}

/** Size of an artwork in pixels, upright. */
export type ArtworkSize = { readonly widthPx: number; readonly heightPx: number }

const unitCorners = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const

/** The frame's corners in the picture: top left, top right, bottom right, bottom left. */
export const frameCorners = (plane: FramePlane): readonly Point[] => unitCorners.map(corner => toPicture(plane, corner))

/** An artwork in the picture: its centre, and its corners in the same order. */
export function artworkOutline(plane: FramePlane, { widthPx, heightPx }: ArtworkSize, placement: Placement) {
  const map = buildArtworkMap(placement, widthPx, heightPx, plane.aspectRatio)
  const find = (point: Point): Point => toPicture(plane, invertAffine(map, point))
  return { centre: find([0.5, 0.5]), corners: unitCorners.map(find), top: find([0.5, 0]) }
}

function invertAffine({ xPerU, xPerV, x0, yPerU, yPerV, y0 }: AffineMap, [x, y]: Point): Point {
  const determinant = xPerU * yPerV - xPerV * yPerU
  return [(yPerV * (x - x0) - xPerV * (y - y0)) / determinant, (xPerU * (y - y0) - yPerU * (x - x0)) / determinant]
}
