import type { PlacedLayer } from 'ag-psd'
import { PsdRefusedError } from '../refused-error.ts'
import { placementOf } from './placement.ts'

/** Points along each side, so that warps are seen as such. */
const STEPS = 8

/** Points around a placed smart object, in document pixels; empty where its warp is not understood. */
export function outlineOf(placed: PlacedLayer): readonly (readonly [x: number, y: number])[] {
  try {
    const { contentWidth, contentHeight, forward } = placementOf(placed)
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
