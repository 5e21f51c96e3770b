import type { Rect } from '@vitrine/engine'
import type { Coverage } from '../photo-pixels.ts'
import { PhotoRefusedError } from '../photo-refused-error.ts'

/** A margin around a product, in pixels, for filters of light. */
const MARGIN_PX = 8

/** A smaller share of a pixel is due to rounding of the outline. */
const LEAST_BYTE = 3

/** How much more of an edge is dyed where dyes are darker than the product: otherwise a light rim shows. */
const MOVED_OUT = 0.4

/** The mask of a product over its rectangle: without the pixels of frames, and with them. */
export type ProductPart = {
  /** as in the template: black where frames show artwork */
  readonly mask: Uint8Array
  readonly coverage: Float32Array
  readonly weights: Float32Array
}

/** The part of the photo that has a product. @throws PhotoRefusedError if an outline is empty */
export function requireProductRect(outline: Coverage): Rect {
  const rect = productRect(outline)
  if (rect === null) throw new PhotoRefusedError('The brush found no product. Brush over all of it.')
  return rect
}

function productRect({ widthPx, heightPx, data }: Coverage): Rect | null {
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
  return {
    left,
    top,
    widthPx: Math.min(widthPx, right + MARGIN_PX) - left,
    heightPx: Math.min(heightPx, bottom + MARGIN_PX) - top,
  }
}

/** `taken`: how much of each pixel of the photo frames show. */
export function productCoverage(
  { widthPx, data }: Coverage,
  rect: Rect,
  taken: Uint8Array,
  isDark: boolean,
): ProductPart {
  const count = rect.widthPx * rect.heightPx
  const part = { mask: new Uint8Array(count), coverage: new Float32Array(count), weights: new Float32Array(count) }
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let at = (rect.top + y) * widthPx + rect.left
    for (let x = 0; x < rect.widthPx; x++, i++, at++) {
      const share = movedShare(data[at] ?? 0, isDark)
      part.coverage[i] = share
      part.weights[i] = (data[at] ?? 0) < LEAST_BYTE ? 0 : 1
      part.mask[i] = Math.round(share * (255 - (taken[at] ?? 0)))
    }
  }
  return part
}

function movedShare(byte: number, isDark: boolean): number {
  return isDark || byte === 0 ? byte / 255 : Math.min(1, byte / 255 + MOVED_OUT)
}
