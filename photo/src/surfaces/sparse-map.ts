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
  const weights = Float64Array.from({ length: 4 * stepPx }, (_, i) => catmullRom((i % 4) - 1 - (i >> 2) / stepPx))
  const row = new Float64Array(columns)
  for (let y = 0; y < heightPx; y++) {
    const above = Math.floor(y / stepPx)
    const within = y - above * stepPx
    for (let k = 0; k < columns; k++) {
      const at = above * columns + k
      if (within === 0) {
        row[k] = points[at] ?? NaN
        continue
      }
      const [b, c] = [points[at] ?? NaN, points[at + columns] ?? NaN]
      const a = continued(above > 0 ? (points[at - columns] ?? NaN) : NaN, b, c)
      const d = continued(above + 2 < rows ? (points[at + 2 * columns] ?? NaN) : NaN, c, b)
      row[k] = mix(weights, 4 * within, a, b, c, d)
    }
    for (let k = 0, at = y * widthPx; k < columns; k++) {
      const [b, c] = [row[k] ?? NaN, row[k + 1] ?? NaN]
      const a = continued(row[k - 1] ?? NaN, b, c)
      const d = continued(row[k + 2] ?? NaN, c, b)
      const end = Math.min(stepPx, widthPx - k * stepPx)
      if (end > 0) plane[at++] = b
      for (let i = 1; i < end; i++) plane[at++] = mix(weights, 4 * i, a, b, c, d)
    }
  }
  return plane
}

/** A value; if it is missing, extrapolated linearly from two others, the nearer one first. */
const continued = (value: number, near: number, far: number): number => (Number.isNaN(value) ? 2 * near - far : value)

function mix(weights: Float64Array, at: number, a: number, b: number, c: number, d: number): number {
  return (weights[at] ?? 0) * a + (weights[at + 1] ?? 0) * b + (weights[at + 2] ?? 0) * c + (weights[at + 3] ?? 0) * d
}
