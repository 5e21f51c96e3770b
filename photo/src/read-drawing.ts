import { type Drawing, parseDrawing } from './drawing/drawing.ts'
import { MAX_PHOTO_SIDE_PX, MIN_PHOTO_SIDE_PX } from './limits.ts'
import type { Outlines, PhotoPixels } from './photo-pixels.ts'
import { PhotoRefusedError } from './photo-refused-error.ts'

/** Sides of photo and drawing may differ by rounding; by more if the photo was cropped. */
const RATIO_ERROR = 0.01

/**
 * A drawing as in drawing.json, in its own pixels, on a photo whose outlines are known.
 * @throws BundleError for a faulty drawing; PhotoRefusedError for one on another photo
 */
export function readDrawing(photo: PhotoPixels, json: unknown, outlines: Outlines): Drawing {
  const drawing = parseDrawing(json)
  assertDrawing(photo, drawing, outlines)
  return drawing
}

/** @throws PhotoRefusedError for a drawing on another photo, or one whose outlines are missing */
export function assertDrawing(photo: PhotoPixels, drawing: Drawing, outlines: Outlines): void {
  assertPhoto(photo, drawing)
  assertOutlines(drawing, outlines)
}

function assertPhoto({ widthPx, heightPx }: PhotoPixels, { width, height }: Drawing): void {
  if (Math.min(widthPx, heightPx) < MIN_PHOTO_SIDE_PX || Math.max(widthPx, heightPx) > MAX_PHOTO_SIDE_PX) {
    const sides = `${MIN_PHOTO_SIDE_PX} to ${MAX_PHOTO_SIDE_PX}`
    throw new PhotoRefusedError(`Expected a photo of ${sides} px a side but received ${widthPx} x ${heightPx} px.`)
  }
  if (Math.abs(Math.log((widthPx * height) / (heightPx * width))) > RATIO_ERROR) {
    const received = `one on ${width} x ${height} px`
    throw new PhotoRefusedError(
      `Expected a drawing on a photo of ${widthPx} x ${heightPx} px but received ${received}.`,
    )
  }
}

/** Brushed areas need an outline, which is not in the drawing. */
function assertOutlines({ frames, product }: Drawing, outlines: Outlines): void {
  const isTraced =
    (product === null || outlines.product !== null) &&
    frames.every(({ front }, index) => front.length === 0 || (outlines.fronts[index] ?? null) !== null)
  if (!isTraced) throw new PhotoRefusedError('The outline of what was brushed over is not known.')
}
