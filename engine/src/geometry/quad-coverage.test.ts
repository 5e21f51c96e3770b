import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Point, Quad } from './quad.ts'
import {
  buildCoverageEdge,
  buildCoverageEdges,
  coverPixel,
  findEdgeDistance,
  shareInside,
  writeCoverageRow,
} from './quad-coverage.ts'

/** Clips the polygon to nx x + ny y + offset >= 0 (Sutherland and Hodgman). */
function clip(polygon: readonly Point[], nx: number, ny: number, offset: number): readonly Point[] {
  const distance = ([x, y]: Point): number => nx * x + ny * y + offset
  return polygon.flatMap((to, i): readonly Point[] => {
    const from = polygon.at(i - 1) ?? to
    const [a, b] = [distance(from), distance(to)]
    const share = a / (a - b)
    const crossing: Point = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
    if (a < 0 && b < 0) return []
    if (a >= 0 && b >= 0) return [to]
    return b >= 0 ? [crossing, to] : [crossing]
  })
}

function area(polygon: readonly Point[]): number {
  return Math.abs(
    polygon.reduce((sum, [x, y], i) => {
      const [px, py] = polygon.at(i - 1) ?? [x, y]
      return sum + (px * y - x * py) / 2
    }, 0),
  )
}

test('along the edges of a quad, coverage is the exact area of each pixel inside it; inside it is 1, outside 0', () => {
  const sizePx = 40
  const region = { left: 3, top: 5, widthPx: sizePx, heightPx: sizePx }
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: Math.PI, noNaN: true }),
      fc.double({ min: 8, max: 14, noNaN: true }),
      (turn, reach) => {
        const corner = (quarter: number): Point => {
          const angle = turn + (quarter * Math.PI) / 2
          return [23.2 + reach * Math.cos(angle), 24.7 + reach * Math.sin(angle)]
        }
        const quad: Quad = [corner(0), corner(1), corner(2), corner(3)]
        const coverage = new Float32Array(sizePx * sizePx)
        const edges = buildCoverageEdges(quad)
        for (let y = 0; y < sizePx; y++)
          writeCoverageRow(edges, region, y, coverage.subarray(y * sizePx, (y + 1) * sizePx), 1)
        for (let i = 0; i < coverage.length; i++) {
          const [x, y] = [region.left + (i % sizePx), region.top + Math.floor(i / sizePx)]
          // Near a corner, the product of two shares only approximates the overlap.
          if (quad.some(([cx, cy]) => Math.hypot(cx - x - 0.5, cy - y - 0.5) < 2)) continue
          let inside: readonly Point[] = [
            [x, y],
            [x + 1, y],
            [x + 1, y + 1],
            [x, y + 1],
          ]
          quad.forEach(([px, py], side) => {
            const [qx, qy] = quad[(side + 1) % 4] ?? [px, py]
            inside = clip(inside, py - qy, qx - px, (qy - py) * px - (qx - px) * py)
          })
          assert.ok(Math.abs((coverage[i] ?? 0) - area(inside)) < 1e-5, `pixel ${x}, ${y}`)
        }
      },
    ),
    { numRuns: 15 },
  )
})

test('a row has the same coverage as its pixels individually, for any position and width of the quad', () => {
  const region = { left: -4, top: 2, widthPx: 37, heightPx: 29 }
  const coordinate = fc.oneof(fc.double({ min: -60, max: 60, noNaN: true }), fc.integer({ min: -8, max: 40 }))
  const point = fc.tuple(coordinate, coordinate)
  fc.assert(
    fc.property(point, point, point, point, (a, b, c, d) => {
      const edges = buildCoverageEdges([a, b, c, d])
      fc.pre(edges.every(({ nx, ny }) => Number.isFinite(nx) && Number.isFinite(ny)))
      const row = new Float32Array(region.widthPx)
      for (let y = 0; y < region.heightPx; y++) {
        writeCoverageRow(edges, region, y, row, 1)
        const expected = row.map((_, x) => coverPixel(edges, region.left + x + 0.5, region.top + y + 0.5))
        assert.deepEqual(row, expected)
      }
    }),
    { numRuns: 300 },
  )
})

test('the distance of an edge follows from the share of a pixel inside it', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      fc.double({ min: 1 / 255, max: 254 / 255, noNaN: true }),
      (turn, share) => {
        const edge = buildCoverageEdge(Math.cos(turn), Math.sin(turn), 0)
        assert.ok(edge)
        const found = shareInside(findEdgeDistance(share, edge), edge)
        assert.ok(Math.abs(found - share) < 1e-9, `${found}, expected ${share}`)
      },
    ),
  )
})
