import { distanceToSet, type Point } from '@vitrine/engine'
import type { Stroke } from '../drawing/drawing.ts'
import { GROUND, PRODUCT, UNKNOWN } from './grab-cut.ts'

// People follow an outline to within about half of the brush. Sizes are pixels of the reduced photo.

/** Within this share of its radius, a stroke is certain. */
const SURE_SHARE = 0.5
const LEAST_SURE_PX = 0.75

/** Farther from a stroke than its radius and this, there is no product. */
const REACH_SHARE = 1.6
const LEAST_REACH_PX = 4
const MOST_REACH_PX = 26

/** This far inside the brushed area there is product, between strokes too. */
const SURE_INSIDE_PX = 10

/** For strokes beyond the photo's edge only the part on it counts, for brushes up to this radius. */
const MOST_MARGIN_PX = 128

/** Where the user erased: background, unless a later stroke covers it. */
const ERASED = 3

/** What strokes say about each pixel of a reduced photo. */
export type BrushLabels = {
  /** product, ground, or unknown where the outline may be */
  readonly labels: Uint8Array
  /** how far inside the painted area it lies, in px; below 0: outside */
  readonly depths: Float32Array
  /** 1 where the user certainly erased */
  readonly erased: Uint8Array
}

/** What strokes say about a photo reduced by `scale`. Later ones take precedence. */
export function labelStrokes(
  strokes: readonly Stroke[],
  widthPx: number,
  heightPx: number,
  scale: number,
): BrushLabels {
  const labels = new Uint8Array(widthPx * heightPx)
  const isPainted = new Uint8Array(labels.length)
  for (const group of groupStrokes(strokes)) {
    const radiusPx = group.radius * scale
    const surePx = Math.max(LEAST_SURE_PX, SURE_SHARE * radiusPx)
    const reachPx = radiusPx + Math.min(MOST_REACH_PX, Math.max(LEAST_REACH_PX, REACH_SHARE * radiusPx))
    const near = distancesFrom(group, widthPx, heightPx, scale, Math.ceil(reachPx))
    if (near === null) continue
    const { left, top, width, height, distances } = near
    for (let y = Math.max(0, top); y < Math.min(heightPx, top + height); y++) {
      for (let x = Math.max(0, left); x < Math.min(widthPx, left + width); x++) {
        const distance = distances[(y - top) * width + x - left] ?? Infinity
        if (distance > reachPx) continue
        const i = y * widthPx + x
        const isUnder = distance <= Math.max(surePx, radiusPx)
        if (group.erases) {
          if (!isUnder) continue
          isPainted[i] = 0
          if (distance <= surePx) labels[i] = ERASED
          else if (labels[i] === PRODUCT) labels[i] = UNKNOWN
        } else {
          if (isUnder) isPainted[i] = 1
          if (distance <= surePx) labels[i] = PRODUCT
          else if (labels[i] === GROUND || (isUnder && labels[i] === ERASED)) labels[i] = UNKNOWN
        }
      }
    }
  }
  const depths = distanceToSet(i => isPainted[i] === 0, widthPx, heightPx)
  const heights = distanceToSet(i => isPainted[i] === 1, widthPx, heightPx)
  const erased = labels.map(label => (label === ERASED ? 1 : 0))
  for (const [i, label] of labels.entries()) {
    if (label === UNKNOWN && (depths[i] ?? 0) > SURE_INSIDE_PX) labels[i] = PRODUCT
    else if (label === ERASED) labels[i] = GROUND
    // The edge of what was painted lies between the centres of pixels.
    depths[i] = isPainted[i] === 1 ? (depths[i] ?? 0) - 0.5 : 0.5 - (heights[i] ?? 0)
  }
  return { labels, depths, erased }
}

type StrokeGroup = { readonly radius: number; readonly erases: boolean; readonly lines: Stroke['points'][] }

/** Consecutive strokes of the same brush: they are treated as one. */
function groupStrokes(strokes: readonly Stroke[]): StrokeGroup[] {
  const groups: StrokeGroup[] = []
  for (const { radius, erases, points } of strokes) {
    const last = groups.at(-1)
    if (last && last.radius === radius && last.erases === erases) last.lines.push(points)
    else groups.push({ radius, erases, lines: [points] })
  }
  return groups
}

/** Distances from the lines of strokes, over the part of the photo and its margin that they reach. */
type Distances = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly distances: Float32Array
}

/** Null if the strokes reach no part of the photo. */
function distancesFrom(
  { radius, lines }: StrokeGroup,
  widthPx: number,
  heightPx: number,
  scale: number,
  reachPx: number,
): Distances | null {
  const margin = Math.min(MOST_MARGIN_PX, Math.ceil(radius * scale) + 1)
  const stride = widthPx + 2 * margin
  const isMet = new Uint8Array(stride * (heightPx + 2 * margin))
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  const set = (x: number, y: number): void => {
    const [column, row] = [Math.floor(x), Math.floor(y)]
    if (column < -margin || column >= widthPx + margin || row < -margin || row >= heightPx + margin) return
    isMet[(row + margin) * stride + column + margin] = 1
    left = Math.min(left, column)
    top = Math.min(top, row)
    right = Math.max(right, column)
    bottom = Math.max(bottom, row)
  }
  for (const line of lines) {
    let [fromX, fromY]: Point = line[0] ?? [0, 0]
    for (const [x, y] of line) {
      const steps = Math.max(1, Math.ceil(scale * Math.max(Math.abs(x - fromX), Math.abs(y - fromY))))
      for (let k = 1; k <= steps; k++) {
        const share = k / steps
        set(scale * (fromX + share * (x - fromX)), scale * (fromY + share * (y - fromY)))
      }
      ;[fromX, fromY] = [x, y]
    }
  }
  if (right < left) return null
  left = Math.max(-margin, left - reachPx)
  top = Math.max(-margin, top - reachPx)
  const width = Math.min(widthPx + margin, right + reachPx + 1) - left
  const height = Math.min(heightPx + margin, bottom + reachPx + 1) - top
  const isSet = (i: number): boolean => {
    const [column, row] = [left + (i % width), top + Math.floor(i / width)]
    return isMet[(row + margin) * stride + column + margin] === 1
  }
  return { left, top, width, height, distances: distanceToSet(isSet, width, height) }
}
