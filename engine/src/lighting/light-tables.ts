import { GREATEST_LIGHT, TONE_STEPS_PER_UNIT } from '../../kernels/assembly/frame/constants.ts'
import { applyTone, decodeSrgb, invertTone, type Tone } from './tones.ts'

/** Linear light of the encoded bytes. */
export const linearFromByte: Float64Array = Float64Array.from({ length: 256 }, (_, byte) => decodeSrgb(byte / 255))

/** The inverse of 255 is clamped to the light of 254.5; the nearest step below must still round to 255. */
const ROUNDING_BYTES = 0.002

export type ToneTables = {
  /** T inverse of every byte, linear light */
  readonly lightFromByte: Float64Array
  /** T of light * TONE_STEPS_PER_UNIT, rounded to the nearest step; more light uses the last entry */
  readonly byteFromLight: Uint8Array
}

/** The tables of a tone (130 KB). The curve is monotonic, so each byte's first step is found by bisection. */
export function buildToneTables(tone: Tone): ToneTables {
  const byteOf = (step: number): number =>
    Math.floor(applyTone(tone, step / TONE_STEPS_PER_UNIT) * 255 + 0.5 + ROUNDING_BYTES)
  const byteFromLight = new Uint8Array(GREATEST_LIGHT * TONE_STEPS_PER_UNIT + 1)
  for (let byte = 1; byte < 256; byte++) {
    let below = 0
    let first = byteFromLight.length
    while (first - below > 1) {
      const middle = (below + first) >> 1
      if (byteOf(middle) < byte) below = middle
      else first = middle
    }
    byteFromLight.fill(byte, first)
  }
  return { lightFromByte: Float64Array.from({ length: 256 }, (_, byte) => invertTone(tone, byte / 255)), byteFromLight }
}

/** Linear light of a light layer's bytes: scale * lin(byte). */
export function buildLightTable(scale: number): Float64Array {
  return linearFromByte.map(linear => linear * scale)
}
