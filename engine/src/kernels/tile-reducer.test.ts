import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { buildPicture } from '../../test/properties/build-template.ts'
import { createRandom } from '../../test/reference/detail-artwork.ts'
import { asDecoded } from '../../test/reference/memory-codec.ts'
import type { DecodedArtwork } from '../codec.ts'
import { createFrameKernel } from '../node/index.ts'
import { repeatExtensions } from '../sampling/extend-texture.ts'
import { planTaps, reduceByTaps } from '../sampling/reduce-by-taps.ts'

const kernel = createFrameKernel()
const ONE = 1 << 14

/** Extremes and steps, with transparent pixels unless it is opaque. */
function buildNoise(widthPx: number, heightPx: number, seed: number, isOpaque: boolean): DecodedArtwork {
  const random = createRandom(seed)
  const byte = (): number => (random() < 0.5 ? 255 * Math.round(random()) : Math.floor(random() * 256))
  return asDecoded(buildPicture(widthPx, heightPx, () => [byte(), byte(), byte(), isOpaque ? 255 : byte()]))
}

describe('repeated artwork', () => {
  it('is reduced by the kernel to the same bytes as the reference', () => {
    const size = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(
        size,
        size,
        size,
        size,
        fc.integer(),
        fc.boolean(),
        (width, height, outWidth, outHeight, seed, flag) => {
          const artwork = buildNoise(width, height, seed, flag)
          const [across, down] = [planTaps(width, outWidth), planTaps(height, outHeight)]
          for (const extension of [repeatExtensions.tile, repeatExtensions.mirror]) {
            const plain = reduceByTaps(artwork, across, down, extension)
            assert.deepEqual(Buffer.from(kernel.reduce(artwork, across, down, extension)), Buffer.from(plain))
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('preserves a uniform colour at any size: weights sum to one', () => {
    for (const [sizePx, outPx] of [
      [1, 1],
      [7, 3],
      [1500, 382],
      [3, 40],
      [1000, 1],
    ] as const) {
      const { count, weights } = planTaps(sizePx, outPx)
      for (let out = 0; out < outPx; out++) {
        const sum = weights.subarray(out * count, (out + 1) * count).reduce((total, weight) => total + weight, 0)
        assert.equal(sum, ONE, `${sizePx} to ${outPx}`)
      }
    }
  })

  it('is the artwork itself at its own size', () => {
    const artwork = buildNoise(13, 9, 4, true)
    const reduced = reduceByTaps(artwork, planTaps(13, 13), planTaps(9, 9), repeatExtensions.tile)
    assert.deepEqual(reduced, artwork.data)
  })
})
