import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseIccProfile } from '../../src/artwork/icc-profile.ts'
import { buildProfileConversion, type ProfileConversion } from '../../src/artwork/profile-conversion.ts'
import { encodeSrgb } from '../../src/lighting/tones.ts'
import type { Triple } from './delta-e.ts'
import { adobeRgb, cmykProfile, displayP3, greySpace, prophoto, srgbFromXyz } from './profiles.ts'

const levels = [0, 51, 102, 153, 204, 255] as const
const mixtures: readonly Triple[] = levels.flatMap(r => levels.flatMap(g => levels.map(b => [r, g, b] as const)))

function conversionOf(bytes: Uint8Array): ProfileConversion {
  const profile = parseIccProfile(bytes)
  assert.ok(profile)
  const conversion = buildProfileConversion(profile)
  assert.ok(conversion)
  return conversion
}

describe('the conversion of a profile', () => {
  for (const space of [adobeRgb, displayP3, prophoto]) {
    it(`is what ${space.name} says, of bytes and of floats`, () => {
      const { toSrgb, bytesToSrgb } = conversionOf(space.profile)
      const bytes = Uint8Array.from(mixtures.flat())
      const floats = Float32Array.from(mixtures.flat(), value => value / 255)
      bytesToSrgb(bytes)
      toSrgb(floats)
      const expected = mixtures.flatMap(([r, g, b]) => srgbFromXyz(space.toXyz([r / 255, g / 255, b / 255])))
      for (const [i, value] of expected.entries()) {
        const within = Math.min(1, Math.max(0, value))
        assert.ok(Math.abs((floats[i] ?? 9) - within) < 0.001, `value ${i}: ${floats[i]}, ${within}`)
        assert.ok(Math.abs((bytes[i] ?? 999) - within * 255) < 0.75, `${bytes[i]}, ${within * 255}`)
      }
    })

    it(`takes colours of sRGB back to ${space.name}`, () => {
      const { toSrgb, fromSrgb } = conversionOf(space.profile)
      for (const color of mixtures.map(([r, g, b]): Triple => [0.1 + r / 320, 0.1 + g / 320, 0.1 + b / 320])) {
        const there = Float32Array.from(fromSrgb(color))
        // A wide space has every colour of sRGB.
        toSrgb(there)
        for (const [c, value] of color.entries())
          assert.ok(Math.abs((there[c] ?? 9) - value) < 0.002, `${color.join()}: ${there.join()}`)
      }
    })
  }

  it('of a grey one keeps greys grey', () => {
    const grey = greySpace(1.8)
    const { toSrgb } = conversionOf(grey.profile)
    const values = Float32Array.of(0.5, 0.5, 0.5)
    toSrgb(values)
    assert.ok(Math.abs((values[0] ?? 9) - encodeSrgb(grey.toLinear(0.5))) < 0.002)
    assert.deepEqual([values[1], values[2]], [values[0], values[0]])
  })

  it('is none where a table describes the colours', () => {
    const profile = parseIccProfile(cmykProfile())
    assert.ok(profile)
    assert.equal(buildProfileConversion(profile), null)
  })
})
