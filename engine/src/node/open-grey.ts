import type { Sharp } from 'sharp'
import { ArtworkError } from '../artwork/artwork-error.ts'
import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { type IccProfile, readGreyToneCurve } from '../artwork/icc-profile.ts'
import { sharp } from './hardened-sharp.ts'
import { openPicture } from './open-picture.ts'

/**
 * 16-bit grey by its profile: the profile's tone curve to linear light, then the sRGB transfer function (IEC 61966-2-1).
 * Neutral stays neutral: the adaptation from the profile's white point to sRGB's maps white to white.
 */
export async function openGreyInSrgb(facts: ArtworkFacts, profile: IccProfile): Promise<Sharp> {
  const { data, info } = await openPicture(facts, { ignoreIcc: true })
    .toColourspace('rgb16')
    .ensureAlpha()
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) throw new ArtworkError('corrupt', 'Expected a grey picture but received damaged data.')
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2)
  const table = buildGreyTable(profile)
  const rgba = new Uint8Array(samples.length)
  for (let i = 0; i < samples.length; i += 4) {
    const grey = table[samples[i] ?? 0] ?? 0
    rgba[i] = grey
    rgba[i + 1] = grey
    rgba[i + 2] = grey
    rgba[i + 3] = ((samples[i + 3] ?? 0) * 255 + 32_767) / 65_535
  }
  return sharp(rgba, { raw: { width: info.width, height: info.height, channels: 4 } })
}

/** 8-bit sRGB for every 16-bit value of the profile's grey; without a usable curve the values count as sRGB already. */
function buildGreyTable(profile: IccProfile): Uint8Array {
  const toLinear = readGreyToneCurve(profile)
  return Uint8Array.from({ length: 65_536 }, (_, i) => {
    const value = i / 65_535
    if (toLinear === null) return Math.round(value * 255)
    const linear = Math.min(Math.max(toLinear(value), 0), 1)
    const encoded = linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.round(encoded * 255)
  })
}
