import { buildContentMap, type ContentMap, type ContentPlacement, contentCoverage, type Rect } from '@vitrine/engine'
import { isEmpty } from '../rects.ts'
import type { Displacement } from './displacement.ts'

/** The map of content, and its coverage of each pixel, after a filter has moved them. */
type DisplacedContent = { readonly map: ContentMap; readonly coverage: Float32Array }

/**
 * Draws content where a filter moves it. `near`: the pixels that the content touches before; they are drawn
 * once, and means of four of them are moved, as the filter moves pixels.
 */
export function displaceContent(
  placement: ContentPlacement,
  near: Rect,
  { from }: Displacement,
): (rect: Rect) => DisplacedContent {
  let still: DisplacedContent | null = null
  const drawStill = (): DisplacedContent => {
    const map = buildContentMap(placement, near)
    return { map, coverage: contentCoverage(placement, map) }
  }
  return rect => {
    const count = rect.widthPx * rect.heightPx
    const map = { rect, x: new Float32Array(count).fill(NaN), y: new Float32Array(count).fill(NaN) }
    const coverage = new Float32Array(count)
    if (isEmpty(near)) return { map, coverage }
    still ??= drawStill()
    for (let row = 0, k = 0; row < rect.heightPx; row++) {
      for (let column = 0; column < rect.widthPx; column++, k++) {
        const [x, y] = from(rect.left + column + 0.5, rect.top + row + 0.5)
        mixAt(still, near, x, y, map, coverage, k)
      }
    }
    return { map, coverage }
  }
}

/** Writes what lies at a point of the document to a pixel. Beyond `near`, its edge goes on transparent. */
function mixAt(
  still: DisplacedContent,
  near: Rect,
  x: number,
  y: number,
  map: ContentMap,
  coverage: Float32Array,
  to: number,
): void {
  const [lastX, lastY] = [near.widthPx - 1, near.heightPx - 1]
  const atX = Math.min(lastX, Math.max(0, x - near.left - 0.5))
  const atY = Math.min(lastY, Math.max(0, y - near.top - 0.5))
  const [left, top] = [Math.floor(atX), Math.floor(atY)]
  let [sumX, sumY, covered, weights] = [0, 0, 0, 0]
  for (let corner = 0; corner < 4; corner++) {
    const [dx, dy] = [corner & 1, corner >> 1]
    const share = (dx === 1 ? atX - left : 1 - atX + left) * (dy === 1 ? atY - top : 1 - atY + top)
    if (share === 0) continue
    const k = Math.min(lastY, top + dy) * near.widthPx + Math.min(lastX, left + dx)
    const contentX = still.map.x[k] ?? NaN
    if (Number.isNaN(contentX)) continue
    sumX += share * contentX
    sumY += share * (still.map.y[k] ?? 0)
    covered += share * (still.coverage[k] ?? 0)
    weights += share
  }
  if (weights === 0) return
  map.x[to] = sumX / weights
  map.y[to] = sumY / weights
  coverage[to] = covered
}
