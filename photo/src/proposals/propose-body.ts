import type { Point } from '@vitrine/engine'
import type { BodyMark } from '../drawing/body-mark.ts'
import type { Coverage, PhotoPixels } from '../photo-pixels.ts'
import { fitBody } from '../surfaces/fit-body.ts'
import { findNearRim } from './find-near-rim.ts'
import { findSides, INSIDE_BYTE, sideAt } from './find-sides.ts'

/** Sides are searched for between these shares of the height, because rims are round. */
const sideShares = { from: 0.15, to: 0.85 } as const

/** Of a width: columns in which base and rim are searched for. */
const columnShares = [0.14, 0.22, 0.3, 0.4, 0.5, 0.6, 0.7, 0.78, 0.86] as const

/** Places on base and rim are half as certain as those on the sides. */
const RIM_WEIGHT = 0.5

/** Of the height: a body that is farther from the places is rejected. */
const MOST_MISS_SHARE = 0.03

/** The handles of a body that was brushed over. */
export type ProposedBody = {
  /** corners where sides meet rims: top left, top right, bottom right, bottom left */
  readonly corners: readonly [Point, Point, Point, Point]
  /** the fronts of both rims */
  readonly fronts: readonly [Point, Point]
}

/**
 * A cylinder or cone from the outline of the brushed area and the front of its rim, in a photo of that size.
 * `slenderness`: height / diameter, if known. Null if the outline has no straight sides, or fits no body.
 */
export function proposeBody(coverage: Coverage, slenderness: number | null, photo: PhotoPixels): ProposedBody | null {
  const { widthPx, heightPx } = coverage
  const sides = findSides(coverage, sideShares.from, sideShares.to)
  if (sides === null) return null
  const { left, right, top, bottom } = sides
  const height = bottom - top
  const upright = [0.2, 0.5, 0.8].flatMap((share): BodyMark[] => {
    const y = top + share * height
    return [
      { kind: 'side', side: 'left', at: [sideAt(left, y), y], weight: 1 },
      { kind: 'side', side: 'right', at: [sideAt(right, y), y], weight: 1 },
    ]
  })
  const columns = columnShares.map(share => {
    const low = top + sideShares.to * height
    const x = sideAt(left, low) + share * (sideAt(right, low) - sideAt(left, low))
    return { x, ...rowsOf(coverage, x) }
  })
  const base = columns.map(
    (column): BodyMark => ({ kind: 'arc', at: [column.x, column.bottom], v: 1, weight: RIM_WEIGHT }),
  )
  // Products are photographed from above: an outline shows the far half of the upper rim.
  const rim = columns.map(({ x, top }): Point => [x, top])
  const known = { aspectRatio: null, slenderness }
  const marks = [...upright, ...base, ...rim.map((at): BodyMark => ({ kind: 'far-arc', at, v: 0, weight: RIM_WEIGHT }))]
  const { body: first, residualPx } = fitBody(marks, known, widthPx, heightPx, false)
  if (!(residualPx <= MOST_MISS_SHARE * height)) return null
  const near = findNearRim(photo, coverage, sides, rim)
  const front = near?.map((at): BodyMark => ({ kind: 'arc', at, v: 0, weight: RIM_WEIGHT }))
  const body = front ? fitBody([...marks, ...front], known, widthPx, heightPx, false, first.parameters).body : first
  const [from, to] = body.sides
  const lip = Math.exp(body.parameters.lnRim)
  return {
    corners: [body.at(from, 0), body.at(to, 0), body.at(to, 1), body.at(from, 1)],
    fronts: [body.at((from + to) / 2, 0, lip), body.at((from + to) / 2, 1, lip)],
  }
}

/** Where a column enters the inside, and where it leaves it for the last time. */
function rowsOf({ widthPx, heightPx, data }: Coverage, x: number): { top: number; bottom: number } {
  const column = Math.min(widthPx - 1, Math.max(0, Math.floor(x)))
  const isInside = (y: number): boolean => (data[y * widthPx + column] ?? 0) >= INSIDE_BYTE
  let [top, bottom] = [0, heightPx]
  while (top < heightPx && !isInside(top)) top++
  while (bottom > 0 && !isInside(bottom - 1)) bottom--
  return { top, bottom }
}
