import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdjustmentLayer } from 'ag-psd'
import type { Rgb } from '../compositing/blend-formulas.ts'
import { adjustmentFormula, readAdjustment } from './adjustment.ts'

type Pair = readonly [from: Rgb, to: Rgb]

function assertPairs(settings: AdjustmentLayer, pairs: readonly Pair[], most = 1): void {
  const adjustment = readAdjustment(settings)
  assert.ok(adjustment)
  const formula = adjustmentFormula(adjustment)
  for (const [[r, g, b], expected] of pairs) {
    const bytes = formula([r / 255, g / 255, b / 255]).map(value => value * 255)
    const isNear = bytes.every((value, c) => Math.abs(value - (expected[c] ?? 0)) <= most)
    assert.ok(isNear, `${r},${g},${b} became ${bytes.join()}, not ${expected.join()}`)
  }
}

const levels = (shadowInput: number, highlightInput: number, shadowOutput: number, highlightOutput: number) => ({
  shadowInput,
  highlightInput,
  shadowOutput,
  highlightOutput,
  midtoneInput: 1,
})

// Colours, and what Photoshop made of them, of the files of psd-tools (MIT) that are named *_rgb.psd.
const dark: Rgb = [3, 28, 30]
const dull: Rgb = [75, 73, 87]
const middle: Rgb = [115, 126, 151]
const light: Rgb = [171, 168, 207]

test('levels are as in Photoshop, of each channel and of all', () => {
  const blue = { ...levels(0, 255, 78, 171), midtoneInput: 2.12 }
  const channels = { red: levels(81, 255, 99, 192), green: levels(0, 128, 0, 255), blue }
  assertPairs({ type: 'levels', rgb: levels(48, 135, 74, 141), ...channels }, [
    [dark, [113, 80, 123]],
    [
      [24, 39, 47],
      [113, 97, 129],
    ],
    [dull, [113, 141, 140]],
    [middle, [127, 141, 141]],
  ])
})

test('curves are as in Photoshop, of one channel and of all', () => {
  const points = (...pairs: readonly (readonly [number, number])[]) =>
    pairs.map(([input, output]) => ({ input, output }))
  const rgb = points([26, 3], [55, 84], [171, 170], [255, 255])
  assertPairs({ type: 'curves', rgb, blue: points([0, 0], [167, 110], [255, 166]) }, [
    [dark, [3, 9, 3]],
    [
      [24, 39, 47],
      [3, 42, 18],
    ],
    [dull, [121, 118, 91]],
    [middle, [154, 158, 146]],
    [light, [170, 169, 160]],
  ])
})

test('exposure is as in Photoshop, with its offset and gamma', () => {
  assertPairs({ type: 'exposure', exposure: 2.03, offset: 0.0775, gamma: 1.52 }, [
    [dark, [119, 131, 133]],
    [dull, [187, 184, 202]],
    [middle, [237, 251, 255]],
  ])
})

test('brightness and contrast are as in Photoshop, the old way too', () => {
  assertPairs({ type: 'brightness/contrast', brightness: -95, contrast: -50, useLegacy: false }, [
    [dark, [2, 21, 22]],
    [dull, [52, 51, 59]],
    [middle, [75, 81, 95]],
    [light, [106, 104, 129]],
  ])
  const old = { type: 'brightness/contrast', brightness: 20, contrast: 57, useLegacy: true } as const
  const pairs: readonly Pair[] = [
    [
      [63, 58, 67],
      [25, 13, 34],
    ],
    [dull, [53, 48, 81]],
    [middle, [146, 171, 229]],
    [light, [255, 255, 255]],
  ]
  assertPairs(old, pairs, 1.2)
})

test('posterize and invert are as in Photoshop', () => {
  assertPairs({ type: 'posterize', levels: 21 }, [
    [dark, [0, 25, 25]],
    [dull, [76, 63, 89]],
    [middle, [114, 127, 153]],
    [light, [178, 165, 204]],
  ])
  assertPairs({ type: 'invert' }, [[dull, [180, 182, 168]]], 0.01)
})

// By formulas that are known, computed by hand.

