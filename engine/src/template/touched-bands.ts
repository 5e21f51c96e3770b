import type { Rect } from '../geometry/rect.ts'
import type { PreparedFrame } from './prepare-frame.ts'

/** Encoders work in units of 16 rows, so a finer outline would gain nothing. */
const BAND_ROWS = 16

/**
 * Where frames draw: for every 16 rows of the picture (aligned to its top), the columns between a frame's first and last pixel in them.
 * All else of a mockup is the scene's.
 */
export function findTouchedBands(frames: readonly PreparedFrame[]): readonly Rect[] {
  return frames.flatMap(({ plan }) => {
    const { left, top, widthPx, heightPx } = plan.region
    const bands: Rect[] = []
    for (let row = 0; row < heightPx; ) {
      const end = Math.min(heightPx, row + BAND_ROWS - ((top + row) % BAND_ROWS))
      let first = widthPx
      let last = -1
      for (let chunk = plan.rowChunk[row] ?? 0; chunk < (plan.rowChunk[end] ?? 0); chunk++) {
        const column = (plan.chunkStart[chunk] ?? 0) % widthPx
        first = Math.min(first, column)
        last = Math.max(last, column + (plan.chunkLength[chunk] ?? 0) - 1)
      }
      if (last >= first)
        bands.push({ left: left + first, top: top + row, widthPx: last - first + 1, heightPx: end - row })
      row = end
    }
    return bands
  })
}
