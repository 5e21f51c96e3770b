import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOtherProduct, proposalFailure, proposePoints } from './propose-points.ts'

/** 40 x 30: a leaning rectangle with round corners, and a crumb beside it. */
const outline = {
  widthPx: 40,
  heightPx: 30,
  data: Uint8Array.from({ length: 1200 }, (_, i) => {
    const [x, y] = [i % 40, Math.floor(i / 40)]
    const across = Math.abs(x - 16 - 0.2 * (y - 14))
    const isRound = across > 9 && Math.abs(y - 14) > 9
    return (across <= 10 && Math.abs(y - 14) <= 10 && !isRound) || (x === 37 && y === 3) ? 255 : 0
  }),
}

const photo = { widthPx: 40, heightPx: 30, data: new Uint8Array(3600) }

test('a cushion has its frame at the four corners of its largest part', () => {
  const points = proposePoints(outline, photo, { product: 'cushion', slenderness: null })
  const wanted = [
    [4, 4],
    [24, 4],
    [29, 25],
    [8, 25],
  ]
  assert.equal(points?.length, 4)
  for (const [i, [x, y]] of points.entries())
    assert.ok(Math.hypot(x - (wanted[i]?.[0] ?? 0), y - (wanted[i]?.[1] ?? 0)) < 2.5, `${i}: ${x}, ${y}`)
})

test('nothing is proposed where nothing was found', () => {
  const nothing = { ...outline, data: new Uint8Array(1200) }
  for (const product of ['flat', 'body', 'shirt', 'cushion', 'warp'] as const)
    assert.equal(proposePoints(nothing, photo, { product, slenderness: 1 }), null)
})

test('a failure says what to brush, and what else gives a hidden side', () => {
  assert.match(proposalFailure('body', null), /body only.* handle.*choose the product/)
  assert.match(proposalFailure('body', 1.2), /body only.* handle.*drag the points/)
})

test('a body that is much taller or lower than a product is another one', () => {
  const body = (width: number, height: number): readonly [number, number][] => [
    [50, 20],
    [50 + width, 20],
    [50 + width, 20 + height],
    [50, 20 + height],
  ]
  assert.ok(isOtherProduct(body(100, 250), 1.16), 'a bottle')
  assert.ok(isOtherProduct(body(100, 60), 1.16), 'a candle')
  assert.ok(!isOtherProduct(body(100, 95), 1.16), 'a mug from above')
})
