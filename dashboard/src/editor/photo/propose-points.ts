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

/** A body seen from above looks lower than it is, but not by so much. */
const OTHER_PRODUCT = 1.5

/** Whether the points of a body, found without measures, are of a much taller or lower product. */
export function isOtherProduct([a, b, , d]: readonly Point[], slenderness: number): boolean {
  if (a === undefined || b === undefined || d === undefined) return false
  const seen = Math.hypot(d[0] - a[0], d[1] - a[1]) / Math.hypot(b[0] - a[0], b[1] - a[1])
  return seen > OTHER_PRODUCT * slenderness || seen < slenderness / OTHER_PRODUCT
}

const BODY_ONLY = 'brush over the body only, without the handle and its opening'

const failures = {
  flat: 'The outline has no four sides: set the corners by hand.',
  body: `The outline has no straight side of a body: ${BODY_ONLY}, or drag the points.`,
  shirt: 'The outline has no straight sides: set the corners by hand.',
  cushion: 'The outline has no four sides: set the corners by hand.',
  warp: 'The outline has no four sides: set the points by hand.',
} as const

/** What to do where an outline tells no place. */
export const proposalFailure = (product: ProductKind, slenderness: number | null): string =>
  product === 'body' && slenderness === null
    ? `The outline has no two straight sides: ${BODY_ONLY}. Where one side is hidden, choose the product, whose measures give that side, or drag the points.`
    : failures[product]
