import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BlendMode, blendModeNames } from '../../src/blending/blend-modes.ts'
import { FrameKernel } from '../../src/kernels/frame-kernel.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { composeMockup } from '../../src/render.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'
import { createRandom } from '../reference/detail-artwork.ts'
import { asDecoded } from '../reference/memory-codec.ts'
import { compositeTemplate } from '../reference/stack-compositor.ts'
import { buildPicture } from './build-template.ts'
import { makeArtworks, makeTemplate, SIZE_PX } from './make-stack.ts'

/** Modes whose results do not jump: rounding before a jump is not rounding after it. */
const smoothModes: readonly BlendMode[] = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'soft-light',
  'linear-burn',
  'linear-light',
  'darken',
  'exclusion',
  'luminosity',
  'difference',
]

describe('a stack', () => {
  it('is drawn within 0.5 of 255 on average and 3 at most of a compositor in 64-bit floats, for 300 random trees', async () => {
    let sum = 0
    let count = 0
    for (let seed = 1; seed <= 300; seed++) {
      const random = createRandom(seed)
      const { template, bundle, layers } = makeTemplate(random, smoothModes)
      const artworks = makeArtworks(random)
      const prepared = await prepareTemplate(template, bundle, SIZE_PX, bundle.codec())
      const drawn = composeMockup(prepared, artworks.map(asDecoded))
      const expected = compositeTemplate(template, layers, artworks)
      for (let i = 0; i < expected.length; i++) {
        const difference = Math.abs((drawn.data[i] ?? 0) - (expected[i] ?? 0) * 255)
        assert.ok(difference <= 3, `tree ${seed}, value ${i}: ${drawn.data[i]} for ${(expected[i] ?? 0) * 255}`)
        sum += difference
        count++
      }
    }
    assert.ok(sum / count <= 0.5, `${sum / count}`)
  })

  it('is the same with the kernel and without, for all modes, at any size, and on a picture used before', async () => {
    const kernel = new FrameKernel(loadKernels().get('frame-drawer'))
    for (let seed = 1000; seed < 1120; seed++) {
      const random = createRandom(seed)
      const { template, bundle } = makeTemplate(random, blendModeNames)
      const widthPx = seed % 2 === 0 ? SIZE_PX : 5 + Math.floor(random() * 60)
      const prepared = await prepareTemplate(template, bundle, widthPx, bundle.codec())
      const fast = await prepareTemplate(template, bundle, widthPx, bundle.codec(), kernel)
      assert.deepEqual(fast.empty.data, prepared.empty.data)
      const clear = buildPicture(30, 20, () => [Math.floor(random() * 256), 99, 200, Math.floor(random() * 256)])
      const [first, second] = [makeArtworks(random), [clear, clear]].map(pictures => pictures.map(asDecoded))
      if (!first || !second) throw new Error('no artworks')
      const reused = composeMockup(prepared, first, kernel)
      assert.deepEqual(reused.data, composeMockup(prepared, first).data, `tree ${seed}`)
      assert.deepEqual(composeMockup(prepared, second, kernel, reused).data, composeMockup(prepared, second).data)
    }
  })
})
