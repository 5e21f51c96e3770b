/** Whole pixels of a picture: columns [xPx, xPx + widthPx), rows [yPx, yPx + heightPx). May reach outside; may be empty. */
export type PixelRect = {
  readonly xPx: number
  readonly yPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** The part of a rectangle inside a picture of that size, widened to whole pixels, or null where nothing is left. */
export function clipRect(rect: PixelRect, widthPx: number, heightPx: number): PixelRect | null {
  const left = Math.max(0, Math.floor(rect.xPx))
  const top = Math.max(0, Math.floor(rect.yPx))
  const right = Math.min(widthPx, Math.ceil(rect.xPx + rect.widthPx))
  const bottom = Math.min(heightPx, Math.ceil(rect.yPx + rect.heightPx))
  // Written so that NaN leaves nothing, rather than everything.
  if (!(right > left && bottom > top && rect.widthPx > 0 && rect.heightPx > 0)) return null
  return { xPx: left, yPx: top, widthPx: right - left, heightPx: bottom - top }
}