test('the channel mixer adds shares of all channels and a constant, one grey for all where it is monochrome', () => {
  const mix = (red: number, green: number, blue: number, constant: number) => ({ red, green, blue, constant })
  const red = mix(50, 30, -20, 10)
  const channels = { red, green: mix(0, 100, 0, 0), blue: mix(0, 0, 200, -40) }
  assertPairs({ type: 'channel mixer', monochrome: false, ...channels }, [
    [
      [100, 200, 50],
      [125.5, 200, 0],
    ],
    [
      [255, 255, 0],
      [229.5, 255, 0],
    ],
    [
      [0, 0, 200],
      [0, 0, 255],
    ],
  ])
  assertPairs({ type: 'channel mixer', monochrome: true, gray: mix(40, 40, 20, 0) }, [
    [
      [100, 200, 50],
      [130, 130, 130],
    ],
  ])
})

test('a photo filter multiplies by its colour as far as its density says, and can hold the luminosity', () => {
  const filter = { type: 'photo filter', color: { r: 236, g: 138, b: 0 }, density: 0.25 } as const
  // 1 - 0.25 + 0.25 times 236/255, 138/255 and 0.
  assertPairs({ ...filter, preserveLuminosity: false }, [
    [
      [200, 100, 40],
      [196.3, 88.5, 30],
    ],
  ])
  // Moved by what 0.3 of red, 0.59 of green and 0.11 of blue became less: 9.0.
  assertPairs({ ...filter, preserveLuminosity: true }, [
    [
      [200, 100, 40],
      [205.3, 97.5, 39],
    ],
  ])
})

test('selective colour changes inks by how much a colour belongs to a range, as FFmpeg computes it', () => {
  const none = { c: 0, m: 0, y: 0, k: 0 }
  const relative = { type: 'selective color', mode: 'relative' } as const
  const absolute = { type: 'selective color', mode: 'absolute' } as const
  // Red by 100 more than green: half of the 55 to white, times 100/255.
  assertPairs({ ...relative, reds: { ...none, c: -50 } }, [
    [
      [200, 100, 50],
      [210.8, 100, 50],
    ],
  ])
  // Not relative to what is left: half of 255, but at most 55, times 100/255.
  assertPairs({ ...absolute, reds: { ...none, c: -50 } }, [
    [
      [200, 100, 50],
      [221.6, 100, 50],
    ],
  ])
  // Green by 50 more than blue makes it yellow: 30 % of black for all, times 50/255.
  assertPairs({ ...absolute, yellows: { ...none, k: 30 } }, [
    [
      [200, 100, 50],
      [185, 85, 40.2],
    ],
  ])
  // Whites from 127.5 on; blacks up to it; neutrals in between.
  assertPairs({ ...absolute, whites: { ...none, m: 10 } }, [
    [
      [240, 240, 240],
      [240, 217.5, 240],
    ],
  ])
  assertPairs({ ...absolute, blacks: { ...none, k: -10 } }, [
    [
      [50, 40, 30],
      [65.5, 55.5, 45.5],
    ],
  ])
  assertPairs({ ...absolute, neutrals: { ...none, y: 20 } }, [
    [
      [128, 128, 128],
      [128, 128, 77.2],
    ],
  ])
})

test('a gradient map looks up luminosity among its stops, the other way where it is reversed', () => {
  const stop = (location: number, r: number, g: number, b: number) => ({ location, midpoint: 50, color: { r, g, b } })
  const map = {
    type: 'gradient map',
    gradientType: 'solid',
    name: '',
    colorStops: [stop(0, 0, 0, 100), stop(1024, 200, 0, 0), stop(4096, 255, 255, 255)],
    opacityStops: [],
    reverse: false,
    dither: false,
  } as const
  // 0.3 of red, 0.59 of green and 0.11 of blue: 30 and 170 of 255; the middle stop lies at 63.75.
  const pairs: readonly Pair[] = [
    [
      [100, 0, 0],
      [94.1, 0, 52.9],
    ],
    [
      [170, 170, 170],
      [230.6, 141.7, 141.7],
    ],
  ]
  assertPairs({ ...map, colorStops: [...map.colorStops], opacityStops: [] }, pairs)
  const reversed = { ...map, colorStops: [...map.colorStops], opacityStops: [], reverse: true }
  assertPairs(reversed, [
    [
      [255, 255, 255],
      [0, 0, 100],
    ],
  ])
})
