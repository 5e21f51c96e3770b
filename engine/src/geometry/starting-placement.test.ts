import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasClearParts, proposePlacement } from './starting-placement.ts'

/** A picture of 100 x 100 pixels, `count` of which have the given alpha. */
function picture(count: number, alpha: number) {
  const data = new Uint8Array(40_000).fill(255)
  for (let i = 0; i < count; i++) data[i * 4 + 3] = alpha
  return { alpha: 'straight', widthPx: 100, heightPx: 100, data } as const
}

test('a logo has transparent parts; rounded corners, soft edges or a faint picture do not count', () => {
  for (const [count, alpha, isClear] of [
    [0, 0, false],
    [199, 0, false],
    [200, 0, true],
    [10_000, 127, true],
    [10_000, 128, false],
  ] as const)
    assert.equal(hasClearParts(picture(count, alpha)), isClear, `${count} ${alpha}`)
})

test('a logo is whole with a margin on products, and fills prints', () => {
  assert.deepEqual(proposePlacement(true), { fit: 'contain', scale: 0.8 })
  assert.equal(proposePlacement(false), null)
})
