/** Moves artwork that fills its frame inside the frame, as the pointer does on a scene. */
import { buildArtworkMap, type Placement } from '@vitrine/engine'
import type { Point } from './frame-plane.ts'
import { fieldValue, type PlacementChange } from './placement-values.ts'

/** The size of an artwork in pixels, and the aspect ratio (width / height) of its frame. */
export type PlacedArtwork = { readonly width: number; readonly height: number; readonly aspectRatio: number }

/** Artwork snaps to the middle and to the thirds. */
const restingPlaces = [1 / 2, 1 / 3, 2 / 3] as const

/**
 * Moves artwork by (du, dv) of its frame. If it fills the frame, its focus moves, in fractions of the
 * artwork, so that scenes of other shapes agree; otherwise its position does. `reach`: how close to a snap
 * position it snaps, in shares of the frame.
 */
export function movedBy(
  placement: Placement,
  { width, height, aspectRatio }: PlacedArtwork,
  [du, dv]: Point,
  [reachU, reachV]: Point,
): PlacementChange {
  const { fit, scale, focus, x, y } = placement
  if (fit !== 'cover' || scale < 1) {
    return {
      x: fieldValue('x', settled(x + du, reachU)),
      y: fieldValue('y', settled(y + dv, reachV)),
    }
  }
  const { xPerU, xPerV, yPerU, yPerV } = buildArtworkMap(placement, width, height, aspectRatio)
  const along = (from: number, by: number, extent: number, reach: number): number =>
    extent >= 1 ? from : round(clamp(settled(clamp(from, extent) - by, reach), extent))
  return {
    focus: [
      along(focus[0], xPerU * du + xPerV * dv, Math.abs(xPerU) + Math.abs(xPerV), Math.abs(xPerU) * reachU),
      along(focus[1], yPerU * du + yPerV * dv, Math.abs(yPerU) + Math.abs(yPerV), Math.abs(yPerV) * reachV),
    ],
  }
}

/** Limits the focus to where the frame stays filled: beyond that, nothing would move. */
const clamp = (focus: number, extent: number): number => Math.max(extent / 2, Math.min(1 - extent / 2, focus))

const round = (share: number): number => Math.round(share * 10_000) / 10_000

const settled = (value: number, reach: number): number =>
  restingPlaces.find(place => Math.abs(value - place) <= reach) ?? value

/** Whether artwork has snapped to a line of its frame, along each axis, so that the line is shown. */
export function restingLines({ fit, scale, focus, x, y }: Placement): { across: boolean; down: boolean } {
  const isAt = (value: number): boolean => restingPlaces.some(place => Math.abs(value - place) < 1e-4)
  const [across, down] = fit === 'cover' && scale >= 1 ? focus : [x, y]
  return { across: isAt(across), down: isAt(down) }
}

/** The cropped share of an artwork, 0..1; for turned artwork, of its bounding box. */
export function croppedShare(placement: Placement, { width, height, aspectRatio }: PlacedArtwork): number {
  if (placement.repeat !== 'none') return 0
  const { xPerU, xPerV, x0, yPerU, yPerV, y0 } = buildArtworkMap(placement, width, height, aspectRatio)
  const seen = (start: number, perU: number, perV: number): number => {
    const low = start + Math.min(0, perU) + Math.min(0, perV)
    const high = start + Math.max(0, perU) + Math.max(0, perV)
    return Math.max(0, Math.min(1, high) - Math.max(0, low))
  }
  return 1 - seen(x0, xPerU, xPerV) * seen(y0, yPerU, yPerV)
}
