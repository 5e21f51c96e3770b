import { intersectRects, type Rect, rectOf } from '../geometry/rect.ts'
import { type ContentPlacement, contentFromDocument } from './content-placement.ts'

/** The content point at the centre of each pixel of a rectangle; NaN if there is none. */
export type ContentMap = {
  readonly rect: Rect
  readonly x: Float32Array
  readonly y: Float32Array
}

/** Cells of a patch per axis; refined afterwards. */
const CELLS = 24

/** The content extends this many pixels beyond its edges, for filters at the edge. */
const RING_PX = 4

/** Iterations of Newton's method, and the error in document pixels that ends them. */
const NEWTON_STEPS = 3
const NEWTON_ERROR_PX = 1e-3

/** The part of the canvas that a placement can touch, with a few pixels of margin. */
export function placementBounds(placement: ContentPlacement, canvas: Rect): Rect {
  const { contentWidth, contentHeight, forward } = placement
  const steps = 64
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let j = 0; j <= steps; j++) {
    for (let i = 0; i <= steps; i++) {
      const [x, y] = forward((contentWidth * i) / steps, (contentHeight * j) / steps)
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  if (![left, top, right, bottom].every(Number.isFinite)) return { ...canvas, widthPx: 0, heightPx: 0 }
  return intersectRects(
    rectOf(Math.floor(left) - 3, Math.floor(top) - 3, Math.ceil(right) + 3, Math.ceil(bottom) + 3),
    canvas,
  )
}

/** The map of a placement over a rectangle: exact for four corners, otherwise to 1/1000 px. */
export function buildContentMap(placement: ContentPlacement, rect: Rect): ContentMap {
  const count = rect.widthPx * rect.heightPx
  const map = { rect, x: new Float32Array(count).fill(NaN), y: new Float32Array(count).fill(NaN) }
  const inverse = contentFromDocument(placement)
  if (inverse) {
    for (let row = 0, k = 0; row < rect.heightPx; row++) {
      for (let column = 0; column < rect.widthPx; column++, k++) {
        const [px, py] = [rect.left + column + 0.5, rect.top + row + 0.5]
        const w = inverse[6] * px + inverse[7] * py + inverse[8]
        map.x[k] = (inverse[0] * px + inverse[1] * py + inverse[2]) / w
        map.y[k] = (inverse[3] * px + inverse[4] * py + inverse[5]) / w
      }
    }
    return map
  }
  drawCells(placement, map)
  refine(placement, map)
  return map
}

/** Content coordinates of the cells' corners along an axis, with one more cell at each end. */
function cellCorners(slices: readonly number[]): Float64Array {
  const inner = [slices[0] ?? 0]
  for (let patch = 0; patch + 1 < slices.length; patch++) {
    const [from, to] = [slices[patch] ?? 0, slices[patch + 1] ?? 0]
    for (let cell = 1; cell <= CELLS; cell++) inner.push(from + ((to - from) * cell) / CELLS)
  }
  const [first = 0, second = 0] = inner
  const [beforeLast = 0, last = 0] = inner.slice(-2)
  const start = first - Math.min(second - first, RING_PX)
  return Float64Array.from([start, ...inner, last + Math.min(last - beforeLast, RING_PX)])
}

/** Draws two triangles per cell, the outer ring first, so that the content covers it where it folds. */
function drawCells(placement: ContentPlacement, map: ContentMap): void {
  const xs = cellCorners(placement.sliceX)
  const ys = cellCorners(placement.sliceY)
  const columns = xs.length
  const corners = new Float64Array(columns * ys.length * 2)
  for (const [j, y] of ys.entries()) {
    for (const [i, x] of xs.entries()) corners.set(placement.forward(x, y), 2 * (j * columns + i))
  }
  const drawCell = (i: number, j: number): void => {
    const cornerOf = (di: number, dj: number): Corner => {
      const k = 2 * ((j + dj) * columns + i + di)
      const { left, top } = map.rect
      return {
        px: (corners[k] ?? 0) - left,
        py: (corners[k + 1] ?? 0) - top,
        x: xs[i + di] ?? 0,
        y: ys[j + dj] ?? 0,
      }
    }
    const [a, b, c, d] = [cornerOf(0, 0), cornerOf(1, 0), cornerOf(0, 1), cornerOf(1, 1)]
    drawTriangle(a, b, d, map)
    drawTriangle(a, d, c, map)
  }
  const isRing = (i: number, j: number): boolean => i === 0 || j === 0 || i === columns - 2 || j === ys.length - 2
  for (const ring of [true, false]) {
    for (let j = 0; j < ys.length - 1; j++) {
      for (let i = 0; i < columns - 1; i++) if (isRing(i, j) === ring) drawCell(i, j)
    }
  }
}

/** A corner of a cell, in pixels of the map and in content pixels. */
type Corner = { readonly px: number; readonly py: number; readonly x: number; readonly y: number }

function drawTriangle(a: Corner, b: Corner, c: Corner, { rect, x, y }: ContentMap): void {
  const determinant = (b.px - a.px) * (c.py - a.py) - (c.px - a.px) * (b.py - a.py)
  if (!(Math.abs(determinant) >= 1e-12)) return
  const fromX = Math.max(0, Math.floor(Math.min(a.px, b.px, c.px) - 0.5))
  const toX = Math.min(rect.widthPx - 1, Math.ceil(Math.max(a.px, b.px, c.px) - 0.5))
  const fromY = Math.max(0, Math.floor(Math.min(a.py, b.py, c.py) - 0.5))
  const toY = Math.min(rect.heightPx - 1, Math.ceil(Math.max(a.py, b.py, c.py) - 0.5))
  for (let row = fromY; row <= toY; row++) {
    for (let column = fromX; column <= toX; column++) {
      const [dx, dy] = [column + 0.5 - a.px, row + 0.5 - a.py]
      const s = (dx * (c.py - a.py) - dy * (c.px - a.px)) / determinant
      const t = (dy * (b.px - a.px) - dx * (b.py - a.py)) / determinant
      if (s < -1e-6 || t < -1e-6 || s + t > 1 + 1e-6) continue
      const k = row * rect.widthPx + column
      x[k] = a.x + s * (b.x - a.x) + t * (c.x - a.x)
      y[k] = a.y + s * (b.y - a.y) + t * (c.y - a.y)
    }
  }
}

/** Step of the finite differences, in content pixels. */
const DIFFERENCE = 1e-3

/** Refines the map by Newton's method, starting from the triangles. */
function refine({ forward }: ContentPlacement, { rect, x, y }: ContentMap): void {
  for (let k = 0; k < x.length; k++) {
    const [startX, startY] = [x[k] ?? NaN, y[k] ?? NaN]
    if (Number.isNaN(startX)) continue
    const [px, py] = [rect.left + (k % rect.widthPx) + 0.5, rect.top + Math.floor(k / rect.widthPx) + 0.5]
    let [atX, atY] = [startX, startY]
    for (let step = 0; step < NEWTON_STEPS; step++) {
      const [fx, fy] = forward(atX, atY)
      const [dx, dy] = [px - fx, py - fy]
      if (Math.abs(dx) + Math.abs(dy) < NEWTON_ERROR_PX) break
      const [rightX, rightY] = forward(atX + DIFFERENCE, atY)
      const [downX, downY] = forward(atX, atY + DIFFERENCE)
      const [a, c] = [(rightX - fx) / DIFFERENCE, (rightY - fy) / DIFFERENCE]
      const [b, d] = [(downX - fx) / DIFFERENCE, (downY - fy) / DIFFERENCE]
      const determinant = a * d - b * c
      if (!(Math.abs(determinant) >= 1e-9)) break
      atX += (d * dx - b * dy) / determinant
      atY += (a * dy - c * dx) / determinant
    }
    if (Math.abs(atX - startX) < 50 && Math.abs(atY - startY) < 50) {
      x[k] = atX
      y[k] = atY
    }
  }
}

/**
 * How much of each pixel the content covers, 0..1: over the four sides, the product of the distance to the
 * side in document pixels plus a half, clamped to 0..1. `mostSkippedPx`: up to so many pixels of a row that
 * follow one far from all sides are taken for covered, as they are on smooth maps.
 */
export function contentCoverage(
  { contentWidth, contentHeight }: Pick<ContentPlacement, 'contentWidth' | 'contentHeight'>,
  { rect, x, y }: ContentMap,
  mostSkippedPx = 0,
): Float32Array {
  const out = new Float32Array(x.length)
  const { widthPx, heightPx } = rect
  for (let row = 0, k = 0; row < heightPx; row++) {
    for (let column = 0; column < widthPx; column++, k++) {
      const cx = x[k] ?? NaN
      const cy = y[k] ?? NaN
      if (Number.isNaN(cx)) continue
      if (row > 0 && column > 0 && row < heightPx - 1 && column < widthPx - 1) {
        const reachX = slopeSum(x, k, widthPx)
        const reachY = slopeSum(y, k, widthPx)
        if (reachX > LEAST_GRADIENT && reachY > LEAST_GRADIENT) {
          // Twice as far as half a pixel, because no gradient is longer than the sum of its parts.
          const awayX = Math.min(cx, contentWidth - cx) / reachX
          const awayY = Math.min(cy, contentHeight - cy) / reachY
          if (awayX >= 1 && awayY >= 1) {
            const skipped = Math.min(mostSkippedPx, Math.floor(Math.min(awayX, awayY) / 2), widthPx - 1 - column)
            for (const last = k + skipped; k < last; k++, column++) out[k] = 1
            out[k] = 1
            continue
          }
          if (awayX <= -1 || awayY <= -1) continue
        }
      }
      const gradientX = lengthOf(slope(x, k, column, widthPx, 1), slope(x, k, row, heightPx, widthPx)) || LEAST_GRADIENT
      const gradientY = lengthOf(slope(y, k, column, widthPx, 1), slope(y, k, row, heightPx, widthPx)) || LEAST_GRADIENT
      const across = edge(cx / gradientX) * edge((contentWidth - cx) / gradientX)
      out[k] = across * edge(cy / gradientY) * edge((contentHeight - cy) / gradientY)
    }
  }
  return out
}

/** Of content pixels per pixel. */
const LEAST_GRADIENT = 1e-6

/** The slopes along both axes of a pixel that has four neighbours. */
function slopeSum(plane: Float32Array, k: number, widthPx: number): number {
  const across = Math.abs((plane[k + 1] ?? NaN) - (plane[k - 1] ?? NaN))
  const down = Math.abs((plane[k + widthPx] ?? NaN) - (plane[k - widthPx] ?? NaN))
  return (across + down) / 2
}

/** Several times faster than Math.hypot, whose care for very large numbers is not needed. */
function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}

function edge(distancePx: number): number {
  return Math.min(1, Math.max(0, distancePx + 0.5))
}

/** The slope of a plane per pixel along an axis, from the neighbours that have values. */
export function slope(plane: Float32Array, k: number, at: number, size: number, step: number): number {
  const here = plane[k] ?? NaN
  const before = at > 0 ? (plane[k - step] ?? NaN) : NaN
  const after = at < size - 1 ? (plane[k + step] ?? NaN) : NaN
  if (!Number.isNaN(before) && !Number.isNaN(after)) return (after - before) / 2
  if (!Number.isNaN(after)) return after - here
  return Number.isNaN(before) ? 0 : here - before
}
