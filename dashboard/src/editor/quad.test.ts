import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isConvex, movedQuad, type Quad, quadOfBox, quadOfPoints, ratioOfQuad } from './quad.ts'

const [photoWidth, photoHeight] = [1000, 750]

/** A rectangle of height 1, turned in depth, as a camera with a focal length in px shows it. */
function seen(ratio: number, [turnX, turnY]: readonly [number, number], focal: number): Quad {
  const at = (x: number, y: number): readonly [number, number] => {
    const [alongX, z] = [x * Math.cos(turnY), x * Math.sin(turnY)]
    const [alongY, depth] = [y * Math.cos(turnX) - z * Math.sin(turnX), y * Math.sin(turnX) + z * Math.cos(turnX)]
    const scale = focal / (focal / 300 + depth)
    return [photoWidth / 2 + alongX * scale, photoHeight / 2 + alongY * scale]
  }
  const [right, bottom] = [ratio / 2, 1 / 2]
  return [at(-right, -bottom), at(right, -bottom), at(right, bottom), at(-right, bottom)]
}

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

  it('have the ratio of what is seen aslant, whichever usual lens shows it', () => {
    for (const focal of [800, 1250, 2500])
      for (const ratio of [0.6, 1, 1.7])
        for (const turns of [
          [0, 0],
          [0.3, 0.4],
          [-0.5, 0.6],
        ] as const) {
          const found = ratioOfQuad(seen(ratio, turns, focal), photoWidth, photoHeight)
          assert.ok(Math.abs(Math.log(found / ratio)) < 0.08, `${focal} ${ratio} ${turns.join()}: ${found}`)
        }
    // Turned about one axis alone, it does not tell the lens: a usual one is assumed.
    const leaning = ratioOfQuad(seen(0.6, [0.5, 0], 1250), photoWidth, photoHeight)
    assert.ok(Math.abs(Math.log(leaning / 0.6)) < 0.01, String(leaning))
  })

  it('have nearly the same ratio if a pointer misses a corner by two pixels', () => {
    for (const turns of [
      [0, 0],
      [0.1, 0],
      [0.05, 0.1],
    ] as const)
      for (const corner of [0, 1, 2, 3])
        for (const [x, y] of [
          [2, 0],
          [-2, 1],
          [1, 2],
          [0, -2],
        ] as const) {
          const quad = seen(0.9, turns, 1250)
          const [a, b, c, d] = quad.with(corner, [(quad[corner]?.[0] ?? 0) + x, (quad[corner]?.[1] ?? 0) + y])
          assert.ok(a && b && c && d)
          const found = ratioOfQuad([a, b, c, d], photoWidth, photoHeight)
          assert.ok(Math.abs(Math.log(found / 0.9)) < 0.05, `${turns.join()} ${corner} ${x} ${y}: ${found}`)
        }
    // Set on a shirt that was photographed from above.
    const shirt = [
      [139.167, 211.013],
      [261.576, 209.792],
      [264.876, 349.09],
      [135.625, 350.358],
    ] as const
    assert.ok(Math.abs(ratioOfQuad(shirt, 400, 533) - 0.9) < 0.05)
  })
})
