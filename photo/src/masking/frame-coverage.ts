import { distanceToSet, type Rect } from '@vitrine/engine'
import type { Coverage } from '../photo-pixels.ts'
import type { SurfaceMap } from '../surfaces/frame-surface.ts'

/** What hides a frame's artwork or ends it. */
export type FrameLimits = {
  /** what is in front of it; null: nothing */
  readonly front: Coverage | null
  /** the product from whose outline it ends at a distance; null: it goes on to its own edges */
  readonly product: Coverage | null
  readonly insetPx: number
  /** per pixel of the photo: what former frames show already */
  readonly taken: Uint8Array
}

/** How much of each pixel shows the artwork, as bytes over the map's rectangle. Adds it to what is taken. */
export function frameCoverage(map: SurfaceMap, widthPx: number, limits: FrameLimits): Uint8Array {
  const { rect, coverage } = map
  const { front, product, insetPx, taken } = limits
  const inside = product && distanceInside(product, rect, insetPx)
  const bytes = new Uint8Array(coverage.length)
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let at = (rect.top + y) * widthPx + rect.left
    for (let x = 0; x < rect.widthPx; x++, i++, at++) {
      let share = coverage[i] ?? 0
      if (inside) share *= inside[i] ?? 0
      if (front) share *= 1 - (front.data[at] ?? 0) / 255
      const byte = Math.min(Math.round(255 * share), 255 - (taken[at] ?? 0))
      bytes[i] = byte
      taken[at] = (taken[at] ?? 0) + byte
    }
  }
  return bytes
}

/** 1 where a pixel is farther inside the product than the inset, 0 where it is not; between along a pixel. */
function distanceInside(product: Coverage, rect: Rect, insetPx: number): Float32Array {
  // A margin, so that an outline just beyond the rectangle counts.
  const margin = Math.ceil(insetPx) + 1
  const left = Math.max(0, rect.left - margin)
  const top = Math.max(0, rect.top - margin)
  const widthPx = Math.min(product.widthPx, rect.left + rect.widthPx + margin) - left
  const heightPx = Math.min(product.heightPx, rect.top + rect.heightPx + margin) - top
  const isOutside = (k: number): boolean =>
    (product.data[(top + Math.floor(k / widthPx)) * product.widthPx + left + (k % widthPx)] ?? 0) < 128
  const distances = distanceToSet(isOutside, widthPx, heightPx)
  const inside = new Float32Array(rect.widthPx * rect.heightPx)
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let from = (rect.top + y - top) * widthPx + rect.left - left
    for (let x = 0; x < rect.widthPx; x++, i++, from++) {
      inside[i] = Math.min(1, Math.max(0, (distances[from] ?? 0) - insetPx))
    }
  }
  return inside
}
