import type { Point } from '../geometry/quad.ts'

/**
 * Bicubic Bezier patches that share their edges: (3 m + 1) x (3 n + 1) control points, row by row, and the
 * patches' boundaries in content pixels.
 */
export type Mesh = {
  readonly columns: number
  readonly rows: number
  readonly points: readonly Point[]
  readonly sliceX: readonly number[]
  readonly sliceY: readonly number[]
}

/** Whether a mesh is the identity. */
export function isPlain({ columns, points, sliceX, sliceY }: Mesh): boolean {
  return points.every(([x, y], i) => {
    const wantedX = evenAlong(sliceX, i % columns)
    const wantedY = evenAlong(sliceY, Math.floor(i / columns))
    return Math.abs(x - wantedX) <= 0.01 && Math.abs(y - wantedY) <= 0.01
  })
}

/** The `index`th control point along an axis of an identity mesh. */
function evenAlong(slices: readonly number[], index: number): number {
  const patch = Math.min(Math.floor(index / 3), slices.length - 2)
  const from = slices[patch] ?? 0
  return from + (((slices[patch + 1] ?? 0) - from) * (index - 3 * patch)) / 3
}

/** Maps a content point by a mesh; beyond the ends the outer patches continue. */
export function meshPoint({ columns, points, sliceX, sliceY }: Mesh, x: number, y: number): Point {
  const i = patchAt(sliceX, x)
  const j = patchAt(sliceY, y)
  const [x0, x1] = [sliceX[i] ?? 0, sliceX[i + 1] ?? 1]
  const [y0, y1] = [sliceY[j] ?? 0, sliceY[j + 1] ?? 1]
  const u = (x - x0) / (x1 - x0)
  const v = (y - y0) / (y1 - y0)
  let [sumX, sumY] = [0, 0]
  for (let row = 0; row < 4; row++) {
    const weightY = bernstein(row, v)
    for (let column = 0; column < 4; column++) {
      const point = points[(3 * j + row) * columns + 3 * i + column]
      if (!point) continue
      const weight = weightY * bernstein(column, u)
      sumX += point[0] * weight
      sumY += point[1] * weight
    }
  }
  return [sumX, sumY]
}

function patchAt(slices: readonly number[], value: number): number {
  let patch = 0
  while (patch < slices.length - 2 && value > (slices[patch + 1] ?? 0)) patch++
  return patch
}

function bernstein(i: number, t: number): number {
  const s = 1 - t
  switch (i) {
    case 0:
      return s * s * s
    case 1:
      return 3 * s * s * t
    case 2:
      return 3 * s * t * t
    default:
      return t * t * t
  }
}
