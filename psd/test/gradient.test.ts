import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Rect } from '@vitrine/engine'
import type { EffectSolidGradient } from 'ag-psd'
import { drawGradient, type GradientSettings } from '../src/compositing/gradient.ts'

const rect: Rect = { left: 0, top: 0, widthPx: 100, heightPx: 1 }

function ramp(colors: readonly (readonly [number, number, number])[], smoothness = 0): EffectSolidGradient {
  const stops = colors.map(([r, g, b], i) => ({
    color: { r, g, b },
    location: (4096 * i) / (colors.length - 1),
    midpoint: 0.5,
  }))
  return { name: 'ramp', type: 'solid', smoothness, colorStops: stops, opacityStops: [] }
}

/** Red of a row, 0..255. */
function redsOf(settings: GradientSettings, layer: Rect = rect, canvas: Rect = rect): number[] {
  const picture = drawGradient({ angle: 0, ...settings }, rect, layer, canvas)
  assert.ok(picture)
  return Array.from({ length: 100 }, (_, x) => (picture.color[3 * x] ?? 0) * 255)
}

const near = (value: number | undefined, wanted: number, by = 1.5): void =>
  assert.ok(Math.abs((value ?? Number.NaN) - wanted) <= by, `${value}, not ${wanted}`)

describe('a gradient', () => {
  const gradient = ramp([
    [0, 0, 0],
    [255, 255, 255],
  ])

  test('lies where its offset says', () => {
    const moved = redsOf({ gradient, offset: { x: 0.25, y: 0 } })
    near(moved[75], 127.5, 2)
    near(moved[25], 0, 2)
  })

  test('spans the document where it is not aligned with the layer', () => {
    const half = { ...rect, widthPx: 50 }
    near(redsOf({ gradient, align: false }, half)[25], 65, 2)
    near(redsOf({ gradient }, half)[25], 129, 3)
  })

  test('is curved by its smoothness', () => {
    const smooth = redsOf({
      gradient: ramp(
        [
          [0, 0, 0],
          [255, 255, 255],
        ],
        1,
      ),
    })
    near(smooth[50], 128.5, 3)
    // Catmull and Rom's curve at a quarter: 0.203.
    near(smooth[25], 52.5, 3)
    near(redsOf({ gradient })[25], 65, 2)
  })

  test('mixes as light or in Oklab where its method says so', () => {
    // The middle of black and white: half of the light is 188; half of the lightness 99.
    near(redsOf({ gradient, interpolationMethod: 'linear' })[50], 188.5, 3)
    near(redsOf({ gradient, interpolationMethod: 'perceptual' })[50], 100, 3)
  })

  test('has the midpoint of the stop that it goes to', () => {
    const [first, last] = gradient.colorStops
    assert.ok(first && last)
    const bent = { ...gradient, colorStops: [first, { ...last, midpoint: 0.25 }] }
    near(redsOf({ gradient: bent })[25], 127.5, 4)
  })
})
