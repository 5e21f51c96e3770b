import { EXTENDS_EDGE, EXTENDS_MIRRORED, EXTENDS_WRAPPED } from '../../kernels/assembly/frame/constants.ts'
import type { Repeat } from '../geometry/artwork-placement.ts'

/** What pads a texture along an axis: its edge, its opposite side, or its mirror image. */
export type Extension = typeof EXTENDS_EDGE | typeof EXTENDS_WRAPPED | typeof EXTENDS_MIRRORED

export const repeatExtensions = {
  none: EXTENDS_EDGE,
  tile: EXTENDS_WRAPPED,
  mirror: EXTENDS_MIRRORED,
} as const satisfies Record<Repeat, Extension>

/** The texel `step` + 1 before the first one; after the last one, indices are mirrored. */
export function findTexelBefore(extension: Extension, sizePx: number, step: number): number {
  if (extension === EXTENDS_EDGE) return 0
  if (extension === EXTENDS_WRAPPED) return sizePx - 1 - (step % sizePx)
  const folded = step % (2 * sizePx)
  return folded < sizePx ? folded : 2 * sizePx - 1 - folded
}
