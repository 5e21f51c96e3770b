import type { Point } from '@vitrine/engine'
import type { BodyMark } from '../drawing/body-mark.ts'
import type { Coverage, PhotoPixels } from '../photo-pixels.ts'
import type { Body } from '../surfaces/body.ts'
import { type FittedBody, fitBody, usualBody } from '../surfaces/fit-body.ts'
import { findNearRim } from './find-near-rim.ts'
import { findBodySides, isInside, type SeenSides, type Side, type Sides, sideAt } from './find-sides.ts'

/** Sides are searched for between these shares of the height, because rims are round. */
const sideShares = { from: 0.15, to: 0.85 } as const

/** Of a width: columns in which base and rim are searched for. */
const columnShares = [0.14, 0.22, 0.3, 0.4, 0.5, 0.6, 0.7, 0.78, 0.86] as const

/** Of a width, from the one side that is seen: columns beyond may be those of what hides the other. */
const FARTHEST_COLUMN = 0.6

/** Of the height: a column of a body is no lower. */
const LEAST_COLUMN = 0.7

/** Three places tell a rim. */
const LEAST_COLUMNS = 3

/** Products are photographed a little from above. */
const USUAL_TILT = 0.25

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
 * `slenderness`: height / diameter; if it is known, one side is enough. Null if the outline fits no body.
 */
export function proposeBody(coverage: Coverage, slenderness: number | null, photo: PhotoPixels): ProposedBody | null {
  const readings = findBodySides(coverage, sideShares.from, sideShares.to)
  if (readings === null) return null
  for (const sides of likelySides(readings, slenderness)) {
    const fitted = fitSides(coverage, sides, slenderness)
    const limit = MOST_MISS_SHARE * (sides.bottom - sides.top)
    if (fitted !== null && fitted.residualPx <= limit) return bodyOf(fitted, coverage, slenderness, photo)
  }
  return null
}

/** What may tell a body, the surest first. A side that is null follows from the slenderness. */
function likelySides(readings: readonly [SeenSides, SeenSides], slenderness: number | null): SeenSides[] {
  const whole = readings.filter(({ left, right }) => left && right)
  if (slenderness === null) return whole
  const [sure, other] = readings
  const [left, right] = [sure.left ?? other.left, sure.right ?? other.right]
  const halves = [
    { ...sure, left, right: null },
    { ...sure, left: null, right },
  ]
  return [...whole, ...halves]
}

type Fitted = FittedBody & {
  readonly sides: Sides
  readonly marks: readonly BodyMark[]
  /** places on the far half of the upper rim */
  readonly rim: readonly Point[]
}

/** Null where too little of base and rim is seen. */
function fitSides(
  coverage: Coverage,
  { left, right, top, bottom }: SeenSides,
  slenderness: number | null,
): Fitted | null {
  const { widthPx, heightPx } = coverage
  const height = bottom - top
  const low = top + sideShares.to * height
  const side = left ?? right
  if (side === null) return null
  const isWhole = left !== null && right !== null
  // Seen from above, a rim adds to the height of a body.
  const slender = slenderness ?? 1
  const guessed = height / (slender * Math.cos(USUAL_TILT) + Math.sin(USUAL_TILT))
  const width = isWhole ? sideAt(right, low) - sideAt(left, low) : left ? guessed : -guessed
  const columns = columnShares.flatMap(share => {
    const x = sideAt(side, low) + share * width
    if (!isWhole && (share > FARTHEST_COLUMN || x < 0 || x >= widthPx)) return []
    const rows = rowsOf(coverage, x)
    return isWhole || rows.bottom - rows.top >= LEAST_COLUMN * height ? [{ x, ...rows }] : []
  })
  if (columns.length < LEAST_COLUMNS) return null
  const base = columns.map(({ x, bottom }): BodyMark => ({ kind: 'arc', at: [x, bottom], v: 1, weight: RIM_WEIGHT }))
  // Products are photographed from above: an outline shows the far half of the upper rim.
  const rim = columns.map(({ x, top }): Point => [x, top])
  const far = rim.map((at): BodyMark => ({ kind: 'far-arc', at, v: 0, weight: RIM_WEIGHT }))
  const marks = [
    ...uprightMarks('left', left, top, height),
    ...uprightMarks('right', right, top, height),
    ...base,
    ...far,
  ]
  const middle = top + height / 2
  const near = isWhole
    ? null
    : usualBody(sideAt(side, middle) + width / 2, middle, guessed / 2, USUAL_TILT, 2 * slender)
  const fitted = fitBody(marks, { aspectRatio: null, slenderness }, widthPx, heightPx, false, near)
  const [from, to] = fitted.body.sides
  const sides = { left: left ?? sideOf(fitted.body, from), right: right ?? sideOf(fitted.body, to), top, bottom }
  return { ...fitted, sides, marks, rim }
}

function sideOf(body: Body, angle: number): Side {
  const [[x, y], [lowX, lowY]] = [body.at(angle, 0), body.at(angle, 1)]
  const slope = (lowX - x) / (lowY - y)
  return { at: x - slope * y, slope }
}

const uprightMarks = (side: 'left' | 'right', line: Side | null, top: number, height: number): BodyMark[] =>
  [0.2, 0.5, 0.8].flatMap(share => {
    const y = top + share * height
    return line === null ? [] : [{ kind: 'side', side, at: [sideAt(line, y), y], weight: 1 }]
  })

function bodyOf(
  { body: first, sides, marks, rim }: Fitted,
  coverage: Coverage,
  slenderness: number | null,
  photo: PhotoPixels,
): ProposedBody {
  const { widthPx, heightPx } = coverage
  const near = findNearRim(photo, coverage, sides, rim)
  const front = near?.map((at): BodyMark => ({ kind: 'arc', at, v: 0, weight: RIM_WEIGHT }))
  const known = { aspectRatio: null, slenderness }
  const body = front ? fitBody([...marks, ...front], known, widthPx, heightPx, false, first.parameters).body : first
  const [from, to] = body.sides
  const lip = Math.exp(body.parameters.lnRim)
  return {
    corners: [body.at(from, 0), body.at(to, 0), body.at(to, 1), body.at(from, 1)],
    fronts: [body.at((from + to) / 2, 0, lip), body.at((from + to) / 2, 1, lip)],
  }
}

/** Where a column enters the inside, and where it leaves it for the last time. */
function rowsOf(coverage: Coverage, x: number): { top: number; bottom: number } {
  const { widthPx, heightPx } = coverage
  const column = Math.min(widthPx - 1, Math.max(0, x))
  let [top, bottom] = [0, heightPx]
  while (top < heightPx && !isInside(coverage, column, top)) top++
  while (bottom > 0 && !isInside(coverage, column, bottom - 1)) bottom--
  return { top, bottom }
}
