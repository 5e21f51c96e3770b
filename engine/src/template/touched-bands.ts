import { BAND_PX } from '../../kernels/assembly/stack/constants.ts'
import { splitIntoBands } from '../drawing/draw-operations.ts'
import type { PreparedFrame } from '../drawing/prepared-frame.ts'
import { areaOf, type Rect, uniteRects } from '../geometry/rect.ts'

/** Encoders work in units of 16 rows. */
const BAND_ROWS = 16

/**
 * Where frames draw: for every 16 rows of the picture, the columns from a frame's first pixel to its last, or
 * those that its effects reach.
 */
export function findTouchedBands(frames: readonly PreparedFrame[]): readonly Rect[] {
  return frames.flatMap(({ plan, reach }) => {
    const { left, top, widthPx, heightPx } = reach
    // Effects are soft; their exact rows are not known.
    const hasEffects = areaOf(reach) > areaOf(plan.region)
    const bands: Rect[] = []
    for (let row = 0; row < heightPx; ) {
      const end = Math.min(heightPx, row + BAND_ROWS - ((top + row) % BAND_ROWS))
      const [first, last] = hasEffects ? [0, widthPx - 1] : findColumns(plan, row, end)
      if (last >= first)
        bands.push({ left: left + first, top: top + row, widthPx: last - first + 1, heightPx: end - row })
      row = end
    }
    return bands
  })
}

/** The first and last column of a frame within some rows. */
function findColumns(
  { region, rowStart, rowEnd }: PreparedFrame['plan'],
  row: number,
  end: number,
): readonly [first: number, last: number] {
  let first = region.widthPx
  let last = -1
  for (let y = row; y < end; y++) {
    const behind = rowEnd[y] ?? 0
    if (behind > 0) first = Math.min(first, rowStart[y] ?? 0)
    last = Math.max(last, behind - 1)
  }
  return [first, last]
}

/** The same for a stack: bands that do not overlap, of at most BAND_PX pixels. */
export function findStackBands(frames: readonly PreparedFrame[]): readonly Rect[] {
  const byRows = new Map<number, Rect[]>()
  for (const band of findTouchedBands(frames)) {
    const rows = Math.floor(band.top / BAND_ROWS)
    byRows.set(rows, [...(byRows.get(rows) ?? []), band])
  }
  return [...byRows.values()].flatMap(bands => splitIntoBands(uniteRects(bands), BAND_PX))
}
