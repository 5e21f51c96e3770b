import type { Point, Quad } from '@vitrine/engine'
import type { Coverage } from '../photo-pixels.ts'
import { findSides, isInside, sideAt } from './find-sides.ts'

/** The sides of a shirt's body are searched for below its sleeves. */
const sideShares = { from: 0.5, to: 0.95 } as const

/** Of the width of a shirt's body: how wide its usual print is, and how far below its shoulders. */
const PRINT_WIDTH = 0.57
const PRINT_TOP = 0.35

/** Of the width, from the middle: where a shoulder is highest. The collar between them may be left out. */
const shoulderShares = { from: 0.08, to: 0.32 } as const

/** Of the columns of a shoulder: higher ones are where a brush went over the edge. */
const SHOULDER_RANK = 0.15

/** The length of a shirt, in its widths; anything above that is a hood. */
const LENGTH_IN_WIDTHS = 1.4

/** Width / height of the usual print. */
const PRINT_RATIO = 0.8

/** Of the height: how far above the hem a print ends. */
const LEAST_HEM = 0.08

/** The usual print area of a shirt that was brushed over. Null if it has no straight sides. */
export function proposePrint(coverage: Coverage): Quad | null {
  const sides = findSides(coverage, sideShares.from, sideShares.to)
  if (sides === null) return null
  const { left, right, top, bottom } = sides
  const slope = (left.slope + right.slope) / 2
  const middleAt = (y: number): number => (sideAt(left, y) + sideAt(right, y)) / 2
  const low = top + 0.5 * (sideShares.from + sideShares.to) * (bottom - top)
  const width = (sideAt(right, low) - sideAt(left, low)) / Math.hypot(1, slope)
  // Along the middle line, which may lean.
  const xAt = (y: number): number => middleAt(low) + slope * (y - low)
  /** Across what leans a little, the height at its middle. */
  const shoulder = (side: -1 | 1): number => {
    const levels: number[] = []
    for (let away = shoulderShares.from * width; away < shoulderShares.to * width; away++) {
      const x = xAt(top) + side * away
      let y = top
      while (y < low && !isInside(coverage, x, y)) y++
      levels.push(y + slope * side * away)
    }
    return levels.toSorted((a, b) => a - b)[Math.floor(SHOULDER_RANK * levels.length)] ?? top
  }
  const shoulders = (shoulder(-1) + shoulder(1)) / 2
  const hood = Math.max(0, bottom - shoulders - LENGTH_IN_WIDTHS * width)
  const fromTop = shoulders + hood + PRINT_TOP * width
  const height = Math.min((PRINT_WIDTH * width) / PRINT_RATIO, bottom - LEAST_HEM * (bottom - top) - fromTop)
  if (height <= 0) return null
  const across: Point = [1 / Math.hypot(1, slope), -slope / Math.hypot(1, slope)]
  const corner = (side: -1 | 1, y: number): Point => [
    xAt(y) + (side * across[0] * PRINT_WIDTH * width) / 2,
    y + (side * across[1] * PRINT_WIDTH * width) / 2,
  ]
  return [corner(-1, fromTop), corner(1, fromTop), corner(1, fromTop + height), corner(-1, fromTop + height)]
}
