import { intersectRects, type Rect } from '@vitrine/engine'

/** Whether a rectangle has no pixel. */
export function isEmpty({ widthPx, heightPx }: Rect): boolean {
  return widthPx <= 0 || heightPx <= 0
}

/** A rectangle with a margin on each side; may leave the canvas. */
export function spread(rect: Rect, px: number): Rect {
  if (px <= 0) return rect
  return {
    left: rect.left - px,
    top: rect.top - px,
    widthPx: rect.widthPx + 2 * px,
    heightPx: rect.heightPx + 2 * px,
  }
}

/** Pixels of a strip: floats of three channels and alpha take 16 bytes each. */
const STRIP_PIXELS = 512 * 1024

/** Divides a rectangle from top to bottom into strips that fit into the processor's caches. */
export function* stripsOf(rect: Rect, stripPixels: number = STRIP_PIXELS, leastRows = 16): Generator<Rect> {
  if (isEmpty(rect)) return
  const rows = Math.max(leastRows, Math.floor(stripPixels / rect.widthPx))
  for (let top = rect.top; top < rect.top + rect.heightPx; top += rows) {
    yield intersectRects(rect, { ...rect, top, heightPx: rows })
  }
}
