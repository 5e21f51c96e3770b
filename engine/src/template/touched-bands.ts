import { BAND_PX } from '../../kernels/assembly/stack/constants.ts'
import { splitIntoBands } from '../drawing/draw-operations.ts'
import { type Rect, uniteRects } from '../geometry/rect.ts'
import type { PreparedFrame } from './prepare-frame.ts'

/** Encoders work in units of 16 rows. */
const BAND_ROWS = 16

/** Where frames draw: for every 16 rows of the picture the columns from a frame's first pixel to the last. */
export function findTouchedBands(frames: readonly PreparedFrame[]): readonly Rect[] {
  return frames.flatMap(({ plan }) => {
    const { left, top, widthPx, heightPx } = plan.region
    const bands: Rect[] = []
    for (let row = 0; row < heightPx; ) {
      const end = Math.min(heightPx, row + BAND_ROWS - ((top + row) % BAND_ROWS))
      let first = widthPx
      let last = -1
      for (let y = row; y < end; y++) {
        const rowEnd = plan.rowEnd[y] ?? 0
        if (rowEnd > 0) first = Math.min(first, plan.rowStart[y] ?? 0)
        last = Math.max(last, rowEnd - 1)
      }
      if (last >= first)
        bands.push({ left: left + first, top: top + row, widthPx: last - first + 1, heightPx: end - row })
      row = end
    }
    return bands
  })
}

/** The same for a stack: bands that lie apart, of at most BAND_PX pixels. */
export function findStackBands(frames: readonly PreparedFrame[]): readonly Rect[] {
  const byRows = new Map<number, Rect[]>()
  for (const band of findTouchedBands(frames)) {
    const rows = Math.floor(band.top / BAND_ROWS)
    byRows.set(rows, [...(byRows.get(rows) ?? []), band])
  }
  return [...byRows.values()].flatMap(bands => splitIntoBands(uniteRects(bands), BAND_PX))
}
