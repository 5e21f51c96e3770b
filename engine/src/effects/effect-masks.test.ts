import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { invertShape, partsOfEffect, type Shape, softenShape } from './effect-masks.ts'

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
  const parts = (shape: Shape, outerPx: number, innerPx: number, opacity = 1) =>
    partsOfEffect({ kind: 'stroke', outerPx, innerPx }, shape, opacity)
  const rowOf = (shape: Shape, outerPx: number, innerPx: number, opacity?: number): number[] => {
    const [part] = parts(shape, outerPx, innerPx, opacity)
    return Array.from({ length: 20 }, (_, x) => (part?.mask ? at(part.mask, x, 20) : Number.NaN))
  }

  it('has the given width, on its side of the edge', () => {
    const seen = (row: readonly number[]) => row.flatMap((value, x) => (value > 0 ? [x] : []))
    assert.deepEqual(seen(rowOf(square, 3, 0)), [9, 10, 11])
    assert.deepEqual(seen(rowOf(square, 0, 3)).slice(-3), [12, 13, 14])
    const [outside, within] = parts(square, 1.5, 1.5)
    assert.deepEqual([outside?.place, within?.place], ['below', 'inside'])
    assert.deepEqual(
      [10, 11, 12].map(x => outside?.mask && at(outside.mask, x, 20)),
      [0.5, 1, 0],
    )
    assert.deepEqual(
      [12, 13, 14].map(x => within?.mask && at(within.mask, x, 20)),
      [1, 0.5, 0],
    )
  })

  const soft = { ...square, alpha: square.alpha.map((value, k) => (k % 40 === 12 ? value / 4 : value)) }

  it('ends as soft as the shape does', () => {
    assert.deepEqual(rowOf(soft, 3, 0).slice(8, 12), [0, 0.25, 1, 1])
  })

  it('goes on under half covered pixels, so that no ground shows between', () => {
    assert.deepEqual(rowOf(soft, 3, 0).slice(12, 14), [1, 0])
    // Of a shape that is not drawn itself, what it leaves.
    assert.equal(rowOf(soft, 3, 0, 0)[12], 0.75)
  })
})
