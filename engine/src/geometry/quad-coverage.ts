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
 * How much of each pixel of the region a convex quad covers, 0..1: the product of its exact shares inside
 * each edge. Exact along an edge, an approximation where two meet (docs/decisions/sampling-and-light.md).
 */
export function writeQuadCoverage(quad: Quad, region: Rect, coverage: Float32Array): void {
  const edges = buildEdges(quad).map(([nx, ny, offset]) => {
    const [a, b] = [Math.abs(nx), Math.abs(ny)]
    return { nx, ny, offset, long: Math.max(a, b), short: Math.min(a, b) }
  })
  const { left, top, widthPx, heightPx } = region
  let index = 0
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      let product = 1
      for (const { nx, ny, offset, long, short } of edges) {
        product *= shareInside(nx * (left + x + 0.5) + ny * (top + y + 0.5) + offset, long, short)
      }
      coverage[index++] = product
    }
  }
}
