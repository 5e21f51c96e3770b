/** Where the frames of a template lie on its picture, for the hand: planes, exact or nearly. */
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
    const samples: Sample[] = []
    for (let y = 0; y < region.heightPx; y += MAP_STEP_PX)
      for (let x = 0; x < region.widthPx; x += MAP_STEP_PX) {
        const index = y * region.widthPx + x
        if ((coverage[index] ?? 0) < 128) continue
        const point: Point = [(region.left + x + 0.5) / widthPx, (region.top + y + 0.5) / heightPx]
        samples.push({ point, target: [map.u[index] ?? 0, map.v[index] ?? 0] })
      }
    return { aspectRatio, toFrame: fitPlane(map.wrapsU ? unwrap(samples) : samples) }
  })
}

/** Round a mug u begins again: the samples go on from the first one, about the middle of what is seen. */
function unwrap(samples: readonly Sample[]): readonly Sample[] {
  const first = samples[0]?.target[0] ?? 0
  const going = samples.map(({ target: [u] }) => u - Math.round(u - first))
  const turns = Math.round(going.reduce((sum, u) => sum + u, 0) / Math.max(1, going.length) - 0.5)
  return samples.map(({ point, target: [, v] }, index) => ({ point, target: [(going[index] ?? 0) - turns, v] }))
}

type Sample = { readonly point: Point; readonly target: Point }

/** The affine map with the least squared distance from the samples; of too few, all of the picture. */
export function fitPlane(samples: readonly Sample[]): Homography {
  const mean = (pick: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / Math.max(1, samples.length)
  const [x0, y0] = [mean(({ point }) => point[0]), mean(({ point }) => point[1])]
  const [u0, v0] = [mean(({ target }) => target[0]), mean(({ target }) => target[1])]
  const [xx, xy, yy] = [
    mean(({ point: [x] }) => (x - x0) ** 2),
    mean(({ point: [x, y] }) => (x - x0) * (y - y0)),
    mean(({ point: [, y] }) => (y - y0) ** 2),
  ]
  const determinant = xx * yy - xy * xy
  if (determinant < 1e-12) return [1, 0, 0, 0, 1, 0, 0, 0, 1]
  const slopes = (pick: (sample: Sample) => number): Point => {
    const alongX = mean(sample => (sample.point[0] - x0) * pick(sample))
    const alongY = mean(sample => (sample.point[1] - y0) * pick(sample))
    return [(alongX * yy - alongY * xy) / determinant, (alongY * xx - alongX * xy) / determinant]
  }
  const [ux, uy] = slopes(({ target }) => target[0] - u0)
  const [vx, vy] = slopes(({ target }) => target[1] - v0)
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
