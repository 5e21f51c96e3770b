/** Connected parts of a plane that are lighter or darker than a level, by their outlines. */
import type { Corner } from '../quad.ts'
import type { Plane } from './plane.ts'

export type Outline = {
  /** The leftmost and rightmost positions of each row, as corners of pixels. */
  readonly points: readonly Corner[]
  /** Pixels between these, or between the topmost and lowest of each column, if those are fewer. */
  readonly filledPx: number
}

const LEVELS = 16

/** Parts of at least `areaMinPx` that do not touch the border, at several levels. */
export function outlinesOf(plane: Plane, areaMinPx: number): Outline[] {
  const sorted = plane.values.toSorted()
  const levels = new Set<number>()
  for (let i = 1; i < LEVELS; i++) {
    // Spread evenly over the values, and over the pixels: nearly all of a photo may be in a few shades.
    levels.add(Math.round((255 * i) / LEVELS))
    levels.add(Math.round(sorted[Math.floor((sorted.length * i) / LEVELS)] ?? 0))
  }
  return [...levels].flatMap(level => outlinesAt(plane, level + 0.5, areaMinPx))
}

function outlinesAt(plane: Plane, level: number, areaMinPx: number): Outline[] {
  const { values, width, height } = plane
  const seen = new Uint8Array(values.length)
  const queue = new Int32Array(values.length)
  const outlines: Outline[] = []
  for (let start = 0; start < values.length; start++) {
    if (seen[start] === 1) continue
    const isLight = (values[start] ?? 0) > level
    let [end, left, right, top, bottom] = [0, width, 0, height, 0]
    const visit = (next: number) => {
      if (seen[next] === 1 || (values[next] ?? 0) > level !== isLight) return
      seen[next] = 1
      queue[end++] = next
    }
    visit(start)
    for (let i = 0; i < end; i++) {
      const at = queue[i] ?? 0
      const x = at % width
      const y = (at - x) / width
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
      if (x > 0) visit(at - 1)
      if (x < width - 1) visit(at + 1)
      if (y > 0) visit(at - width)
      if (y < height - 1) visit(at + width)
    }
    bottom = height
    const isAtBorder = left === 0 || top === 0 || right === width - 1
    if (isAtBorder || (right - left + 1) * (bottom - top) < areaMinPx) continue
    const outline = outlineOf(queue.subarray(0, end), width, height)
    if (outline !== null && outline.filledPx >= areaMinPx) outlines.push(outline)
  }
  return outlines
}

/** Null if the part touches the lower border. */
function outlineOf(part: Int32Array, width: number, height: number): Outline | null {
  const [left, right] = [new Int32Array(height).fill(width), new Int32Array(height).fill(-1)]
  const [top, bottom] = [new Int32Array(width).fill(height), new Int32Array(width).fill(-1)]
  for (const at of part) {
    const x = at % width
    const y = (at - x) / width
    left[y] = Math.min(left[y] ?? x, x)
    right[y] = Math.max(right[y] ?? x, x)
    top[x] = Math.min(top[x] ?? y, y)
    bottom[x] = Math.max(bottom[x] ?? y, y)
  }
  if ((right[height - 1] ?? -1) >= 0) return null
  const points: Corner[] = []
  let byRows = 0
  for (let y = 0; y < height; y++) {
    const [from, to] = [left[y] ?? 0, (right[y] ?? 0) + 1]
    if (to <= from) continue
    byRows += to - from
    points.push([from, y], [to, y], [from, y + 1], [to, y + 1])
  }
  let byColumns = 0
  for (let x = 0; x < width; x++) byColumns += Math.max(0, (bottom[x] ?? 0) + 1 - (top[x] ?? 0))
  return { points, filledPx: Math.min(byRows, byColumns) }
}
