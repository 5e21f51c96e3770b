/** Geometry of the quads that users drag. */

export type Corner = readonly [x: number, y: number]
export type Quad = readonly [topLeft: Corner, topRight: Corner, bottomRight: Corner, bottomLeft: Corner]

type Vector3 = readonly [number, number, number]

const cross = (a: Vector3, b: Vector3): Vector3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const dot = (a: Vector3, b: Vector3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const homogeneous = ([x, y]: Corner): Vector3 => [x, y, 1]
const length = (a: Corner, b: Corner): number => Math.hypot(a[0] - b[0], a[1] - b[1])

/** Four points as the corners of a frame that does not cross itself, the top left one first. */
export function quadOfPoints(points: readonly [Corner, Corner, Corner, Corner]): Quad {
  const [middleX, middleY] = middleOf(points)
  const around = points.toSorted(
    ([ax, ay], [bx, by]) => Math.atan2(ay - middleY, ax - middleX) - Math.atan2(by - middleY, bx - middleX),
  )
  const sums = around.map(([x, y]) => x + y)
  const first = sums.indexOf(Math.min(...sums))
  const at = (i: number): Corner => around[(first + i) % 4] ?? points[0]
  return [at(0), at(1), at(2), at(3)]
}

/** The upright rectangle between two opposite corners. */
export function quadOfBox([ax, ay]: Corner, [bx, by]: Corner): Quad {
  return quadOfPoints([
    [ax, ay],
    [bx, ay],
    [bx, by],
    [ax, by],
  ])
}

const middleOf = (points: readonly Corner[]): Corner => [
  points.reduce((sum, [x]) => sum + x, 0) / points.length,
  points.reduce((sum, [, y]) => sum + y, 0) / points.length,
]

/** The quad moved as a whole; its middle stays on the photo, since it could not be found beside it. */
export function movedQuad([a, b, c, d]: Quad, [byX, byY]: Corner, widthPx: number, heightPx: number): Quad {
  const [middleX, middleY] = middleOf([a, b, c, d])
  const dx = Math.min(widthPx, Math.max(0, middleX + byX)) - middleX
  const dy = Math.min(heightPx, Math.max(0, middleY + byY)) - middleY
  const move = ([x, y]: Corner): Corner => [x + dx, y + dy]
  return [move(a), move(b), move(c), move(d)]
}

/** Signed areas of the triangles at the four corners have one sign: no crossing, no inward corner. */
export function isConvex(quad: Quad): boolean {
  const turns = quad.map((corner, i) => {
    const next = quad[(i + 1) % 4] ?? corner
    const after = quad[(i + 2) % 4] ?? corner
    return (next[0] - corner[0]) * (after[1] - next[1]) - (next[1] - corner[1]) * (after[0] - next[0])
  })
  return turns.every(turn => turn > 0) || turns.every(turn => turn < 0)
}

/** Of the photo's diagonal: 43 mm on 35 mm film. Phones and zooms lie around it. */
const USUAL_FOCAL = 1
/** Of the natural logarithm. */
const FOCAL_SPREAD = 0.5
/** Of the photo's diagonal: how far a pointer misses a corner. */
const CORNER_SPREAD = 0.001
/** Focal lengths that are tried, as natural logarithms. */
const FOCAL_LN_MOST = 2
const FOCAL_LN_STEP = 0.05

/**
 * Width / height of the flat rectangle that a photo shows as this quad, from its perspective: Zhang and He,
 * "Whiteboard scanning and image enhancement" (2006), with the principal point in the photo's middle and
 * square pixels. A quad that is seen nearly straight on hardly tells the focal length, and a pixel at one
 * corner would double the ratio: the most probable focal length decides, by how lenses and misses are spread.
 */
export function ratioOfQuad(quad: Quad, widthPx: number, heightPx: number): number {
  const [topLeft, topRight, bottomRight, bottomLeft] = quad
  const width = (length(topLeft, topRight) + length(bottomLeft, bottomRight)) / 2
  const height = (length(topLeft, bottomLeft) + length(topRight, bottomRight)) / 2
  const centred = (corner: Corner): Vector3 => homogeneous([corner[0] - widthPx / 2, corner[1] - heightPx / 2])
  const [m1, m2, m3, m4] = [centred(topLeft), centred(topRight), centred(bottomLeft), centred(bottomRight)]
  const k2 = dot(cross(m1, m4), m3) / dot(cross(m2, m4), m3)
  const k3 = dot(cross(m1, m4), m2) / dot(cross(m3, m4), m2)
  const n2: Vector3 = [k2 * m2[0] - m1[0], k2 * m2[1] - m1[1], k2 - 1]
  const n3: Vector3 = [k3 * m3[0] - m1[0], k3 * m3[1] - m1[1], k3 - 1]
  const [across, down] = [Math.hypot(n2[0], n2[1]), Math.hypot(n3[0], n3[1])]
  const cosineInPhoto = (n2[0] * n3[0] + n2[1] * n3[1]) / (across * down)
  const diagonal = Math.hypot(widthPx, heightPx)
  const miss = CORNER_SPREAD * diagonal
  let best = { cost: Number.POSITIVE_INFINITY, ratio: width / height }
  for (let ln = -FOCAL_LN_MOST; ln <= FOCAL_LN_MOST; ln += FOCAL_LN_STEP) {
    const focal = USUAL_FOCAL * diagonal * Math.exp(ln)
    // How steeply both sides of the rectangle go into depth, and how far a miss tilts them.
    const [slope2, slope3] = [(n2[2] * focal) / across, (n3[2] * focal) / down]
    const tilt = (Math.SQRT2 * miss * focal) / (width * height)
    const variance = (miss / width) ** 2 + (miss / height) ** 2 + (slope2 ** 2 + slope3 ** 2) * tilt ** 2 + tilt ** 4
    const cost = (ln / FOCAL_SPREAD) ** 2 + (cosineInPhoto + slope2 * slope3) ** 2 / variance
    const ratio = (across / down) * Math.sqrt((1 + slope2 ** 2) / (1 + slope3 ** 2))
    if (cost < best.cost && Number.isFinite(ratio) && ratio > 0) best = { cost, ratio }
  }
  return best.ratio
}

/**
 * The CSS transform that draws an element of size `widthPx` x `heightPx` (origin at its top left) into the
 * quad: the homography of Heckbert, "Fundamentals of texture mapping and image warping" (1989), section
 * 2.2.3, as a matrix3d.
 */
export function cssTransformToQuad(quad: Quad, widthPx: number, heightPx: number): string {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = quad
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3]
  const [dx1, dx2, dy1, dy2] = [x1 - x2, x3 - x2, y1 - y2, y3 - y2]
  const determinant = dx1 * dy2 - dx2 * dy1
  const g = (sx * dy2 - dx2 * sy) / determinant
  const h = (dx1 * sy - sx * dy1) / determinant
  const [a, b] = [x1 - x0 + g * x1, x3 - x0 + h * x3]
  const [d, e] = [y1 - y0 + g * y1, y3 - y0 + h * y3]
  const columns = [
    a / widthPx,
    d / widthPx,
    0,
    g / widthPx,
    b / heightPx,
    e / heightPx,
    0,
    h / heightPx,
    0,
    0,
    1,
    0,
    x0,
    y0,
    0,
    1,
  ]
  return `matrix3d(${columns.map(value => value.toFixed(10)).join(',')})`
}

/** Whether a quad lies entirely within a convex one. */
export function isInside(quad: Quad, outer: Quad): boolean {
  const isLeftOf = ([x, y]: Corner, i: number): boolean => {
    const [[fromX, fromY], [toX, toY]] = [outer[i] ?? outer[0], outer[(i + 1) % 4] ?? outer[0]]
    return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX) > 0
  }
  return quad.every(corner => outer.every((_, i) => isLeftOf(corner, i)))
}
