import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reduceCoverage } from '../src/masking/reduce-coverage.ts'
import { isAffordable } from '../src/planned-cost.ts'

/** A shirt that fills most of a tall photo. */
const shirtAt = (widthPx: number): Parameters<typeof isAffordable>[0] => {
  const heightPx = (widthPx * 4) / 3
  const part = (share: number) => ({
    left: ((1 - share) / 2) * widthPx,
    top: ((1 - share) / 2) * heightPx,
    widthPx: share * widthPx,
    heightPx: share * heightPx,
  })
  return { widthPx, heightPx, frames: [{ rect: part(0.35), quad: null }], product: part(0.8) }
}

test('a shirt in a tall photo of 3,000 px is too costly, in one of 1,600 px it is not', () => {
  assert.equal(isAffordable(shirtAt(3000)), false)
  assert.equal(isAffordable(shirtAt(1600)), true)
  assert.equal(isAffordable({ ...shirtAt(3000), product: null }), true)
})

test('a coverage is made smaller by means of areas', () => {
  const data = Uint8Array.from([0, 0, 255, 255, 0, 0, 255, 255, 0, 100, 0, 100, 0, 100, 0, 100])
  assert.deepEqual([...reduceCoverage({ widthPx: 4, heightPx: 4, data }, 2, 2).data], [0, 255, 50, 50])
  const even = { widthPx: 7, heightPx: 5, data: new Uint8Array(35).fill(200) }
  assert.deepEqual([...reduceCoverage(even, 3, 2).data], [200, 200, 200, 200, 200, 200])
})
