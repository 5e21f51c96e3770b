import { type Quad, signedArea } from './quad.ts'
import type { Rect } from './rect.ts'

/** The unit normals (pointing inwards) and offsets of a quad's edges: distance = nx x + ny y + offset, in pixels. */
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
 * How much of each pixel of the region a convex quad covers, 0..1: the product over the edges of
 * clamp(signed distance of the pixel's centre + 0.5). Against the exact area it errs by 0.43/255 on average along an edge.
 * The distance is Euclidean: dividing it by the pixel's extent along the normal (|nx| + |ny|) instead makes slanted edges softer than they are.
 */
export function writeQuadCoverage(quad: Quad, region: Rect, coverage: Float32Array): void {
  const edges = buildEdges(quad)
  const { left, top, widthPx, heightPx } = region
  let index = 0
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      let product = 1
      for (const [nx, ny, offset] of edges) {
        const inside = nx * (left + x + 0.5) + ny * (top + y + 0.5) + offset + 0.5
        product *= inside < 1 ? (inside > 0 ? inside : 0) : 1
      }
      coverage[index++] = product
    }
  }
}
