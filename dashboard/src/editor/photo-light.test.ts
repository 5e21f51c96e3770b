import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { meanLightIn, remarkOnLight } from './photo-light.ts'
import type { Quad } from './quad.ts'

/** Its left half black, its right half white. */
const pixels = {
  width: 20,
  height: 10,
  data: Uint8ClampedArray.from({ length: 20 * 10 * 4 }, (_, i) => (Math.floor(i / 4) % 20 < 10 ? 0 : 255)),
}
const box = (left: number, right: number): Quad => [
  [left, 20],
  [right, 20],
  [right, 80],
  [left, 80],
]

describe('The light where a frame lies', () => {
  it('is the mean of what is inside of it', () => {
    const light = (left: number, right: number) => meanLightIn(pixels, box(left, right), 0.1)
    assert.deepEqual([light(10, 90), light(110, 190), light(300, 400)], [0, 1, null])
    assert.equal(light(60, 140), 0.5)
  })

  it('is remarked on where artwork would not be seen', () => {
    assert.equal(remarkOnLight(0.1, 'multiply'), 'too dark')
    assert.equal(remarkOnLight(0.95, 'screen'), 'too light')
    assert.equal(remarkOnLight(0.6, 'multiply'), null)
    assert.equal(remarkOnLight(0.1, 'normal'), null)
  })
})
