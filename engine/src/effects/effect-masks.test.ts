import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { invertShape, type Shape, softenShape, strokeShape } from './effect-masks.ts'

function shapeOf(widthPx: number, heightPx: number, at: (x: number, y: number) => number): Shape {
  const alpha = Float32Array.from({ length: widthPx * heightPx }, (_, k) => at(k % widthPx, Math.floor(k / widthPx)))
  return { widthPx, heightPx, alpha }
}

const plain = { spread: 0, blur: 0, gain: 1 }
const square = shapeOf(40, 40, (x, y) => (x >= 12 && x < 28 && y >= 12 && y < 28 ? 1 : 0))
const at = (plane: Float32Array, x: number, y: number, widthPx = 40): number => plane[y * widthPx + x] ?? Number.NaN

describe('a soft mask', () => {
  it('of a point is a tent of (N - |k|) / N squared along both axes', () => {
    const point = shapeOf(41, 41, (x, y) => (x === 20 && y === 20 ? 1 : 0))
    const soft = softenShape(point, { ...plain, blur: 5 }, 0, 0)
    for (const [dx, dy] of [
      [0, 0],
      [3, 0],
      [-3, 2],
      [4, -4],
      [5, 0],
    ] as const) {
      const wanted = (Math.max(0, 5 - Math.abs(dx)) * Math.max(0, 5 - Math.abs(dy))) / 625
      assert.ok(Math.abs(at(soft, 20 + dx, 20 + dy, 41) - wanted) < 1e-6, `${dx}, ${dy}`)
    }
  })

  it('with a radius between two others lies between them', () => {
    const edge = shapeOf(60, 3, x => (x < 30 ? 1 : 0))
    const [narrow, between, wide] = [4, 4.5, 5].map(blur => softenShape(edge, { ...plain, blur }, 0, 0))
    assert.ok(narrow && between && wide)
    const [a, b, c] = [narrow, between, wide].map(plane => at(plane, 31, 1, 60))
    assert.ok(a !== undefined && b !== undefined && c !== undefined && a < b && b < c, `${a} ${b} ${c}`)
    assert.ok(Math.abs(at(between, 29, 1, 60) - (1 - at(between, 30, 1, 60))) < 1e-6)
  })

  it('grows, moves by fractions of pixels, and is clamped to 1', () => {
    const grown = softenShape(square, { ...plain, spread: 4 }, 0, 0)
    assert.deepEqual(
      [9, 8, 7].map(x => at(grown, x, 20)),
      [1, 0.5, 0],
    )
    const moved = softenShape(square, plain, 3.25, -2)
    assert.deepEqual(
      [14, 15, 16, 30, 31].map(x => at(moved, x, 20)),
      [0, 0.75, 1, 1, 0.25],
    )
    assert.deepEqual(
      [9, 10, 25, 26].map(y => at(moved, 20, y)),
      [0, 1, 1, 0],
    )
    const bright = softenShape(square, { ...plain, blur: 6, gain: 2 }, 0, 0)
    assert.equal(Math.max(...bright), 1)
  })

  it('extends its edge pixels beyond the sides', () => {
    const half = shapeOf(20, 20, (_, y) => (y < 10 ? 1 : 0))
    const inside = softenShape(invertShape(half), { ...plain, blur: 4 }, 0, 0)
    assert.deepEqual([at(inside, 0, 2, 20), at(inside, 19, 2, 20), at(inside, 0, 0, 20)], [0, 0, 0])
  })
})

describe('a stroke', () => {
  const row = (outer: number, inner: number): number[] =>
    Array.from({ length: 20 }, (_, x) => at(strokeShape(square, outer, inner), x, 20))

  it('has the given width, on its side of the edge', () => {
    assert.deepEqual(
      row(3, 0).flatMap((value, x) => (value > 0 ? [x] : [])),
      [9, 10, 11],
    )
    assert.deepEqual(
      row(0, 3).flatMap((value, x) => (value > 0 ? [x] : [])),
      [12, 13, 14],
    )
    assert.deepEqual(
      row(1.5, 1.5).map(value => value),
      row(1.5, 1.5).toSpliced(10, 4, 0.5, 1, 1, 0.5),
    )
  })

  it('has no seam along partly covered pixels', () => {
    const soft = { ...square, alpha: square.alpha.map((value, k) => (k % 40 === 12 ? value / 2 : value)) }
    assert.ok(at(strokeShape(soft, 3, 0), 12, 20) === 0.5 && at(strokeShape(soft, 2, 2), 12, 20) === 1)
  })
})
