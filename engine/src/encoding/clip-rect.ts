import type { Rect } from '../geometry/rect.ts'

/** A rectangle clipped to a picture and expanded to whole pixels; null if nothing is left. */
export function clipRect(rect: Rect, widthPx: number, heightPx: number): Rect | null {
  const left = Math.max(0, Math.floor(rect.left))
  const top = Math.max(0, Math.floor(rect.top))
  const right = Math.min(widthPx, Math.ceil(rect.left + rect.widthPx))
  const bottom = Math.min(heightPx, Math.ceil(rect.top + rect.heightPx))
  // Written so that NaN gives an empty result.
  if (!(right > left && bottom > top && rect.widthPx > 0 && rect.heightPx > 0)) return null
  return { left, top, widthPx: right - left, heightPx: bottom - top }
}
