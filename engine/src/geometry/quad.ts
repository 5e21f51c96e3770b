/** A point in continuous scene coordinates (pixels, x to the right, y down). */
export type Point = readonly [x: number, y: number]

/** The corners of a frame in the order of the artwork's: top left, top right, bottom right, bottom left. */
export type Quad = readonly [Point, Point, Point, Point]

/** Why a quad cannot be the corners of a frame; `mirrored` still renders. */
export type QuadFault = 'not-finite' | 'degenerate' | 'not-convex' | 'mirrored'

/** A quad of fewer square pixels has no inside worth drawing. */
const LEAST_AREA_PX2 = 1e-3

/** Cross product of the edges a->b and b->c: positive if the path turns clockwise on screen (y down). */
function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
}

/** Signed area in square pixels (shoelace formula): positive if the corners run clockwise on screen. */
export function signedArea([a, b, c, d]: Quad): number {
  return 0.5 * ((c[0] - a[0]) * (d[1] - b[1]) - (c[1] - a[1]) * (d[0] - b[0]))
}

/**
 * The first fault of a quad, or null. It must be strictly convex: with collinear corners or crossing edges, a
 * homography maps a part of the inside to infinity.
 */
export function findQuadFault(quad: Quad): QuadFault | null {
  for (const [x, y] of quad) if (!Number.isFinite(x) || !Number.isFinite(y)) return 'not-finite'
  const [a, b, c, d] = quad
  const area = signedArea(quad)
  const turns = [turn(a, b, c), turn(b, c, d), turn(c, d, a), turn(d, a, b)]
  const leastTurn = Math.min(...turns)
  const greatestTurn = Math.max(...turns)
  if (leastTurn < 0 && greatestTurn > 0) return 'not-convex'
  // A turn is twice the area of the triangle at its corner: a single flat corner makes the map degenerate.
  if (Math.abs(area) < LEAST_AREA_PX2 || Math.min(...turns.map(Math.abs)) < LEAST_AREA_PX2) return 'degenerate'
  return greatestTurn < 0 ? 'mirrored' : null
}

/** The quad scaled, for a scene drawn at another size. */
export function scaleQuad([a, b, c, d]: Quad, scaleX: number, scaleY: number): Quad {
  return [
    [a[0] * scaleX, a[1] * scaleY],
    [b[0] * scaleX, b[1] * scaleY],
    [c[0] * scaleX, c[1] * scaleY],
    [d[0] * scaleX, d[1] * scaleY],
  ]
}
