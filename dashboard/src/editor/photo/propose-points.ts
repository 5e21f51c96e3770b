import { type Coverage, contoursOf, type PhotoPixels, proposeBody, proposePrint } from '@vitrine/photo'
import type { Point } from '../draft.ts'
import { areaOf, hullOf, quadAround } from '../find-frames/hull.ts'
import type { ProductKind } from './photo-draft.ts'

type Proposed = { readonly product: ProductKind; readonly slenderness: number | null }

/**
 * Where the frame of a product may lie, by its outline: six points of a body, the print area of a shirt,
 * otherwise the four corners around it. Null if the outline determines none.
 */
export function proposePoints(
  coverage: Coverage,
  photo: PhotoPixels,
  { product, slenderness }: Proposed,
): readonly Point[] | null {
  if (product === 'body') {
    const body = proposeBody(coverage, slenderness, photo)
    return body && [...body.corners, ...body.fronts]
  }
  if (product === 'shirt') return proposePrint(coverage)
  const [largest] = contoursOf(coverage).toSorted((a, b) => areaOf(b) - areaOf(a))
  return largest === undefined ? null : quadAround(hullOf(largest))
}
