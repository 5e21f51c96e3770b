import type { Point, Quad } from '@vitrine/engine'
import type { Coverage } from '../photo-pixels.ts'
import { findSides, INSIDE_BYTE, sideAt } from './find-sides.ts'

/** The sides of a shirt's body are searched for below its sleeves. */
const sideShares = { from: 0.5, to: 0.95 } as const

/** Of the width of a shirt's body: how wide its usual print is, and how far below the back of its collar. */
const PRINT_WIDTH = 0.57
const PRINT_TOP = 0.35

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
  let collar = top
  while (collar < low && !isInside(coverage, xAt(collar), collar)) collar++
  const hood = Math.max(0, bottom - collar - LENGTH_IN_WIDTHS * width)
  const fromTop = collar + hood + PRINT_TOP * width
  const height = Math.min((PRINT_WIDTH * width) / PRINT_RATIO, bottom - LEAST_HEM * (bottom - top) - fromTop)
  if (height <= 0) return null
  const across: Point = [1 / Math.hypot(1, slope), -slope / Math.hypot(1, slope)]
  const corner = (side: -1 | 1, y: number): Point => [
    xAt(y) + (side * across[0] * PRINT_WIDTH * width) / 2,
    y + (side * across[1] * PRINT_WIDTH * width) / 2,
  ]
  return [corner(-1, fromTop), corner(1, fromTop), corner(1, fromTop + height), corner(-1, fromTop + height)]
}

const isInside = ({ widthPx, data }: Coverage, x: number, y: number): boolean =>
  (data[y * widthPx + Math.floor(x)] ?? 0) >= INSIDE_BYTE
