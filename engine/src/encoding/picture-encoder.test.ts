import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePicture, redraw } from '../../test/made-pictures.ts'
import { loadKernels } from '../node/load-kernels.ts'
import { PictureEncoder } from './picture-encoder.ts'

const kernels = loadKernels()
const drawn = [{ left: 20, top: 30, widthPx: 50, heightPx: 40 }]

test('cached scenes stay within the limit, the least recently used are dropped first, and the bytes stay the same', () => {
  const room = new PictureEncoder(kernels)
  const scenes = [1, 2, 3, 4].map(seed => makePicture(200, 150, 'smooth', seed))
  const [first] = scenes
  assert.ok(first)
  room.encode(redraw(first, drawn, 'noise', 1), { format: 'jpeg', quality: 85 }, { scene: first, drawn })
  const one = room.keptBytes
  assert.ok(one > 0)

  const bounded = new PictureEncoder(kernels, { scenesBytes: Math.floor(one * 2.5) })
  for (let round = 0; round < 3; round++) {
    for (const scene of scenes) {
      for (const output of [{ format: 'jpeg', quality: 85 }, { format: 'png' }] as const) {
        const picture = redraw(scene, drawn, 'noise', round)
        const bytes = bounded.encode(picture, output, { scene, drawn })
        assert.deepEqual(bytes, new PictureEncoder(kernels).encode(picture, output, { scene, drawn }))
        assert.ok(bounded.keptBytes <= one * 2.5)
      }
    }
  }
  assert.ok(bounded.keptBytes > 0)
})

test('a scene is prepared once for each quality, and one larger than the limit is not cached', () => {
  const scene = makePicture(200, 150, 'smooth', 1)
  const encoder = new PictureEncoder(kernels)
  const encode = (quality: number) => encoder.encode(scene, { format: 'jpeg', quality }, { scene, drawn })
  encode(50)
  const one = encoder.keptBytes
  encode(50)
  assert.equal(encoder.keptBytes, one)
  encode(51)
  assert.ok(encoder.keptBytes > one)
  const small = new PictureEncoder(kernels, { scenesBytes: 100 })
  small.encode(scene, { format: 'png' }, { scene, drawn })
  assert.equal(small.keptBytes, 0)
})

test('the first mockup of a scene leaves no trace of its artwork in the second', () => {
  const scene = makePicture(200, 150, 'smooth', 1)
  const encoder = new PictureEncoder(kernels)
  for (const output of [{ format: 'jpeg', quality: 85 }, { format: 'png' }] as const) {
    encoder.encode(redraw(scene, drawn, 'extremes', 1), output, { scene, drawn })
    const second = redraw(scene, drawn, 'flat', 2)
    assert.deepEqual(
      encoder.encode(second, output, { scene, drawn }),
      new PictureEncoder(kernels).encode(second, output, { scene, drawn }),
    )
  }
})
