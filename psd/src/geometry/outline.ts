import type { PlacedLayer } from 'ag-psd'
import { PsdRefusedError } from '../refused-error.ts'
import { composePlacements, resizeContent } from './compose-placements.ts'
import { placementOf } from './placement.ts'

/** Points along each side: enough to show warps. */
const STEPS = 8

/** A smart object that contains another. */
type Around = {
  readonly placed: PlacedLayer
  readonly document: { readonly widthPx: number; readonly heightPx: number }
}

/**
 * Points around a placed smart object, in pixels of the outermost document; empty if its warp is not
 * supported. `around`: the smart objects that contain it, the outermost first.
 */
export function outlineOf(
  placed: PlacedLayer,
  around: readonly Around[],
): readonly (readonly [x: number, y: number])[] {
  try {
    const { contentWidth, contentHeight, forward } = around.reduceRight(
      (inner, { placed: outer, document }) =>
        composePlacements(resizeContent(placementOf(outer), document.widthPx, document.heightPx), inner),
      placementOf(placed),
    )
    const shares = Array.from({ length: STEPS }, (_, step) => step / STEPS)
    return [
      ...shares.map(t => forward(t * contentWidth, 0)),
      ...shares.map(t => forward(contentWidth, t * contentHeight)),
      ...shares.map(t => forward((1 - t) * contentWidth, contentHeight)),
      ...shares.map(t => forward(0, (1 - t) * contentHeight)),
    ]
  } catch (error) {
    if (error instanceof PsdRefusedError) return []
    throw error
  }
}
