/** The part of a pixel on the inner side of an edge. */
export type CoveredPart = {
  /** its centroid relative to the pixel's centre, in pixels */
  readonly x: number
  readonly y: number
  /** how much a value with these slopes varies over the part: the width of a box with the same variance */
  readonly extentAlong: (across: number, down: number) => number
}

/** Moments of a part about the pixel's centre. */
type Moments = { area: number; x: number; y: number; xx: number; xy: number; yy: number }

/** Green's theorem: adds the term of the side from a to b. */
function addSide(moments: Moments, ax: number, ay: number, bx: number, by: number): void {
  const cross = ax * by - bx * ay
  moments.area += cross / 2
  moments.x += (cross * (ax + bx)) / 6
  moments.y += (cross * (ay + by)) / 6
  moments.xx += (cross * (ax * ax + ax * bx + bx * bx)) / 12
  moments.xy += (cross * (ax * by + 2 * ax * ay + 2 * bx * by + bx * ay)) / 24
  moments.yy += (cross * (ay * ay + ay * by + by * by)) / 12
}

/** The corners of a pixel in order, and the first one again. */
const cornersX = [-0.5, 0.5, 0.5, -0.5, -0.5] as const
const cornersY = [-0.5, -0.5, 0.5, 0.5, -0.5] as const

/**
 * The part of a pixel where nx x + ny y + distance >= 0, which must not be empty; (nx, ny) has length 1.
 * Without arrays and closures, since thousands of pixels would allocate thousands of them.
 */
export function findCoveredPart(nx: number, ny: number, distance: number): CoveredPart {
  const moments: Moments = { area: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 }
  // Where the edge crosses the pixel's outline; NaN if it does not.
  let px = Number.NaN
  let py = Number.NaN
  let qx = Number.NaN
  let qy = Number.NaN
  for (let corner = 0; corner < 4; corner++) {
    const ax = cornersX[corner] ?? 0
    const ay = cornersY[corner] ?? 0
    const bx = cornersX[corner + 1] ?? 0
    const by = cornersY[corner + 1] ?? 0
    const a = nx * ax + ny * ay + distance
    const b = nx * bx + ny * by + distance
    if (a < 0 && b < 0) continue
    const at = a / (a - b)
    const cx = ax + at * (bx - ax)
    const cy = ay + at * (by - ay)
    if (a >= 0 && b >= 0) addSide(moments, ax, ay, bx, by)
    else if (a >= 0) addSide(moments, ax, ay, cx, cy)
    else addSide(moments, cx, cy, bx, by)
    if (a >= 0 && b >= 0) continue
    if (Number.isNaN(px)) {
      px = cx
      py = cy
    } else if (Number.isNaN(qx)) {
      qx = cx
      qy = cy
    }
  }
  // From where the outline leaves the inner side to where it returns.
  if (!Number.isNaN(qx)) {
    const leaves = nx * (qy - py) - ny * (qx - px)
    if (leaves < 0) addSide(moments, px, py, qx, qy)
    else addSide(moments, qx, qy, px, py)
  }
  const { area } = moments
  const x = moments.x / area
  const y = moments.y / area
  const varXx = moments.xx / area - x * x
  const varXy = moments.xy / area - x * y
  const varYy = moments.yy / area - y * y
  return {
    x,
    y,
    extentAlong: (across, down) =>
      Math.sqrt(12 * Math.max(0, across * across * varXx + 2 * across * down * varXy + down * down * varYy)),
  }
}
