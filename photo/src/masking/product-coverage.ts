import type { Rect } from '@vitrine/engine'
import type { Coverage } from '../photo-pixels.ts'

/** Pixels around a product: filters of light need some. */
const MARGIN_PX = 8

/** Less of a pixel is the rounding of its outline. */
const LEAST_BYTE = 3

/** A product over its rectangle: without what frames show, and with it. */
export type ProductPart = {
  readonly rect: Rect
  /** as the template has it: black where frames show artwork */
  readonly mask: Uint8Array
  readonly coverage: Float32Array
  readonly weights: Float32Array
}

/** Null where there is no product. `taken`: how much of each pixel of the photo frames show. */
export function productCoverage({ widthPx, heightPx, data }: Coverage, taken: Uint8Array): ProductPart | null {
  let [left, top, right, bottom] = [widthPx, heightPx, 0, 0]
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      if ((data[i] ?? 0) < LEAST_BYTE) continue
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = y + 1
    }
  }
  if (right <= left) return null
  left = Math.max(0, left - MARGIN_PX)
  top = Math.max(0, top - MARGIN_PX)
  const rect: Rect = {
    left,
    top,
    widthPx: Math.min(widthPx, right + MARGIN_PX) - left,
    heightPx: Math.min(heightPx, bottom + MARGIN_PX) - top,
  }
  const count = rect.widthPx * rect.heightPx
  const part = { mask: new Uint8Array(count), coverage: new Float32Array(count), weights: new Float32Array(count) }
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let at = (top + y) * widthPx + left
    for (let x = 0; x < rect.widthPx; x++, i++, at++) {
      const share = (data[at] ?? 0) / 255
      part.coverage[i] = share
      part.weights[i] = (data[at] ?? 0) < LEAST_BYTE ? 0 : 1
      part.mask[i] = Math.round(share * (255 - (taken[at] ?? 0)))
    }
  }
  return { rect, ...part }
}
