import { catmullRom, type Rect } from '@vitrine/engine'
import type { SurfaceMap } from './frame-surface.ts'

/** The artwork's coordinates at points of a rectangle, row by row; NaN if there are none. */
export type MapPlanes = Pick<SurfaceMap, 'u' | 'v'>

/** Points at the centres of every `stepPx`-th pixel of a rectangle, the last ones at its end or beyond. */
export type SparseGrid = { readonly stepPx: number; readonly columns: number; readonly rows: number }

export function sparseGrid({ widthPx, heightPx }: Rect, stepPx: number): SparseGrid {
  const pointsOf = (size: number): number => (size === 0 ? 0 : Math.ceil((size - 1) / stepPx) + 1)
  return { stepPx, columns: pointsOf(widthPx), rows: pointsOf(heightPx) }
}

/** Every pixel of a rectangle, on cubic curves through the points of its grid. */
export function fillMap(points: MapPlanes, grid: SparseGrid, rect: Rect): MapPlanes {
  return { u: fillPlane(points.u, grid, rect), v: fillPlane(points.v, grid, rect) }
}

function fillPlane(
  points: Float32Array,
  { stepPx, columns, rows }: SparseGrid,
  { widthPx, heightPx }: Rect,
): Float32Array {
  const plane = new Float32Array(widthPx * heightPx)
  const row = new Float64Array(columns)
  for (let y = 0; y < heightPx; y++) {
    const above = Math.floor(y / stepPx)
    const within = (y - above * stepPx) / stepPx
    const [forA = 0, forB = 0, forC = 0, forD = 0] = [-1, 0, 1, 2].map(at => catmullRom(at - within))
    for (let k = 0; k < columns; k++) {
      const at = above * columns + k
      const b = points[at] ?? NaN
      if (within === 0) {
        row[k] = b
        continue
      }
      const c = points[at + columns] ?? NaN
      const a = continued(above > 0 ? (points[at - columns] ?? NaN) : NaN, b, c)
      const d = continued(above + 2 < rows ? (points[at + 2 * columns] ?? NaN) : NaN, c, b)
      row[k] = forA * a + forB * b + forC * c + forD * d
    }
    fillRow(row, stepPx, plane.subarray(y * widthPx, (y + 1) * widthPx))
  }
  return plane
}

/** A row of pixels through its points: each curve as a polynomial, which needs few operations at a pixel. */
function fillRow(points: Float64Array, stepPx: number, pixels: Float32Array): void {
  const perPixel = 1 / stepPx
  for (let k = 0, x = 0; x < pixels.length; k++) {
    const b = points[k] ?? NaN
    const c = points[k + 1] ?? NaN
    const a = continued(points[k - 1] ?? NaN, b, c)
    const d = continued(points[k + 2] ?? NaN, c, b)
    const first = (c - a) / 2
    const second = a - 2.5 * b + 2 * c - d / 2
    const third = (d - a + 3 * (b - c)) / 2
    const end = Math.min(pixels.length, x + stepPx)
    pixels[x++] = b
    for (let t = perPixel; x < end; x++, t += perPixel) pixels[x] = b + t * (first + t * (second + t * third))
  }
}

/** A value; if it is missing, extrapolated linearly from two others, the nearer one first. */
const continued = (value: number, near: number, far: number): number => (Number.isNaN(value) ? 2 * near - far : value)
