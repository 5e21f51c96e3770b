import type { Point } from '@vitrine/engine'

/** Straightens a photo's points, and bends them back. */
export type Lens = {
  readonly isStraight: boolean
  readonly straighten: (x: number, y: number) => Point
  readonly bend: (x: number, y: number) => Point
}

const straightLens: Lens = { isStraight: true, straighten: (x, y) => [x, y], bend: (x, y) => [x, y] }

/** Steps of the fixed point that bends a point; each gains some two digits. */
const BEND_STEPS = 12

/**
 * Radial distortion about the middle of the photo: a straight line's point at r half diagonals from it is
 * seen at r / (1 + strength r²). Above 0 the lens shows barrels.
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
