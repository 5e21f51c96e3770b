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

function isApproximate(settings: AdjustmentLayer): boolean {
  const adjustment = readAdjustment(settings)
  assert.ok(adjustment?.kind === 'formula')
  return adjustment.isApproximate
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

// Of Patchy's (MIT) photoshop-color-balance.psd and photoshop-color-balance-full.psd, of Photoshop 2026.

const balance = (cyanRed: number, magentaGreen: number, yellowBlue: number) => ({ cyanRed, magentaGreen, yellowBlue })

test('colour balance is as in Photoshop, of midtones alone and of all ranges with their luminosity', () => {
  const midtones = balance(45, -25, 35)
  assertPairs({ type: 'color balance', midtones, preserveLuminosity: false }, [
    [
      [15, 240, 20],
      [32, 237, 34],
    ],
    [
      [75, 190, 44],
      [104, 180, 64],
    ],
    [
      [135, 140, 68],
      [160, 125, 90],
    ],
    [
      [225, 65, 104],
      [233, 50, 126],
    ],
  ])
  const ranges = { shadows: balance(-10, 5, 15), midtones, highlights: balance(-30, 20, -5) }
  assertPairs(
    { type: 'color balance', ...ranges, preserveLuminosity: true },
    [
      [
        [15, 240, 20],
        [0, 255, 33],
      ],
      [
        [75, 190, 44],
        [76, 230, 64],
      ],
      [
        [135, 140, 68],
        [143, 152, 91],
      ],
      [
        [225, 65, 104],
        [229, 50, 131],
      ],
    ],
    1.1,
  )
  assertPairs({ type: 'color balance', preserveLuminosity: true }, [[middle, middle]], 1e-4)
})

// What Photoshop 25.4 makes of colours, as the PhotoCraft project found it.

test('a photo filter is as in Photoshop, its colour in RGB or Lab', () => {
  const pairs: readonly Pair[] = [
    [
      [255, 0, 0],
      [239, 7, 7],
    ],
    [
      [0, 255, 0],
      [69, 220, 0],
    ],
    [
      [0, 0, 255],
      [46, 0, 130],
    ],
    [
      [255, 255, 0],
      [255, 240, 80],
    ],
    [
      [128, 128, 128],
      [140, 124, 116],
    ],
    [
      [255, 255, 255],
      [255, 255, 255],
    ],
  ]
  const filter = { type: 'photo filter', density: 0.4, preserveLuminosity: true } as const
  assertPairs({ ...filter, color: { r: 236, g: 138, b: 0 } }, pairs)
  // Warming Filter (85) as files have it: whole, or as fractions of 100 and 127.
  assertPairs({ ...filter, color: { l: 67.06, a: 32, b: 120 } }, pairs)
  assertPairs({ ...filter, color: { l: 0.6706, a: 32 / 127, b: 120 / 127 } }, pairs)
})

test('the saturation of vibrance is as in Photoshop', () => {
  assertPairs({ type: 'vibrance', saturation: -100 }, [
    [
      [251, 201, 0],
      [217, 217, 217],
    ],
    [
      [0, 0, 255],
      [0, 0, 0],
    ],
  ])
  assertPairs({ type: 'vibrance', saturation: -50 }, [
    [
      [255, 128, 0],
      [220.7, 155.2, 129.4],
    ],
  ])
  assertPairs({ type: 'vibrance', saturation: 50 }, [
    [
      [64, 128, 192],
      [0, 134.3, 218.7],
    ],
  ])
  assertPairs({ type: 'vibrance', saturation: 100 }, [
    [
      [224, 176, 144],
      [251.3, 158.5, 51.7],
    ],
  ])
  assert.equal(isApproximate({ type: 'vibrance', saturation: 100 }), false)
})

test('vibrance is near Photoshop, spares saturated colours and skin, and says that it is approximated', () => {
  assertPairs(
    { type: 'vibrance', vibrance: -100 },
    [
      [
        [255, 0, 0],
        [255, 137, 137],
      ],
      [
        [224, 176, 144],
        [213.2, 197.4, 188.8],
      ],
      [
        [64, 128, 192],
        [124.4, 149, 185],
      ],
    ],
    11,
  )
  assertPairs(
    { type: 'vibrance', vibrance: 100 },
    [
      [
        [144, 160, 176],
        [121.2, 152.6, 180.5],
      ],
      [
        [224, 176, 144],
        [226.6, 166.8, 122.4],
      ],
    ],
    5,
  )
  assertPairs(
    { type: 'vibrance', vibrance: 50 },
    [
      [
        [255, 128, 0],
        [255, 128, 0],
      ],
      [
        [64, 128, 192],
        [50.6, 125.1, 192.8],
      ],
    ],
    4,
  )
  assert.equal(isApproximate({ type: 'vibrance', vibrance: 1 }), true)
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

const stop = (location: number, r: number, g: number, b: number) => ({ location, midpoint: 0.5, color: { r, g, b } })

test('a gradient map mixes its colours by its method, as Photoshop does', () => {
  const map = { type: 'gradient map', gradientType: 'solid', smoothness: 1 } as const
  const colorStops = [stop(0, 0, 0, 128), stop(1, 255, 200, 0)]
  assertPairs({ ...map, method: 'classic', colorStops }, [
    [
      [150, 100, 50],
      [105, 82, 75],
    ],
  ])
  const greys = { ...map, colorStops: [stop(0, 0, 0, 0), stop(1, 255, 255, 255)] }
  const grey = (value: number): Pair[] => [
    [
      [128, 128, 128],
      [value, value, value],
    ],
  ]
  assertPairs({ ...greys, method: 'smooth' }, grey(100))
  assertPairs({ ...greys, method: 'perceptual' }, grey(100))
  // Half of the light.
  assertPairs({ ...greys, method: 'linear' }, grey(188))
})

test('a gradient map looks up luminosity among its stops, the other way where it is reversed', () => {
  const map = {
    type: 'gradient map',
    gradientType: 'solid',
    name: '',
    smoothness: 0,
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

test('adjustments with settings that give no numbers are not read', () => {
  const points = [0, 100, 100, 255].map((input, i) => ({ input, output: 60 * i }))
  const damaged: readonly AdjustmentLayer[] = [
    { type: 'exposure', exposure: NaN, offset: 0, gamma: 1 },
    { type: 'exposure', exposure: 200, offset: -Infinity, gamma: NaN },
    { type: 'brightness/contrast', brightness: NaN, contrast: 0 },
    { type: 'curves', rgb: points },
    { type: 'vibrance', vibrance: NaN, saturation: 0 },
    { type: 'photo filter', color: { r: NaN, g: 0, b: 0 }, density: 0.25 },
  ]
  for (const settings of damaged) assert.equal(readAdjustment(settings), null, settings.type)
})
