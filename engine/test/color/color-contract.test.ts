import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSharpCodec } from '../../src/node/create-sharp-codec.ts'
import { profileChunk, profileSegments, soundPng } from '../artwork/build-files.ts'
import type { Triple } from './delta-e.ts'
import { flatJpeg } from './flat-jpeg.ts'
import { type ColorDifference, measureColor } from './measure-color.ts'
import {
  adobeRgb,
  cmykProfile,
  displayP3,
  greySpace,
  pressSrgb,
  prophoto,
  type RgbSpace,
  srgb,
  srgbFromXyz,
} from './profiles.ts'

/** All mixtures of 0, 51 ... 255 in three channels. */
const levels = [0, 51, 102, 153, 204, 255] as const
const mixtures: readonly Triple[] = levels.flatMap(r => levels.flatMap(g => levels.map(b => [r, g, b] as const)))
const COLUMNS = 36

function rgbPng(bitDepth: 8 | 16, profile: Uint8Array | null): Buffer {
  const rows: Uint8Array[] = []
  for (let at = 0; at < mixtures.length; at += COLUMNS) {
    const values = mixtures.slice(at, at + COLUMNS).flat()
    rows.push(Uint8Array.from(bitDepth === 8 ? values : values.flatMap(value => [value, value])))
  }
  return soundPng(
    { widthPx: COLUMNS, heightPx: mixtures.length / COLUMNS, bitDepth },
    rows,
    profile === null ? [] : [profileChunk(profile)],
  )
}

function expectedFrom(space: RgbSpace): readonly Triple[] {
  return mixtures.map(([r, g, b]) => srgbFromXyz(space.toXyz([r / 255, g / 255, b / 255])))
}

function assertWithin({ mean, max, worst }: ColorDifference, maxMean: number, maxMax: number, what: string): void {
  const line = `${what}: dE2000 mean ${mean.toFixed(3)}, max ${max.toFixed(3)} (${worst})`
  if (process.env['VITRINE_PRINT_COLOR'] !== undefined) console.log(line)
  assert.ok(mean <= maxMean && max <= maxMax, line)
}

describe('colours arrive as the profile says:', () => {
  // rounding to 8 bits alone makes differences up to 0.4 in dark blues
  const spaces: readonly (readonly [RgbSpace, number, number])[] = [
    [srgb, 0.05, 0.5],
    [displayP3, 0.2, 1],
    [adobeRgb, 0.2, 1],
    [prophoto, 0.3, 1.5],
  ]
  for (const [space, mean, max] of spaces) {
    for (const bitDepth of [8, 16] as const) {
      it(`${space.name} in a PNG of ${bitDepth} bits`, async () => {
        const difference = await measureColor(rgbPng(bitDepth, space.profile), expectedFrom(space), COLUMNS, 1)
        assertWithin(difference, mean, max, `${space.name}, ${bitDepth} bits`)
      })
    }
  }

  it('Display P3 in a JPEG of three components', async () => {
    // Adobe transform 0: the components are red, green and blue themselves
    const file = flatJpeg(mixtures, COLUMNS, 0, profileSegments(displayP3.profile))
    assertWithin(await measureColor(file, expectedFrom(displayP3), COLUMNS, 8), 0.2, 1, 'Display P3, JPEG')
  })

  for (const gamma of [1.8, 2.2] as const) {
    for (const bitDepth of [8, 16] as const) {
      it(`grey of gamma ${gamma} and ${bitDepth} bits`, async () => {
        const space = greySpace(gamma)
        const values = Array.from({ length: 256 }, (_, i) => i)
        const row = Uint8Array.from(bitDepth === 8 ? values : values.flatMap(value => [value, value]))
        const file = soundPng(
          { widthPx: 256, heightPx: 1, bitDepth, colorType: 0 },
          [row],
          [profileChunk(space.profile)],
        )
        const expected = values.map(value => {
          const linear = space.toLinear(value / 255)
          return srgbFromXyz([0.9642 * linear, linear, 0.8249 * linear])
        })
        assertWithin(await measureColor(file, expected, 256, 1), 0.25, 1, `${space.name}, ${bitDepth} bits`)
      })
    }
  }
})

