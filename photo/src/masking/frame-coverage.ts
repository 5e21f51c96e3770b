import { distanceToSet, type Rect } from '@vitrine/engine'
import type { Coverage } from '../photo-pixels.ts'
import type { SurfaceMap } from '../surfaces/frame-surface.ts'

/** How far inside a product the pixels of a part of the photo lie. */
export type ProductDepths = { readonly rect: Rect; readonly distances: Float32Array }

/** What hides a frame's artwork or ends it. */
export type FrameLimits = {
  /** what is in front of it; null: nothing */
  readonly front: Coverage | null
  /** around the frame, for the product whose outline limits it at a distance; null: it has its own edges */
  readonly depths: ProductDepths | null
  readonly insetPx: number
  /** per pixel of the photo: how much previous frames already show */
  readonly taken: Uint8Array
}

/** How much of each pixel shows the artwork, as bytes over the map's rectangle. Adds it to `taken`. */
export function frameCoverage(map: SurfaceMap, widthPx: number, limits: FrameLimits): Uint8Array {
  const { rect, coverage } = map
  const { front, depths, insetPx, taken } = limits
  const bytes = new Uint8Array(coverage.length)
  const distances = depths && depths.distances
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    const row = rect.top + y
    let at = row * widthPx + rect.left
    let inside = depths === null ? 0 : (row - depths.rect.top) * depths.rect.widthPx + rect.left - depths.rect.left
    for (let x = 0; x < rect.widthPx; x++, i++, at++, inside++) {
      let share = coverage[i] ?? 0
      if (share === 0) continue
      const depth = distances ? (distances[inside] ?? 0) - insetPx : 1
      // It fades out along the last pixel of the inset.
      if (depth < 1) share *= Math.max(0, depth)
      if (front) share *= 1 - (front.data[at] ?? 0) / 255
      const before = taken[at] ?? 0
      const byte = Math.min(share === 1 ? 255 : Math.round(255 * share), 255 - before)
      bytes[i] = byte
      taken[at] = before + byte
    }
  }
  return bytes
}

/** Depths over a rectangle, exact up to `marginPx`: outlines this far beyond it are included. */
export function findDepths({ widthPx, heightPx, data }: Coverage, rect: Rect, marginPx: number): ProductDepths {
  const left = Math.max(0, rect.left - marginPx)
  const top = Math.max(0, rect.top - marginPx)
  const width = Math.min(widthPx, rect.left + rect.widthPx + marginPx) - left
  const height = Math.min(heightPx, rect.top + rect.heightPx + marginPx) - top
  const isOutside = (k: number): boolean =>
    (data[(top + Math.floor(k / width)) * widthPx + left + (k % width)] ?? 0) < 128
  return { rect: { left, top, widthPx: width, heightPx: height }, distances: distanceToSet(isOutside, width, height) }
}
