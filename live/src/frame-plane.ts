/** Where the frames of a template lie on its picture, for the pointer: planes, exact or nearly. */
import {
  type AffineMap,
  buildArtworkMap,
  type Homography,
  invertHomography,
  type Placement,
  type PreparedTemplate,
} from '@vitrine/engine'

export type Point = readonly [x: number, y: number]

/** A frame: points of the picture, in shares of its width and height, to (u, v), 0..1 over the frame. */
export type FramePlane = {
  readonly toFrame: Homography
  /** width / height */
  readonly aspectRatio: number
}

/** Of a map every so many pixels are looked at. */
const MAP_STEP_PX = 4

/** Behind the viewer a plane has no points: they are put far away. */
const LEAST_DEPTH = 1e-6

/** Corners as they are; of a curved map the plane that is nearest to what is seen of it. */
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

/** Round a mug u begins again: the samples go on from the first one, about the middle of what is seen. */
function unwrap(us: number[]): void {
  const [first = 0] = us
  for (const [index, u] of us.entries()) us[index] = u - Math.round(u - first)
  const turns = Math.round(us.reduce((sum, u) => sum + u, 0) / Math.max(1, us.length) - 0.5)
  for (const [index, u] of us.entries()) us[index] = u - turns
}

/** Points (x, y) of a picture and where they lie on a frame, (u, v): lists of numbers, no object for each. */
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

/** The mean product of two lists' distances from their means. */
function covariance(a: readonly number[], meanA: number, b: readonly number[], meanB: number): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - meanA) * ((b[i] ?? 0) - meanB)
  return sum / Math.max(1, a.length)
}

/** The affine map with the least squared distance from the samples; of too few, all of the picture. */
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

/** The size of an artwork in pixels, upright. */
export type ArtworkSize = { readonly widthPx: number; readonly heightPx: number }

const unitCorners = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const

/** The frame's own corners on the picture: top left, top right, bottom right, bottom left. */
export const frameCorners = (plane: FramePlane): readonly Point[] => unitCorners.map(corner => toPicture(plane, corner))

/** An artwork on the picture: its centre, and its corners in the order of its own. */
export function artworkOutline(plane: FramePlane, { widthPx, heightPx }: ArtworkSize, placement: Placement) {
  const map = buildArtworkMap(placement, widthPx, heightPx, plane.aspectRatio)
  const find = (point: Point): Point => toPicture(plane, invertAffine(map, point))
  return { centre: find([0.5, 0.5]), corners: unitCorners.map(find), top: find([0.5, 0]) }
}

function invertAffine({ xPerU, xPerV, x0, yPerU, yPerV, y0 }: AffineMap, [x, y]: Point): Point {
  const determinant = xPerU * yPerV - xPerV * yPerU
  return [(yPerV * (x - x0) - xPerV * (y - y0)) / determinant, (xPerU * (y - y0) - yPerU * (x - x0)) / determinant]
}