describe('CMYK', () => {
  const inks = levels.flatMap(c => levels.flatMap(m => levels.flatMap(y => levels.map(k => [c, m, y, k] as const))))
  const expected = inks.map(([c, m, y, k]) => pressSrgb([c / 255, m / 255, y / 255, k / 255]))
  const profile = profileSegments(cmykProfile())
  const inverted = inks.map(ink => ink.map(value => 255 - value))

  it('with a profile arrives as the profile says, from files that store ink inverted, as Adobe does', async () => {
    assertWithin(
      await measureColor(flatJpeg(inverted, COLUMNS, 0, profile), expected, COLUMNS, 8),
      0.4,
      1.5,
      'CMYK with a profile',
    )
  })

  it('is read as inverted without the Adobe marker too, as browsers read it', async () => {
    const difference = await measureColor(flatJpeg(inverted, COLUMNS, null, profile), expected, COLUMNS, 8)
    assertWithin(difference, 0.4, 1.5, 'CMYK with a profile, no marker')
  })

  it('stored as YCCK arrives the same, but for the rounding of YCC', async () => {
    const ycck = inks.map(([c, m, y, k]) =>
      [
        0.299 * c + 0.587 * m + 0.114 * y,
        128 - 0.168736 * c - 0.331264 * m + 0.5 * y,
        128 + 0.5 * c - 0.418688 * m - 0.081312 * y,
        255 - k,
      ].map(value => Math.min(255, Math.max(0, Math.round(value)))),
    )
    assertWithin(
      await measureColor(flatJpeg(ycck, COLUMNS, 2, profile), expected, COLUMNS, 8),
      0.6,
      4,
      'YCCK with a profile',
    )
  })

  it('without a profile arrives as a standard press would print it', async () => {
    /**
     * ink 0..100 % and the sRGB of the built-in press profile, as littleCMS computes it by itself
     * (perceptual)
     */
    const patches = standardPress
    const file = flatJpeg(
      patches.map(([ink]) => ink.map(value => 255 - Math.round((value * 255) / 100))),
      patches.length,
      0,
    )
    const wanted = patches.map(([, [r, g, b]]) => [r / 255, g / 255, b / 255] as const)
    assertWithin(await measureColor(file, wanted, patches.length, 8), 1, 3, 'CMYK without a profile')
    const black = await createSharpCodec().decodeArtwork(flatJpeg([[0, 0, 0, 0]], 1, 0), null)
    assert.deepEqual([...black.data.subarray(0, 4)], [0, 0, 0, 255])
  })
})

/**
 * Made with littleCMS 2.14: `transicc -i cmyk.icc -o srgb.icc -t 0 -n` on the two profiles that libvips has
 * built in, results outside 0..255 clipped. Near black littleCMS 2.14 and 2.19, which sharp has, differ: 2.19
 * makes the darkest print neutral black.
 */
const standardPress: readonly (readonly [readonly number[], Triple])[] = [
  [
    [0, 0, 0, 0],
    [255, 255, 255],
  ],
  [
    [100, 0, 0, 0],
    [0, 153.33, 227.58],
  ],
  [
    [0, 100, 0, 0],
    [233.62, 0, 130.24],
  ],
  [
    [0, 0, 100, 0],
    [255, 239.91, 0],
  ],
  [
    [0, 0, 0, 50],
    [134.73, 133.77, 134.52],
  ],
  [
    [100, 100, 0, 0],
    [30.96, 4.51, 119.38],
  ],
  [
    [0, 100, 100, 0],
    [231.54, 0, 21.49],
  ],
  [
    [100, 0, 100, 0],
    [0, 140.39, 52.22],
  ],
  [
    [20, 60, 80, 5],
    [188.18, 104.82, 63.28],
  ],
  [
    [10, 5, 5, 0],
    [219.17, 224.79, 230.51],
  ],
]

describe('without a usable profile values are sRGB already:', () => {
  const assertUnchanged = async (file: Uint8Array, message: string): Promise<void> => {
    const { data } = await createSharpCodec().decodeArtwork(file, null)
    const found = mixtures.map((_, i) => [...data.subarray(i * 4, i * 4 + 3)])
    assert.deepEqual(
      found,
      mixtures.map(mixture => [...mixture]),
      message,
    )
  }

  it('no profile, 8 and 16 bits', async () => {
    await assertUnchanged(rgbPng(8, null), '8 bits')
    await assertUnchanged(rgbPng(16, null), '16 bits')
  })

  it('a profile of another colour model, and one that is damaged', async () => {
    await assertUnchanged(rgbPng(8, greySpace(1.8).profile), 'grey')
    await assertUnchanged(rgbPng(8, displayP3.profile.subarray(0, 300)), 'cut')
    const broken = Buffer.from(displayP3.profile)
    broken.fill(0xff, broken.length - 200)
    await assertUnchanged(rgbPng(8, broken), 'garbage in its tags')
    await assertUnchanged(rgbPng(16, broken), 'garbage in its tags, 16 bits')
  })
})
