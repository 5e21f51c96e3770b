import type { Point, Quad } from '@vitrine/engine'
import type { Coverage } from '../photo-pixels.ts'
import { findSides, isInside, sideAt } from './find-sides.ts'
import { withoutSleeves } from './without-sleeves.ts'

/** The sides of a shirt's body are searched for below its sleeves. */
const sideShares = { from: 0.5, to: 0.95 } as const

/** Of the width of a garment's body: how wide its print is, how far below its shoulders; width / height. */
const shirtPrint = { width: 0.57, top: 0.375, ratio: 0.8 } as const
const hoodiePrint = { width: 0.48, top: 0.31, ratio: 1.15 } as const

/** Of the width, from the middle: where shoulders are beside a collar or hood, and where they are highest. */
const shoulderShares = { from: 0.34, to: 0.46, top: 0.2 } as const

/** Of the width: what is that far above the shoulders in the middle is a hood. */
const LEAST_HOOD = 0.25

/** Of the width, from the middle: a collar, or a hood, is there. */
const COLLAR = 0.15

/** Of the length from the shoulders to the hem: what wide garments limit a print to. */
const mostOfLength = { top: 0.28, height: 0.52 } as const

/** The usual print area of a shirt or hoodie that was brushed over. Null if it has no straight sides. */
export function proposePrint(coverage: Coverage): Quad | null {
  const sides = findSides(withoutSleeves(coverage), sideShares.from, sideShares.to)
  if (sides === null) return null
  const { left, right, top, bottom } = sides
  const slope = (left.slope + right.slope) / 2
  const low = top + 0.5 * (sideShares.from + sideShares.to) * (bottom - top)
  const width = (sideAt(right, low) - sideAt(left, low)) / Math.hypot(1, slope)
  const middle = (sideAt(left, low) + sideAt(right, low)) / 2
  // Along the middle line, which may lean.
  const xAt = (y: number): number => middle + slope * (y - low)
  const at = (side: number): number => xAt(top) + side * width
  const shoulders = shouldersOf(coverage, at, width, slope)
  const print = shoulders - topOf(coverage, at(-COLLAR), at(COLLAR)) > LEAST_HOOD * width ? hoodiePrint : shirtPrint
  const length = bottom - shoulders
  const fromTop = shoulders + Math.min(print.top * width, mostOfLength.top * length)
  const height = Math.min((print.width * width) / print.ratio, mostOfLength.height * length)
  if (height <= 0) return null
  const across: Point = [1 / Math.hypot(1, slope), -slope / Math.hypot(1, slope)]
  const corner = (side: -1 | 1, y: number): Point => [
    xAt(y) + (side * across[0] * height * print.ratio) / 2,
    y + (side * across[1] * height * print.ratio) / 2,
  ]
  return [corner(-1, fromTop), corner(1, fromTop), corner(1, fromTop + height), corner(-1, fromTop + height)]
}

/**
 * The height of the highest points of both shoulders, on average; across what leans a little, at its middle.
 * `at`: a column by its distance from the middle, in widths.
 */
function shouldersOf(coverage: Coverage, at: (side: number) => number, width: number, slope: number): number {
  const levels: Point[] = []
  for (const side of [-1, 1] as const) {
    for (let away = shoulderShares.from; away < shoulderShares.to; away += 1 / width) {
      const x = at(side * away)
      levels.push([away, topOf(coverage, x, x) + slope * side * away * width])
    }
  }
  // A line through both shoulders, folded at the middle: a hood or a collar does not reach so far.
  const mean = (of: (level: Point) => number): number =>
    levels.reduce((sum, level) => sum + of(level), 0) / levels.length
  const [meanAway, meanLevel] = [mean(([away]) => away), mean(([, y]) => y)]
  const fall = mean(([away, y]) => (away - meanAway) * (y - meanLevel)) / mean(([away]) => (away - meanAway) ** 2)
  return meanLevel + fall * (shoulderShares.top - meanAway)
}

/** The first row that is inside in any of some columns. */
function topOf(coverage: Coverage, fromX: number, toX: number): number {
  let top = coverage.heightPx
  for (let x = fromX; x <= toX; x++) {
    let y = 0
    while (y < top && !isInside(coverage, x, y)) y++
    top = y
  }
  return top
}
