import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Layer } from 'ag-psd'
import { asArtwork, drawImported, pixelAt } from './draw-imported.ts'
import { paint, pixelLayer, type Rgba } from './make-psd.ts'
import { mockupPsd } from './mockup-file.ts'

type Ranges = NonNullable<Layer['blendingRanges']>

const all = [0, 0, 255, 255]

function ranges(own: readonly number[], below: readonly number[]): { readonly blendingRanges: Ranges } {
  const channels = Array.from({ length: 4 }, () => ({ sourceRange: all, destRange: all }))
  return {
    blendingRanges: {
      compositeGrayBlendSource: [...own],
      compositeGraphBlendDestinationRange: [...below],
      ranges: channels,
    },
  }
}

/** Black in its left half, grey of 200 in the right one. */
const halves = asArtwork({
  alpha: 'straight',
  widthPx: 48,
  heightPx: 36,
  data: new Uint8Array(paint(48, 36, x => (x < 24 ? [0, 0, 0] : [200, 200, 200])).data),
})

/** The design lies at 20..68 x 16..52; the ground is 200 - x, 180 - y, 150. */
const draw = async (design: Layer, above: Layer[]) => drawImported(mockupPsd({ design, above }), halves)
const groundAt = (x: number, y: number): number[] => [200 - x, 180 - y, 150]

describe('Blend If', () => {
  test('of the design says which colours of the artwork are seen', async () => {
    const { drawn, report } = await draw({ blendMode: 'normal', ...ranges([50, 50, 255, 255], all) }, [])
    assert.deepEqual([pixelAt(drawn, 30, 30), pixelAt(drawn, 60, 30)], [groundAt(30, 30), [200, 200, 200]])
    assert.ok(report.notes.every(({ text }) => !text.includes('Blend If')))
    const split = await draw({ blendMode: 'multiply', ...ranges([0, 0, 150, 249], all) }, [])
    // 200 is the 50th of 100 steps from 249 down to 150.
    const [red] = pixelAt(split.drawn, 60, 30)
    assert.equal(red, Math.round(140 * (0.5 + (0.5 * 200) / 255)))
    assert.deepEqual(pixelAt(split.drawn, 30, 30), [0, 0, 0])
  })

  test('of the design says on which colours of the scene it lies', async () => {
    // The ground gets darker to the right: 0.3 (200 - x) + 0.59 (180 - y) + 16.5.
    const { drawn } = await draw({ blendMode: 'normal', ...ranges(all, [151, 151, 255, 255]) }, [])
    assert.deepEqual([pixelAt(drawn, 30, 30), pixelAt(drawn, 60, 30)], [[0, 0, 0], groundAt(60, 30)])
  })

  test('of a layer above depends on the new artwork, and of one below is baked', async () => {
    const light = (more: Layer): Layer => pixelLayer('light', 0, 0, paint(96, 72, [255, 255, 0]), more)
    const onDark = await draw({ blendMode: 'normal' }, [light(ranges(all, [0, 0, 100, 100]))])
    assert.deepEqual(
      [pixelAt(onDark.drawn, 30, 30), pixelAt(onDark.drawn, 60, 30)],
      [
        [255, 255, 0],
        [200, 200, 200],
      ],
    )
    const faint: Rgba = [255, 255, 0, 128]
    const own = pixelLayer(
      'own',
      0,
      0,
      paint(96, 72, x => (x < 48 ? faint : [0, 0, 0])),
      ranges([20, 20, 255, 255], all),
    )
    const baked = await draw({ blendMode: 'normal' }, [own])
    assert.deepEqual(
      [pixelAt(baked.drawn, 30, 30), pixelAt(baked.drawn, 60, 30)],
      [
        [128, 128, 0],
        [200, 200, 200],
      ],
    )
    assert.equal(baked.template.stack, null, 'the colours of the layer itself do not depend on artwork')
  })
})
