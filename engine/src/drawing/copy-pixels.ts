import type { Rect } from '../geometry/rect.ts'
import type { Ground } from '../operations/operation.ts'

/** Copies a rectangle of the picture from one part of it to another. */
export function copyPixels(from: Ground, to: Ground, { left, top, widthPx, heightPx }: Rect): void {
  for (let y = top; y < top + heightPx; y++) {
    const source = ((y - from.top) * from.pixels.widthPx + left - from.left) * 3
    const target = ((y - to.top) * to.pixels.widthPx + left - to.left) * 3
    to.pixels.data.set(from.pixels.data.subarray(source, source + widthPx * 3), target)
  }
}
