import type { Rect } from '@vitrine/engine'
import type { BezierPath, LayerVectorMask } from 'ag-psd'

/** Sampled rows per pixel; horizontally the area is exact. */
const LINES = 8

/** Straight pieces of one curve. */
const PIECES = 32

/** How much of each pixel of a rectangle a vector mask covers, 0..1. Its knots are document pixels. */
export function rasterizeVectorMask(mask: LayerVectorMask, rect: Rect): Float32Array {
  const count = rect.widthPx * rect.heightPx
  let total: Float32Array | null = null
  for (const path of mask.paths) {
    const plane = fillPath(path, rect)
    total = total ? combine(total, plane, path.operation) : begin(plane, path.operation)
  }
  const out = total ?? new Float32Array(count).fill(mask.fillStartsWithAllPixels ? 1 : 0)
  return mask.invert ? out.map(value => 1 - value) : out
}

function begin(plane: Float32Array, operation: BezierPath['operation']): Float32Array {
  return operation === 'subtract' ? plane.map(value => 1 - value) : plane
}

function combine(total: Float32Array, plane: Float32Array, operation: BezierPath['operation']): Float32Array {
  return total.map((a, k) => {
    const b = plane[k] ?? 0
    switch (operation) {
      case 'subtract':
        return a * (1 - b)
      case 'intersect':
        return a * b
      case 'exclude':
        return a + b - 2 * a * b
      default:
        return a + b - a * b
    }
  })
}

type Edge = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }

function fillPath(path: BezierPath, rect: Rect): Float32Array {
  const { widthPx, heightPx } = rect
  const out = new Float32Array(widthPx * heightPx)
  const edges = flatten(path, rect)
  const crossings: { x: number; turn: number }[] = []
  for (let line = 0; line < heightPx * LINES; line++) {
    const y = (line + 0.5) / LINES
    crossings.length = 0
    for (const { x0, y0, x1, y1 } of edges) {
      if (y0 <= y === y1 <= y) continue
      crossings.push({ x: x0 + ((y - y0) * (x1 - x0)) / (y1 - y0), turn: y0 < y1 ? 1 : -1 })
    }
    if (crossings.length === 0) continue
    crossings.sort((a, b) => a.x - b.x)
    const row = Math.floor(line / LINES) * widthPx
    let winding = 0
    for (const [i, { x, turn }] of crossings.entries()) {
      winding += turn
      const next = crossings[i + 1]
      const isInside = path.fillRule === 'non-zero' ? winding !== 0 : i % 2 === 0
      if (next && isInside) cover(out, row, Math.max(0, x), Math.min(widthPx, next.x))
    }
  }
  return out
}

function cover(out: Float32Array, row: number, from: number, to: number): void {
  for (let x = Math.floor(from); x < to; x++) {
    const part = Math.min(x + 1, to) - Math.max(x, from)
    if (part > 0) out[row + x] = (out[row + x] ?? 0) + part / LINES
  }
}

/** The closed outline in straight pieces, in pixels of the rectangle; only pieces that cross its rows. */
function flatten({ knots, open }: BezierPath, rect: Rect): Edge[] {
  const edges: Edge[] = []
  const pointOf = (values: readonly number[], at: number) =>
    [(values[at] ?? 0) - rect.left, (values[at + 1] ?? 0) - rect.top] as const
  let last: readonly [number, number] | null = null
  let first: readonly [number, number] | null = null
  const lineTo = (point: readonly [number, number]): void => {
    if (last && Math.max(last[1], point[1]) > 0 && Math.min(last[1], point[1]) < rect.heightPx) {
      edges.push({ x0: last[0], y0: last[1], x1: point[0], y1: point[1] })
    }
    first ??= point
    last = point
  }
  for (const [i, knot] of knots.entries()) {
    const next = knots[(i + 1) % knots.length]
    if (!next || (open && i === knots.length - 1)) continue
    const [p0, p1, p2, p3] = [
      pointOf(knot.points, 2),
      pointOf(knot.points, 4),
      pointOf(next.points, 0),
      pointOf(next.points, 2),
    ]
    for (let step = i === 0 ? 0 : 1; step <= PIECES; step++) {
      const t = step / PIECES
      const s = 1 - t
      const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
      lineTo([a * p0[0] + b * p1[0] + c * p2[0] + d * p3[0], a * p0[1] + b * p1[1] + c * p2[1] + d * p3[1]])
    }
  }
  if (first) lineTo(first)
  return edges
}
