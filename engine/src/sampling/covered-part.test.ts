import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { findCoveredPart } from './covered-part.ts'

const POINTS_PER_AXIS = 400

/** The same by counting points. */
function countPart(nx: number, ny: number, distance: number) {
  let [count, sumX, sumY, sumXx, sumXy, sumYy] = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < POINTS_PER_AXIS ** 2; i++) {
    const x = ((i % POINTS_PER_AXIS) + 0.5) / POINTS_PER_AXIS - 0.5
    const y = (Math.floor(i / POINTS_PER_AXIS) + 0.5) / POINTS_PER_AXIS - 0.5
    if (nx * x + ny * y + distance < 0) continue
    count++
    sumX += x
    sumY += y
    sumXx += x * x
    sumXy += x * y
    sumYy += y * y
  }
  const [x, y] = [sumX / count, sumY / count]
  const [varXx, varXy, varYy] = [sumXx / count - x * x, sumXy / count - x * y, sumYy / count - y * y]
  const extentAlong = (across: number, down: number): number =>
    Math.sqrt(12 * (across * across * varXx + 2 * across * down * varXy + down * down * varYy))
  return { x, y, extentAlong }
}

function assertNear(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, expected ${expected}`)
}

describe('the covered part of a pixel', () => {
  it('is the whole pixel beyond the edge: its centroid is the centre, its extent the slope', () => {
    const { x, y, extentAlong } = findCoveredPart(0.6, 0.8, 2)
    assertNear(x, 0, 1e-12)
    assertNear(y, 0, 1e-12)
    assertNear(extentAlong(3, 4), 5, 1e-12)
  })

  it('is a strip along a vertical edge: as wide as its share, as high as the pixel', () => {
    const { x, y, extentAlong } = findCoveredPart(1, 0, -0.25)
    assertNear(x, 0.375, 1e-12)
    assertNear(y, 0, 1e-12)
    assertNear(extentAlong(1, 0), 0.25, 1e-12)
    assertNear(extentAlong(0, 1), 1, 1e-12)
  })

  it('matches a count of points, for any edge', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
        fc.double({ min: -0.9, max: 0.9, noNaN: true }),
        (angle, part) => {
          const [nx, ny] = [Math.cos(angle), Math.sin(angle)]
          const distance = (part * (Math.abs(nx) + Math.abs(ny))) / 2
          const found = findCoveredPart(nx, ny, distance)
          const counted = countPart(nx, ny, distance)
          assertNear(found.x, counted.x, 0.004)
          assertNear(found.y, counted.y, 0.004)
          assertNear(found.extentAlong(1, 0.5), counted.extentAlong(1, 0.5), 0.01)
          assertNear(found.extentAlong(-0.5, 1), counted.extentAlong(-0.5, 1), 0.01)
        },
      ),
      { numRuns: 100 },
    )
  })
})
