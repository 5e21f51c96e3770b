import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isConvex, movedQuad, type Quad, quadOfBox, quadOfPoints } from './quad.ts'

const square: Quad = [
  [100, 100],
  [300, 100],
  [300, 300],
  [100, 300],
]

describe('Frames drawn on a photo', () => {
  it('have the same corners in whatever order these are clicked', () => {
    const [a, b, c, d] = square
    for (const clicked of [
      [a, b, c, d],
      [c, a, d, b],
      [d, c, b, a],
      [b, d, a, c],
    ] as const) {
      const quad = quadOfPoints(clicked)
      assert.deepEqual(quad, square)
      assert.ok(isConvex(quad))
    }
  })

  it('are drawn by a rectangle from any of its corners', () => {
    for (const [from, to] of [
      [square[0], square[2]],
      [square[2], square[0]],
      [square[1], square[3]],
    ] as const)
      assert.deepEqual(quadOfBox(from, to), square)
  })

  it('move as a whole, and never off the photo', () => {
    assert.deepEqual(movedQuad(square, [10, -20], 1000, 800)[0], [110, 80])
    const [[left, top], , [right, bottom]] = movedQuad(square, [-5000, 5000], 1000, 800)
    assert.deepEqual([(left + right) / 2, (top + bottom) / 2], [0, 800])
  })
})
