import { type Quad, signedArea } from './quad.ts'
import type { Rect } from './rect.ts'

/** Unit normals (inwards) and offsets of a quad's edges: distance = nx x + ny y + offset, in pixels. */
function buildEdges(quad: Quad): readonly (readonly [nx: number, ny: number, offset: number])[] {
  const inward = signedArea(quad) >= 0 ? 1 : -1
  const [a, b, c, d] = quad
  const sides = [
    [a, b],
    [b, c],
    [c, d],
    [d, a],
  ] as const
  return sides.map(([p, q]) => {
    const dx = q[0] - p[0]
    const dy = q[1] - p[1]
    const length = Math.hypot(dx, dy)
    const nx = (-dy / length) * inward
    const ny = (dx / length) * inward
    return [nx, ny, -(nx * p[0] + ny * p[1])] as const
  })
}

/**
 * The exact share of a pixel inside an edge. `distance` is the signed one of its centre; `long` and `short`
 * are the greater and the lesser of the normal's components (not negative).
 */
function shareInside(distance: number, long: number, short: number): number {
  const reach = (long + short) / 2
  if (distance >= reach) return 1
  if (distance <= -reach) return 0
  const away = Math.abs(distance)
  if (away <= (long - short) / 2) return 0.5 + distance / long
  const corner = (reach - away) ** 2 / (2 * long * short)
  return distance > 0 ? 1 - corner : corner
}

/**
 * An edge as `writeQuadCoverageRow` reads it: the distance of a pixel's centre, and how far an edge reaches
 * into a pixel.
 */
export type CoverageEdge = {
  readonly nx: number
  readonly ny: number
  readonly offset: number
  readonly long: number
  readonly short: number
}

/** The edges of a convex quad, for `writeQuadCoverageRow`. */
export function buildCoverageEdges(quad: Quad): readonly CoverageEdge[] {
  return buildEdges(quad).map(([nx, ny, offset]) => {
    const [a, b] = [Math.abs(nx), Math.abs(ny)]
    return { nx, ny, offset, long: Math.max(a, b), short: Math.min(a, b) }
  })
}

/**
 * Added to an edge's reach, in pixels, so that rounding never takes a pixel for whole that the exact share
 * says is not.
 */
const REACH_SLACK_PX = 1e-6

/**
 * How much of each pixel of a region's row `y` the quad covers, 0..1, into `row` (the region's width). It is
 * the product over the edges of the pixel's exact share inside each: exact along an edge; where two meet the
 * product is close.
 */
export function writeQuadCoverageRow(
  edges: readonly CoverageEdge[],
  { left, top, widthPx }: Rect,
  y: number,
  row: Float32Array,
): void {
  const py = top + y + 0.5
  // Pixels from `start` to `end` touch the quad; those from `wholeStart` to `wholeEnd` lie inside all edges.
  let start = 0
  let end = widthPx
  let wholeStart = 0
  let wholeEnd = widthPx
  for (const { nx, ny, offset, long, short } of edges) {
    const reach = (long + short) / 2 + REACH_SLACK_PX
    const constant = nx * (left + 0.5) + ny * py + offset
    if (nx === 0) {
      if (constant <= -reach) end = 0
      if (constant < reach) wholeEnd = 0
      continue
    }
    const touches = (-reach - constant) / nx
    const isWhole = (reach - constant) / nx
    if (nx > 0) {
      start = Math.max(start, Math.floor(touches))
      wholeStart = Math.max(wholeStart, Math.ceil(isWhole))
    } else {
      end = Math.min(end, Math.ceil(touches) + 1)
      wholeEnd = Math.min(wholeEnd, Math.floor(isWhole) + 1)
    }
  }
  if (wholeStart >= wholeEnd) {
    wholeStart = end
    wholeEnd = end
  }
  row.fill(0)
  row.fill(1, wholeStart, wholeEnd)
  for (let x = start; x < wholeStart; x++) row[x] = coverPixel(edges, left + x + 0.5, py)
  for (let x = wholeEnd; x < end; x++) row[x] = coverPixel(edges, left + x + 0.5, py)
}

/** The coverage of the pixel whose centre this is. */
export function coverPixel(edges: readonly CoverageEdge[], px: number, py: number): number {
  let product = 1
  for (const { nx, ny, offset, long, short } of edges) product *= shareInside(nx * px + ny * py + offset, long, short)
  return product
}
