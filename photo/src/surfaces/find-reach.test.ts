import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Quad } from '@vitrine/engine'
import { flatSurface } from './flat.ts'
import { findReach } from './rasterize-surface.ts'

const WIDTH_PX = 1000
const HEIGHT_PX = 800

const quads: Readonly<Record<string, Quad>> = {
  'a frame': [
    [300, 200],
    [700, 210],
    [690, 600],
    [310, 610],
  ],
  'one with sharp corners': [
    [40, 700],
    [500, 380],
    [960, 90],
    [520, 420],
  ],
  'one smaller than a stride': [
    [507, 303],
    [529, 305],
    [527, 331],
    [505, 329],
  ],
  'one across the rim': [
    [-200, -100],
    [1200, 100],
    [900, 700],
    [60, 760],
  ],
}

describe('the part of a photo that shows artwork', () => {
  for (const [name, quad] of Object.entries(quads)) {
    it(`is the same found in strides, of ${name}, at a share of the points`, () => {
      let asked = 0
      const surface = flatSurface(quad)
      const counted: typeof surface = (x, y) => {
        asked++
        return surface(x, y)
      }
      const all = findReach(counted, WIDTH_PX, HEIGHT_PX, 96)
      const ofAll = asked
      asked = 0
      assert.deepEqual(findReach(counted, WIDTH_PX, HEIGHT_PX, 96, 4), all)
      assert.ok(all.widthPx > 0 && ofAll > 7000)
      if (name === 'a frame') assert.ok(asked < ofAll / 4, `${asked} of ${ofAll}`)
    })
  }

  it('is empty where no artwork is', () => {
    const nothing = (): ReturnType<ReturnType<typeof flatSurface>> => ({ u: 2, v: 2, isSeen: true })
    assert.equal(findReach(nothing, WIDTH_PX, HEIGHT_PX, 96, 4).widthPx, 0)
  })
})
