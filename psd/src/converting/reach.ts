import { type Rect, uniteRects } from '@vitrine/engine'
import { stripsOf } from '../rects.ts'
import type { FrameOperation } from './operation.ts'

/** Where artwork can change the picture. */
export type Reach = {
  readonly rect: Rect
  /** for each pixel of the rectangle, a bit for each frame that shows there; the first frame is bit 0 */
  readonly frames: Uint16Array
}

/** Where the coverage of each frame times its masks is above 0. */
export function findReach(frames: readonly FrameOperation[]): Reach {
  const rect = uniteRects(frames.map(({ geometry }) => geometry.bounds))
  const bits = new Uint16Array(rect.widthPx * rect.heightPx)
  for (const [index, { geometry }] of frames.entries()) {
    for (const strip of stripsOf(geometry.bounds)) {
      const shape = geometry.shape(strip)
      for (let y = 0, k = 0; y < strip.heightPx; y++) {
        let to = (strip.top + y - rect.top) * rect.widthPx + strip.left - rect.left
        for (let x = 0; x < strip.widthPx; x++, k++, to++) {
          if ((shape[k] ?? 0) > 0) bits[to] = (bits[to] ?? 0) | (1 << index)
        }
      }
    }
  }
  return { rect, frames: bits }
}
