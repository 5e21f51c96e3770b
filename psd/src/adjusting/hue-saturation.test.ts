import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HueSaturationAdjustment, HueSaturationAdjustmentChannel } from 'ag-psd'
import type { Rgb } from '../compositing/blend-formulas.ts'
import { hueSaturation } from './hue-saturation.ts'

const master = (settings: Partial<HueSaturationAdjustmentChannel>): HueSaturationAdjustment => ({
  type: 'hue/saturation',
  master: { a: 0, b: 0, c: 25, d: 0, hue: 0, saturation: 0, lightness: 0, ...settings },
})

function assertNear(adjustment: HueSaturationAdjustment, color: Rgb, expected: Rgb): void {
  const bytes = hueSaturation(adjustment)([color[0] / 255, color[1] / 255, color[2] / 255]).map(value => value * 255)
  for (const [c, value] of bytes.entries()) {
    assert.ok(Math.abs(value - (expected[c] ?? 0)) <= 1, `${color.join()} became ${bytes.join()}`)
  }
}

// Colours and Photoshop's results, of psd-tools' huesaturation_rgb.psd and huesaturation_colorize_rgb.psd.
const saturated: readonly (readonly [Rgb, Rgb])[] = [
  [
    [34, 9, 2],
    [0, 22, 6],
  ],
  [
    [184, 159, 158],
    [0, 216, 8],
  ],
  [
    [173, 167, 174],
    [215, 179, 0],
  ],
  [
    [91, 86, 89],
    [70, 111, 0],
  ],
  [
    [126, 126, 134],
    [165, 6, 0],
  ],
]
const colorized: readonly (readonly [Rgb, Rgb])[] = [
  [
    [82, 70, 72],
    [145, 134, 182],
  ],
  [
    [196, 170, 180],
    [211, 207, 226],
  ],
  [
    [233, 227, 227],
    [239, 238, 244],
  ],
]

test('near-greys that are darkened and then saturated wholly are within a byte of Photoshop', () => {
  const adjustment = master({ hue: 122, saturation: 100, lightness: -37 })
  for (const [color, expected] of saturated) assertNear(adjustment, color, expected)
})

test('colours that are made one hue are within a byte of Photoshop', () => {
  const adjustment = master({ a: 256, b: -106, c: 25, d: 46 })
  for (const [color, expected] of colorized) assertNear(adjustment, color, expected)
})
