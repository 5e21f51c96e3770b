import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSharpCodec } from '../../src/node/index.ts'
import { pngChunk, profileChunk, soundPng } from '../artwork/build-files.ts'
import type { Triple } from './delta-e.ts'
import { measureColor } from './measure-color.ts'
import { adobeRgb, displayP3, type RgbSpace, srgbFromXyz } from './profiles.ts'

const levels = [0, 51, 102, 153, 204, 255] as const
const mixtures: readonly Triple[] = levels.flatMap(r => levels.flatMap(g => levels.map(b => [r, g, b] as const)))

const pngOf = (chunks: readonly Buffer[], bitDepth: 8 | 16 = 8): Buffer =>
  soundPng(
    { widthPx: mixtures.length, heightPx: 1, bitDepth },
    [Uint8Array.from(bitDepth === 8 ? mixtures.flat() : mixtures.flat().flatMap(value => [value, value]))],
    chunks,
  )

const coded = (...codes: readonly number[]): Buffer => pngChunk('cICP', Buffer.from(codes))
const gamma = (value: number): Buffer => {
  const body = Buffer.alloc(4)
  body.writeUInt32BE(value)
  return pngChunk('gAMA', body)
}
const primaries = (...values: readonly number[]): Buffer => {
  const body = Buffer.alloc(32)
  for (const [i, value] of values.entries()) body.writeUInt32BE(value, 4 * i)
  return pngChunk('cHRM', body)
}
const ofSrgb = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6000]
const ofAdobe = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6000]

const expected = (space: RgbSpace): readonly Triple[] =>
  mixtures.map(([r, g, b]) => srgbFromXyz(space.toXyz([r / 255, g / 255, b / 255])))
const isExactly = mixtures.map(([r, g, b]) => [r / 255, g / 255, b / 255] as const)

/** [what, chunks, colours that arrive] */
const cases: readonly (readonly [string, readonly Buffer[], readonly Triple[]])[] = [
  ['cICP of Display P3, as Photoshop writes it', [coded(12, 13, 0, 1)], expected(displayP3)],
  ['cICP before a profile', [profileChunk(adobeRgb.profile), coded(12, 13, 0, 1)], expected(displayP3)],
  ['cICP of sRGB before gAMA', [coded(1, 13, 0, 1), gamma(100_000)], isExactly],
  ['cICP of HDR, of YCC and of a part of the range: as if there were none', [coded(9, 16, 0, 1)], isExactly],
  ['', [coded(12, 13, 1, 1)], isExactly],
  ['', [coded(12, 13, 0, 0)], isExactly],
  ['a profile before gAMA', [profileChunk(displayP3.profile), gamma(100_000)], expected(displayP3)],
  ['sRGB before gAMA and cHRM', [gamma(100_000), primaries(...ofAdobe), pngChunk('sRGB', Buffer.of(0))], isExactly],
  ['gAMA and cHRM of Adobe RGB', [gamma(45_471), primaries(...ofAdobe)], expected(adobeRgb)],
  ['cHRM of sRGB alone', [primaries(...ofSrgb)], isExactly],
  [
    'gAMA alone: linear light',
    [gamma(100_000)],
    mixtures.map(([r, g, b]) => {
      const encode = (v: number): number => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)
      return [encode(r / 255), encode(g / 255), encode(b / 255)] as const
    }),
  ],
  ['gAMA of nothing, and cHRM that spans nothing', [gamma(0), primaries(...Array<number>(8).fill(30_000))], isExactly],
]

describe('a PNG without a profile has the colours that its chunks say:', () => {
  for (const [what, chunks, wanted] of cases) {
    it(what === '' ? 'the same' : what, async () => {
      for (const bitDepth of [8, 16] as const) {
        const { mean, max, worst } = await measureColor(pngOf(chunks, bitDepth), wanted, mixtures.length, 1)
        assert.ok(mean < 0.2 && max < 1, `${bitDepth} bits: ${mean} ${max} ${worst}`)
      }
    })
  }

  it('of grey too, which stays neutral', async () => {
    const values = Uint8Array.from({ length: 256 }, (_, i) => i)
    const chunks = [gamma(100_000), primaries(...ofAdobe)]
    const file = soundPng({ widthPx: 256, heightPx: 1, colorType: 0, bitDepth: 8 }, [values], chunks)
    const { data } = await createSharpCodec().decodeArtwork(file, null)
    assert.deepEqual([...data.subarray(4 * 55, 4 * 55 + 4)], [128, 128, 128, 255])
    assert.deepEqual([...data.subarray(4 * 127, 4 * 127 + 4)], [187, 187, 187, 255])
  })
})
