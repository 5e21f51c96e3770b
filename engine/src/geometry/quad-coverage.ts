import { type Quad, signedArea } from './quad.ts'
import type { Rect } from './rect.ts'

/** The larger and the smaller component of an edge's unit normal, as magnitudes. */
export type EdgeSlant = { readonly long: number; readonly short: number }

/**
 * The exact share, 0..1, of a pixel on the inner side of an edge at a signed distance from the pixel's
 * centre. Linear in the middle, a triangle's area where the edge cuts off a single corner.
 */
export function shareInside(distance: number, { long, short }: EdgeSlant): number {
  const reach = (long + short) / 2
  if (distance >= reach) return 1
  if (distance <= -reach) return 0
  const away = Math.abs(distance)
  if (away <= (long - short) / 2) return 0.5 + distance / long
  const corner = (reach - away) ** 2 / (2 * long * short)
  return distance > 0 ? 1 - corner : corner
}

/** The inverse: the distance at which a given share of a pixel, 0 to 1, is on the edge's inner side. */
export function findEdgeDistance(share: number, { long, short }: EdgeSlant): number {
  const corner = Math.min(share, 1 - share)
  if (corner >= short / (2 * long)) return (share - 0.5) * long
  const away = (long + short) / 2 - Math.sqrt(2 * long * short * corner)
  return share < 0.5 ? -away : away
}

/** An edge of a quad: (nx, ny) is its inward unit normal. Distance in pixels = nx x + ny y + offset. */
export type CoverageEdge = EdgeSlant & { readonly nx: number; readonly ny: number; readonly offset: number }

/** The edge a x + b y + c = 0, positive inwards. Null if a and b are 0. */
export function buildCoverageEdge(a: number, b: number, c: number): CoverageEdge | null {
  const length = Math.hypot(a, b)
  if (length === 0) return null
  const nx = a / length
  const ny = b / length
  const across = Math.abs(nx)
  const down = Math.abs(ny)
  return { nx, ny, offset: c / length, long: Math.max(across, down), short: Math.min(across, down) }
}

/** The edges of a convex quad, for `writeCoverageRow`. */
export function buildCoverageEdges(quad: Quad): readonly CoverageEdge[] {
  const inward = signedArea(quad) >= 0 ? 1 : -1
  return quad.map((p, side) => {
    const q = quad[(side + 1) % 4] ?? p
    const dx = q[0] - p[0]
    const dy = q[1] - p[1]
    const length = Math.hypot(dx, dy)
    const nx = (-dy / length) * inward
    const ny = (dx / length) * inward
    const [a, b] = [Math.abs(nx), Math.abs(ny)]
    return { nx, ny, offset: -(nx * p[0] + ny * p[1]), long: Math.max(a, b), short: Math.min(a, b) }
  })
}

/** Added to an edge's reach, so that rounding never takes a pixel as whole that an edge cuts. */
const REACH_SLACK_PX = 1e-6

/**
 * How much of each pixel of a region's row `y` lies inside all edges, 0..`one`, into `row` (the region's
 * width): the product of the shares inside each. Exact along one edge, approximate where two meet.
 */
export function writeCoverageRow(
  edges: readonly CoverageEdge[],
  { left, top, widthPx }: Rect,
  y: number,
  row: Float32Array | Uint8Array,
  one: 1 | 255,
): void {
  const py = top + y + 0.5
  // Pixels from `start` to `end` touch the inside; those from `wholeStart` to `wholeEnd` lie in it.
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
  const cover = (x: number): number => {
    const share = coverPixel(edges, left + x + 0.5, py)
    return one === 1 ? share : Math.round(share * one)
  }
  row.fill(0)
  row.fill(one, wholeStart, wholeEnd)
  for (let x = start; x < wholeStart; x++) row[x] = cover(x)
  for (let x = wholeEnd; x < end; x++) row[x] = cover(x)
}

/** The coverage of the pixel with this centre. */
export function coverPixel(edges: readonly CoverageEdge[], px: number, py: number): number {
  let product = 1
  for (const edge of edges) product *= shareInside(edge.nx * px + edge.ny * py + edge.offset, edge)
  return product
}
