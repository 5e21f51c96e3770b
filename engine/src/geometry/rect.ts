/** A rectangle whose edges may lie within pixels. */
export type Bounds = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Bounds expanded on every side. */
export function expandBounds({ left, top, width, height }: Bounds, marginX: number, marginY: number): Bounds {
  return { left: left - marginX, top: top - marginY, width: width + 2 * marginX, height: height + 2 * marginY }
}

/** A rectangle of whole output pixels. */
export type Rect = {
  readonly left: number
  readonly top: number
  readonly widthPx: number
  readonly heightPx: number
}

/** The smallest rectangle of the picture that contains every pixel touched by the bounds; may be empty. */
export function clipToPicture(
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  pictureWidthPx: number,
  pictureHeightPx: number,
): Rect {
  const left = Math.min(pictureWidthPx, Math.max(0, Math.floor(minX)))
  const top = Math.min(pictureHeightPx, Math.max(0, Math.floor(minY)))
  const right = Math.max(left, Math.min(pictureWidthPx, Math.ceil(maxX)))
  const bottom = Math.max(top, Math.min(pictureHeightPx, Math.ceil(maxY)))
  return { left, top, widthPx: right - left, heightPx: bottom - top }
}

/** The bounding box of the given rectangles; an empty one at the origin if there are none. */
export function uniteRects(rects: readonly Rect[]): Rect {
  const filled = rects.filter(rect => rect.widthPx > 0 && rect.heightPx > 0)
  if (filled.length === 0) return { left: 0, top: 0, widthPx: 0, heightPx: 0 }
  const left = Math.min(...filled.map(rect => rect.left))
  const top = Math.min(...filled.map(rect => rect.top))
  const right = Math.max(...filled.map(rect => rect.left + rect.widthPx))
  const bottom = Math.max(...filled.map(rect => rect.top + rect.heightPx))
  return { left, top, widthPx: right - left, heightPx: bottom - top }
}

/** Expands a rectangle on each side, inside the picture; an empty one stays empty. */
export function growRect(
  rect: Rect,
  px: number,
  picture: { readonly widthPx: number; readonly heightPx: number },
): Rect {
  if (rect.widthPx === 0 || rect.heightPx === 0) return rect
  const left = Math.max(0, rect.left - px)
  const top = Math.max(0, rect.top - px)
  const right = Math.min(picture.widthPx, rect.left + rect.widthPx + px)
  const bottom = Math.min(picture.heightPx, rect.top + rect.heightPx + px)
  return { left, top, widthPx: right - left, heightPx: bottom - top }
}

/** The rectangle between four sides; empty if they are in the wrong order. */
export function rectOf(left: number, top: number, right: number, bottom: number): Rect {
  return { left, top, widthPx: Math.max(0, right - left), heightPx: Math.max(0, bottom - top) }
}

/** The intersection of two rectangles; empty if they don't overlap. */
export function intersectRects(a: Rect, b: Rect): Rect {
  const left = Math.max(a.left, b.left)
  const top = Math.max(a.top, b.top)
  const widthPx = Math.max(0, Math.min(a.left + a.widthPx, b.left + b.widthPx) - left)
  const heightPx = Math.max(0, Math.min(a.top + a.heightPx, b.top + b.heightPx) - top)
  return { left, top, widthPx, heightPx }
}

export function isSameRect(a: Rect, b: Rect): boolean {
  return a.left === b.left && a.top === b.top && a.widthPx === b.widthPx && a.heightPx === b.heightPx
}

/** Number of pixels in a rectangle. */
export function areaOf({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): number {
  return widthPx * heightPx
}
