import type { Point } from '@vitrine/engine'

/** Removes a lens's distortion from a photo's points, and adds it again. */
export type Lens = {
  readonly isStraight: boolean
  readonly straighten: (x: number, y: number) => Point
  readonly bend: (x: number, y: number) => Point
}

const straightLens: Lens = { isStraight: true, straighten: (x, y) => [x, y], bend: (x, y) => [x, y] }

/** Steps of the fixed-point iteration that distorts a point; each gains about two digits. */
const BEND_STEPS = 12

/**
 * Radial distortion about the middle of the photo: a straight line's point at r half diagonals from it is
 * seen at r / (1 + strength r²). Above 0, it is barrel distortion.
 */
export function createLens(strength: number, widthPx: number, heightPx: number): Lens {
  if (strength === 0) return straightLens
  const [middleX, middleY] = [widthPx / 2, heightPx / 2]
  const square = middleX * middleX + middleY * middleY
  const growthAt = (dx: number, dy: number): number => 1 + (strength * (dx * dx + dy * dy)) / square
  const straighten = (x: number, y: number): Point => {
    const [dx, dy] = [x - middleX, y - middleY]
    const growth = growthAt(dx, dy)
    return [middleX + dx * growth, middleY + dy * growth]
  }
  const bend = (x: number, y: number): Point => {
    let [dx, dy] = [x - middleX, y - middleY]
    for (let step = 0; step < BEND_STEPS; step++) {
      const growth = growthAt(dx, dy)
      dx = (x - middleX) / growth
      dy = (y - middleY) / growth
    }
    return [middleX + dx, middleY + dy]
  }
  return { isStraight: false, straighten, bend }
}

/** The range that drawings may use. */
export const MAX_LENS = 0.3

/** Bisections of the interval: to a thousandth of a per cent. */
const LENS_STEPS = 16

/** Of the photo's diagonal: an edge that the strongest lens bends by less, as one through the middle. */
const LEAST_BEND = 0.002

/**
 * The strength of the lens that shows a straight edge through three points of the photo, its ends and one
 * between. Null if it cannot be determined from the edge.
 */
export function lensOfEdge(
  [from, between, to]: readonly [Point, Point, Point],
  widthPx: number,
  heightPx: number,
): number | null {
  const bendAt = (strength: number): number => {
    const { straighten } = createLens(strength, widthPx, heightPx)
    const [a, b, c] = [straighten(...from), straighten(...between), straighten(...to)]
    const [dx, dy] = [c[0] - a[0], c[1] - a[1]]
    return ((b[0] - a[0]) * dy - (b[1] - a[1]) * dx) / Math.max(1, Math.hypot(dx, dy))
  }
  let [low, high] = [-MAX_LENS, MAX_LENS]
  const [atLow, atHigh] = [bendAt(low), bendAt(high)]
  if (Math.abs(atHigh - atLow) < LEAST_BEND * Math.hypot(widthPx, heightPx)) return null
  if (atLow > 0 === atHigh > 0) return Math.abs(atLow) < Math.abs(atHigh) ? low : high
  for (let step = 0; step < LENS_STEPS; step++) {
    const middle = (low + high) / 2
    if (bendAt(middle) > 0 === atLow > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}
