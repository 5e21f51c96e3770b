import { encodeLight, type Light, sendBack } from './light-chunk.ts'
import { linearFromByte, type ToneTables } from './light-tables.ts'

// Light for drawings in floats: linearly interpolated between the values of bytes.

/** `table`: linear light of bytes; `share`: an encoded value, 0..1. */
export function lightBetween(table: Float64Array, share: number): number {
  const position = share * 255
  const below = Math.min(254, Math.floor(position))
  const low = table[below] ?? 0
  return low + (position - below) * ((table[below + 1] ?? 0) - low)
}

/** The inverse: T(light) as an encoded value, 0..1. */
export function encodeShare(tone: ToneTables, light: number): number {
  const table = tone.lightFromByte
  const nearest = encodeLight(tone, light)
  const below = Math.min(254, nearest - (light < (table[nearest] ?? 0) ? 1 : 0))
  const low = table[below] ?? 0
  return (below + Math.min(1, (light - low) / ((table[below + 1] ?? 0) - low))) * (1 / 255)
}

/** Like `reflect`, for one channel of a straight colour, 0..1; `at` is the channel's byte in the layers. */
export function reflectShare(light: Light, color: number, alpha: number, at: number, channel: number): number {
  const albedo = lightBetween(linearFromByte, color) * alpha + (light.surface[channel] ?? 0) * (1 - alpha)
  return sendBack(light, albedo, at)
}
