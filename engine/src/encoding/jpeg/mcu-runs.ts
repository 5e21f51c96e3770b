import type { Rect } from '../../geometry/rect.ts'
import { clipRect } from '../clip-rect.ts'

/** Side of a minimum coded unit of 4:2:0, in pixels. */
export const MCU_PX = 16

/** MCUs [from, to), numbered along the rows from the top left. */
export type McuRun = { readonly from: number; readonly to: number }

/**
 * The MCUs to encode again if pixels in `dirty` differ from the scene, in order and disjoint: those touched
 * by a rectangle, and the next one after each run, whose DC is stored as a difference.
 */
export function dirtyMcuRuns(dirty: readonly Rect[], widthPx: number, heightPx: number): McuRun[] {
  const columns = Math.ceil(widthPx / MCU_PX)
  const mcuCount = columns * Math.ceil(heightPx / MCU_PX)
  const touched: McuRun[] = []
  for (const rect of dirty) {
    const inside = clipRect(rect, widthPx, heightPx)
    if (!inside) continue
    const left = Math.floor(inside.left / MCU_PX)
    const right = Math.ceil((inside.left + inside.widthPx) / MCU_PX)
    const bottom = Math.ceil((inside.top + inside.heightPx) / MCU_PX)
    for (let row = Math.floor(inside.top / MCU_PX); row < bottom; row++) {
      touched.push({ from: row * columns + left, to: Math.min(row * columns + right + 1, mcuCount) })
    }
  }
  touched.sort((a, b) => a.from - b.from)
  const runs: McuRun[] = []
  for (const run of touched) {
    const last = runs.at(-1)
    if (last && run.from <= last.to) runs[runs.length - 1] = { from: last.from, to: Math.max(last.to, run.to) }
    else runs.push(run)
  }
  return runs
}
