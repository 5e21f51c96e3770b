import { applyTone, decodeSrgb, invertTone, type Tone } from './tones.ts'

/** Linear light of the encoded bytes. */
export const LINEAR_FROM_BYTE: Float64Array = Float64Array.from({ length: 256 }, (_, byte) => decodeSrgb(byte / 255))

/** Steps of the table from light to bytes, per unit of light: 1/20 of a byte where the curve is steepest (dark), so that no gradient shows steps that bytes do not have. */
export const TONE_STEPS_PER_UNIT = 65536

/** Light from here on is 255 in every tone: the shoulder reaches 254.5/255 at 1.96. */
const GREATEST_LIGHT = 2

/**
 * The inverse of 255 is the light of 254.5 exactly, and its nearest step may lie a little below it: without this room, in bytes, white
 * that no light is added to would come back as 254.
 */
const ROUNDING_ROOM = 0.002

export type ToneTables = {
  /** T inverse of every byte, linear light */
  readonly lightFromByte: Float64Array
  /** T of light * TONE_STEPS_PER_UNIT, rounded to the nearest step; greater light takes the last entry */
  readonly byteFromLight: Uint8Array
}

const made = new Map<Tone, ToneTables>()

/** The tables of a tone, made when first used (128 KB). */
export function getToneTables(tone: Tone): ToneTables {
  const known = made.get(tone)
  if (known) return known
  const lightFromByte = Float64Array.from({ length: 256 }, (_, byte) => invertTone(tone, byte / 255))
  const byteFromLight = Uint8Array.from({ length: GREATEST_LIGHT * TONE_STEPS_PER_UNIT + 1 }, (_, step) =>
    Math.floor(applyTone(tone, step / TONE_STEPS_PER_UNIT) * 255 + 0.5 + ROUNDING_ROOM),
  )
  const tables = { lightFromByte, byteFromLight }
  made.set(tone, tables)
  return tables
}

/** Linear light of a light layer's bytes: scale * lin(byte). */
export function buildLightTable(scale: number): Float64Array {
  return LINEAR_FROM_BYTE.map(linear => linear * scale)
}
