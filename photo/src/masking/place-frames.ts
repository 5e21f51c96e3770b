import { type Rect, uniteRects } from '@vitrine/engine'
import type { Drawing, DrawnFrame } from '../drawing/drawing.ts'
import type { Coverage, Outlines, PhotoPixels } from '../photo-pixels.ts'
import { PhotoRefusedError } from '../photo-refused-error.ts'
import type { MappedSurface, SurfaceMap } from '../surfaces/frame-surface.ts'
import { findDepths, frameCoverage, type ProductDepths } from './frame-coverage.ts'

/** A frame whose surface and mask are found. */
export type PlacedFrame<Surface extends MappedSurface = MappedSurface> = {
  readonly drawn: DrawnFrame
  readonly surface: Surface
  readonly map: SurfaceMap
  readonly mask: Uint8Array
  readonly isOnProduct: boolean
}

export type PlacedFrames<Surface extends MappedSurface = MappedSurface> = {
  readonly frames: readonly PlacedFrame<Surface>[]
  readonly taken: TakenPixels
}

/** Per pixel of the photo: how much of it shows artwork. Outside of `rect` none does. */
export type TakenPixels = { readonly rect: Rect; readonly shares: Uint8Array }

/** How far inside a product pixels lie, within an inset of its outline around a rectangle. */
export type DepthsOf = (product: Coverage, rect: Rect, insetPx: number) => ProductDepths

const depthsAround: DepthsOf = (product, rect, insetPx) => findDepths(product, rect, Math.ceil(insetPx) + 1)

/**
 * Masks of all surfaces, one per frame of a drawing in the photo's pixels; each takes the pixels that
 * previous ones left. @throws PhotoRefusedError if a frame lies outside the visible part of the photo
 */
export function placeFrames<Surface extends MappedSurface>(
  { widthPx, heightPx }: PhotoPixels,
  drawing: Drawing,
  surfaces: readonly Surface[],
  { product, fronts }: Outlines,
  isLive: boolean,
  depthsOf = depthsAround,
): PlacedFrames<Surface> {
  const taken = new Uint8Array(widthPx * heightPx)
  const frames = surfaces.map((surface, index): PlacedFrame<Surface> => {
    const drawn = drawing.frames[index]
    if (!drawn) throw new RangeError(`Expected a frame for surface ${index}.`)
    const map = surface.rasterize(isLive)
    const { inset } = drawn
    if (inset !== null && product === null) {
      throw new PhotoRefusedError('A print with an inset needs the outline of its product: brush over the product.')
    }
    const mask = frameCoverage(map, widthPx, {
      front: fronts[index] ?? null,
      depths: inset === null || product === null ? null : depthsOf(product, map.rect, inset),
      insetPx: inset ?? 0,
      taken,
    })
    if (!mask.some(byte => byte > 127)) {
      throw new PhotoRefusedError(`Nothing of frame ${index + 1} lies on the photo. Move its points.`)
    }
    return { drawn, surface, map, mask, isOnProduct: product !== null && liesOn(product, map, mask) }
  })
  return { frames, taken: { rect: uniteRects(frames.map(({ map }) => map.rect)), shares: taken } }
}

/** Whether most of a frame lies on the product. */
function liesOn(product: Coverage, { rect }: SurfaceMap, mask: Uint8Array): boolean {
  let [on, all] = [0, 0]
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    let at = (rect.top + y) * product.widthPx + rect.left
    for (let x = 0; x < rect.widthPx; x++, i++, at++) {
      const seen = mask[i] ?? 0
      all += seen
      on += seen * (product.data[at] ?? 0)
    }
  }
  return on > (255 * all) / 2
}
