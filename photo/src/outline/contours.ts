import type { Point } from '@vitrine/engine'
import type { Coverage } from '../photo-pixels.ts'

/** Half of a pixel is inside. */
const LEVEL = 127.5

/** Sides of a cell between four pixels' centres, clockwise. */
const [TOP, RIGHT, BOTTOM, LEFT] = [0, 1, 2, 3] as const
type Side = typeof TOP | typeof RIGHT | typeof BOTTOM | typeof LEFT

/**
 * The sides by which the line enters and leaves a cell, clockwise around the inside, indexed by the pixels
 * that are inside: 1 top left, 2 top right, 4 bottom right, 8 bottom left.
 */
const turns: readonly (readonly (readonly [from: Side, to: Side])[])[] = [
  [],
  [[TOP, LEFT]],
  [[RIGHT, TOP]],
  [[RIGHT, LEFT]],
  [[BOTTOM, RIGHT]],
  [
    [TOP, LEFT],
    [BOTTOM, RIGHT],
  ],
  [[BOTTOM, TOP]],
  [[BOTTOM, LEFT]],
  [[LEFT, BOTTOM]],
  [[TOP, BOTTOM]],
  [
    [RIGHT, TOP],
    [LEFT, BOTTOM],
  ],
  [[RIGHT, BOTTOM]],
  [[LEFT, RIGHT]],
  [[TOP, RIGHT]],
  [[LEFT, TOP]],
  [],
]

/** Closed lines around the inside of a coverage, in its pixels: the centre of the first is 0.5, 0.5. */
export function contoursOf({ widthPx, heightPx, data }: Coverage): Point[][] {
  // The grid has an empty margin, so that every line closes.
  const stride = widthPx + 2
  const at = (x: number, y: number): number =>
    x < 1 || y < 1 || x > widthPx || y > heightPx ? 0 : (data[(y - 1) * widthPx + x - 1] ?? 0)
  const next = new Map<number, number>()
  for (let y = 0; y <= heightPx; y++) {
    let [upper, lower] = [0, 0]
    for (let x = 0; x <= widthPx; x++) {
      const [right, below] = [at(x + 1, y), at(x + 1, y + 1)]
      const which = bit(upper, 1) | bit(right, 2) | bit(below, 4) | bit(lower, 8)
      upper = right
      lower = below
      if (which === 0 || which === 15) continue
      const cell = y * stride + x
      const sides = [2 * cell, 2 * (cell + 1) + 1, 2 * (cell + stride), 2 * cell + 1] as const
      for (const [from, to] of turns[which] ?? []) next.set(sides[from], sides[to])
    }
  }
  /** Even sides lie between pixels of a row, odd ones between those of a column. */
  const placeOf = (side: number): Point => {
    const cell = side >> 1
    const [x, y] = [cell % stride, Math.floor(cell / stride)]
    const isAlongRow = side % 2 === 0
    const [first, second] = [at(x, y), isAlongRow ? at(x + 1, y) : at(x, y + 1)]
    const share = (LEVEL - first) / (second - first)
    return isAlongRow ? [x - 0.5 + share, y - 0.5] : [x - 0.5, y - 0.5 + share]
  }
  const contours: Point[][] = []
  for (const [start] of next) {
    const line: Point[] = []
    for (let side: number | undefined = start; side !== undefined; ) {
      const to = next.get(side)
      if (to !== undefined) line.push(placeOf(side))
      next.delete(side)
      side = to
    }
    contours.push(line)
  }
  return contours
}

const bit = (value: number, weight: number): number => (value > LEVEL ? weight : 0)
