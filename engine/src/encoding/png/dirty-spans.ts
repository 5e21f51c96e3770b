import type { Rect } from '../../geometry/rect.ts'
import { clipRect } from '../clip-rect.ts'

/** Pixels [fromPx, toPx) of a row whose residuals differ from the scene's. */
export type DirtySpan = { readonly row: number; readonly fromPx: number; readonly toPx: number }

/**
 * The spans to encode again where pixels inside the rectangles differ: one pixel wider to the right and one
 * row longer, since residuals look left and up. In order; spans of a row do not touch.
 */
export function dirtySpans(dirty: readonly Rect[], widthPx: number, heightPx: number): DirtySpan[] {
  const rows = new Map<number, { fromPx: number; toPx: number }[]>()
  for (const rect of dirty) {
    const inside = clipRect(rect, widthPx, heightPx)
    if (!inside) continue
    const span = { fromPx: inside.left, toPx: Math.min(widthPx, inside.left + inside.widthPx + 1) }
    const end = Math.min(heightPx, inside.top + inside.heightPx + 1)
    for (let row = inside.top; row < end; row++) {
      const spans = rows.get(row)
      if (spans) spans.push(span)
      else rows.set(row, [span])
    }
  }
  const merged: DirtySpan[] = []
  for (const row of [...rows.keys()].sort((a, b) => a - b)) {
    const spans = [...(rows.get(row) ?? [])].sort((a, b) => a.fromPx - b.fromPx)
    for (const { fromPx, toPx } of spans) {
      const last = merged.at(-1)
      if (last && last.row === row && fromPx <= last.toPx) {
        merged[merged.length - 1] = { row, fromPx: last.fromPx, toPx: Math.max(last.toPx, toPx) }
      } else {
        merged.push({ row, fromPx, toPx })
      }
    }
  }
  return merged
}
