import type { Rect } from '../../geometry/rect.ts'
import { clipRect } from '../clip-rect.ts'

/** Pixels [fromPx, toPx) of a row whose residuals differ from the scene's. */
export type DirtySpan = { readonly row: number; readonly fromPx: number; readonly toPx: number }

/**
 * The spans to encode again if pixels inside the rectangles differ, in order and disjoint. A residual depends
 * on its left, upper and upper left neighbours: one more pixel to the right, one more row below.
 */
export function dirtySpans(dirty: readonly Rect[], widthPx: number, heightPx: number): DirtySpan[] {
  const touched: DirtySpan[] = []
  for (const rect of dirty) {
    const inside = clipRect(rect, widthPx, heightPx)
    if (!inside) continue
    const toPx = Math.min(widthPx, inside.left + inside.widthPx + 1)
    const end = Math.min(heightPx, inside.top + inside.heightPx + 1)
    for (let row = inside.top; row < end; row++) touched.push({ row, fromPx: inside.left, toPx })
  }
  touched.sort((a, b) => a.row - b.row || a.fromPx - b.fromPx)
  const merged: DirtySpan[] = []
  for (const span of touched) {
    const last = merged.at(-1)
    if (last?.row === span.row && span.fromPx <= last.toPx) {
      merged[merged.length - 1] = { ...last, toPx: Math.max(last.toPx, span.toPx) }
    } else merged.push(span)
  }
  return merged
}
