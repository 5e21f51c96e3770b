import type { Rect } from '@vitrine/engine'
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
  const [first, second, third] = [new Float64Array(columns), new Float64Array(columns), new Float64Array(columns)]
  // With missing points at both ends, so that nothing is read beyond them.
  const row = new Float64Array(columns + 3).fill(NaN)
  for (let above = 0, at = 0, y = 0; y < heightPx; above++, at += columns) {
    if (above + 1 < rows) {
      for (let k = 0; k < columns; k++) {
        const b = points[at + k] ?? NaN
        const c = points[at + k + columns] ?? NaN
        const a = continued(above > 0 ? (points[at + k - columns] ?? NaN) : NaN, b, c)
        const d = continued(above + 2 < rows ? (points[at + k + 2 * columns] ?? NaN) : NaN, c, b)
        first[k] = (c - a) / 2
        second[k] = a - 2.5 * b + 2 * c - d / 2
        third[k] = (d - a + 3 * (b - c)) / 2
      }
    }
    for (const end = Math.min(heightPx, y + stepPx), from = y; y < end; y++) {
      const t = (y - from) / stepPx
      for (let k = 0; k < columns; k++) {
        const b = points[at + k] ?? NaN
        row[k + 1] = t === 0 ? b : b + t * ((first[k] ?? NaN) + t * ((second[k] ?? NaN) + t * (third[k] ?? NaN)))
      }
      fillRow(row, stepPx, plane, y * widthPx, widthPx)
    }
  }
  return plane
}

/** A row of pixels through its points: each curve as a polynomial, which needs few operations at a pixel. */
function fillRow(points: Float64Array, stepPx: number, plane: Float32Array, from: number, widthPx: number): void {
  const perPixel = 1 / stepPx
  for (let k = 1, i = from; i < from + widthPx; k++) {
    const b = points[k] ?? NaN
    const c = points[k + 1] ?? NaN
    const a = continued(points[k - 1] ?? NaN, b, c)
    const d = continued(points[k + 2] ?? NaN, c, b)
    const first = (c - a) / 2
    const second = a - 2.5 * b + 2 * c - d / 2
    const third = (d - a + 3 * (b - c)) / 2
    const end = Math.min(from + widthPx, i + stepPx)
    plane[i++] = b
    for (let t = perPixel; i < end; i++, t += perPixel) plane[i] = b + t * (first + t * (second + t * third))
  }
}

/** A value; if it is missing, extrapolated linearly from two others, the nearer one first. */
function continued(value: number, near: number, far: number): number {
  return Number.isNaN(value) ? 2 * near - far : value
}
