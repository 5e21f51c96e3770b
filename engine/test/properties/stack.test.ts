import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BlendMode, blendModeNames } from '../../src/blending/blend-modes.ts'
import { FrameKernel } from '../../src/kernels/frame-kernel.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { composeMockup } from '../../src/render.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'
import type { Template } from '../../src/template/template.ts'
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

/** Ordinary runs draw one of thirty trees. */
const share = process.env['VITRINE_TEST_SIZE'] === 'full' ? 1 : 1 / 30

const kernel = new FrameKernel(loadKernels().get('frame-drawer'))

/** Differences from a compositor in 64-bit floats, of 255: the mean one, and how many of all are above 3. */
async function compareWithCompositor(
  seeds: readonly number[],
  areLit: boolean,
): Promise<{ readonly mean: number; readonly above: number; readonly count: number }> {
  let [sum, count, above] = [0, 0, 0]
  for (const seed of seeds) {
    const random = createRandom(seed)
    const { template, bundle, layers } = makeTemplate(random, smoothModes, areLit)
    const artworks = makeArtworks(random)
    const prepared = await prepareTemplate(template, bundle, SIZE_PX, bundle.codec())
    const drawn = composeMockup(prepared, artworks.map(asDecoded))
    const expected = compositeTemplate(template, layers, artworks)
    for (let i = 0; i < expected.length; i++) {
      const difference = Math.abs((drawn.data[i] ?? 0) - (expected[i] ?? 0) * 255)
      if (difference > 3) above++
      sum += difference
      count++
    }
  }
  return { mean: sum / count, above, count }
}

const seedsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: Math.ceil(count * share) }, (_, i) => first + i)

describe('a stack', () => {
  it('is drawn within 0.5 of 255 on average and 3 at most of a compositor in 64-bit floats, for random trees', async () => {
    const { mean, above } = await compareWithCompositor(seedsFrom(1, 300), false)
    assert.ok(above === 0 && mean <= 0.5, `${above} above 3, ${mean} on average`)
  })

  it('is as near to it with lit frames, anywhere in the tree and with inner lists', async () => {
    // Above 254 light is on a straight line to white, and the trees' cubes make twenty times as much of that.
    const { mean, above, count } = await compareWithCompositor(seedsFrom(5000, 200), true)
    assert.ok(above <= count / 1000 && mean <= 0.5, `${above} of ${count} above 3, ${mean} on average`)
  })

  it('of lit frames alone is within 1 of the same frames without a stack, which round after each', async () => {
    for (const seed of seedsFrom(7000, 30)) {
      const random = createRandom(seed)
      const { template, bundle } = makeTemplate(random, blendModeNames, true)
      const plain = {
        ...template,
        stack: null,
        colors: [],
        frames: template.frames.map(frame => ({ ...frame, inner: [] })),
      }
      const stacked = { ...plain, stack: [0, 1].map(index => ({ kind: 'frame', index }) as const) }
      const clear = buildPicture(30, 20, () => [Math.floor(random() * 256), 99, 200, Math.floor(random() * 256)])
      const widthPx = 5 + Math.floor(random() * 60)
      const draw = async (described: Template, drawer: FrameKernel | null): Promise<Uint8Array> => {
        const prepared = await prepareTemplate(described, bundle, widthPx, bundle.codec())
        return composeMockup(prepared, [clear, clear].map(asDecoded), drawer).data
      }
      // The template's mode is for the other frames, and has a fill that is no opacity.
      const frames = stacked.frames.map(frame => ({ ...frame, blendMode: null }))
      const burning = await draw({ ...stacked, frames, blendMode: 'linear-burn' }, kernel)
      const [inStack, inBytes] = [await draw(stacked, kernel), await draw(plain, kernel)]
      assert.deepEqual(burning, inStack, `tree ${seed}`)
      assert.ok(
        inStack.every((value, i) => Math.abs(value - (inBytes[i] ?? 0)) <= 1),
        `tree ${seed}`,
      )
    }
  })

  it('is the same with the kernel and without, for all modes, at any size, lit or not, and on a picture used before', async () => {
    for (const seed of seedsFrom(1000, 180)) {
      const random = createRandom(seed)
      const { template, bundle } = makeTemplate(random, blendModeNames, seed % 3 === 0)
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
