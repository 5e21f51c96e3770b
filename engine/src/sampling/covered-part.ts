/** The part of a pixel on the inner side of an edge. */
export type CoveredPart = {
  /** its middle, from the pixel's centre, in pixels */
  readonly x: number
  readonly y: number
  /**
   * by how much a value changes over the part, whose slopes are given: the width of an even box with the same
   * variance
   */
  readonly extentAlong: (across: number, down: number) => number
}

/** The corners of a pixel, round it. */
const corners = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [-0.5, 0.5],
] as const

/** What of a pixel has nx x + ny y + distance >= 0; some of it must. (nx, ny) has the length 1. */
export function findCoveredPart(nx: number, ny: number, distance: number): CoveredPart {
  // Moments about the pixel's centre, by Green's theorem: a term for each side of the part.
  let area = 0
  let [sumX, sumY, sumXx, sumXy, sumYy] = [0, 0, 0, 0, 0]
  const addSide = (ax: number, ay: number, bx: number, by: number): void => {
    const cross = ax * by - bx * ay
    area += cross / 2
    sumX += (cross * (ax + bx)) / 6
    sumY += (cross * (ay + by)) / 6
    sumXx += (cross * (ax * ax + ax * bx + bx * bx)) / 12
    sumXy += (cross * (ax * by + 2 * ax * ay + 2 * bx * by + bx * ay)) / 24
    sumYy += (cross * (ay * ay + ay * by + by * by)) / 12
  }
  /** where the edge crosses the pixel's outline */
  const crossings: [x: number, y: number][] = []
  corners.forEach(([ax, ay], corner) => {
    const [bx, by] = corners[(corner + 1) % 4] ?? corners[0]
    const a = nx * ax + ny * ay + distance
    const b = nx * bx + ny * by + distance
    if (a < 0 && b < 0) return
    const at = a / (a - b)
    const [cx, cy] = [ax + at * (bx - ax), ay + at * (by - ay)]
    if (a >= 0 && b >= 0) addSide(ax, ay, bx, by)
    else if (a >= 0) addSide(ax, ay, cx, cy)
    else addSide(cx, cy, bx, by)
    if (a < 0 || b < 0) crossings.push([cx, cy])
  })
  const [p, q] = crossings
  // From where the outline leaves the inner side to where it comes back.
  if (p && q) {
    const leaves = nx * (q[1] - p[1]) - ny * (q[0] - p[0])
    if (leaves < 0) addSide(p[0], p[1], q[0], q[1])
    else addSide(q[0], q[1], p[0], p[1])
  }
  const [x, y] = [sumX / area, sumY / area]
  const [varXx, varXy, varYy] = [sumXx / area - x * x, sumXy / area - x * y, sumYy / area - y * y]
  return {
    x,
    y,
    extentAlong: (across, down) =>
      Math.sqrt(12 * Math.max(0, across * across * varXx + 2 * across * down * varXy + down * down * varYy)),
  }
}
