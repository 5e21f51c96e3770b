import { srgbFromXyz, srgbPrimaries } from '@vitrine/engine'
import type { Rgb } from './blend-formulas.ts'

// sRGB colours 0..1, as they are encoded, as light, and as XYZ relative to D50.

const decode = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const encode = (light: number): number => {
  const value = Math.min(1, Math.max(0, light))
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
}

export const toLight = ([r, g, b]: Rgb): Rgb => [decode(r), decode(g), decode(b)]
export const toEncoded = ([r, g, b]: Rgb): Rgb => [encode(r), encode(g), encode(b)]

const [red, green, blue] = srgbPrimaries

export function toXyz([r, g, b]: Rgb): Rgb {
  const sum = (i: 1 | 2 | 3): number => r * red[i] + g * green[i] + b * blue[i]
  return [sum(1), sum(2), sum(3)]
}

/** The light of XYZ, which may lie outside 0..1. */
export function fromXyz([x, y, z]: Rgb): Rgb {
  const channel = (row: Rgb): number => row[0] * x + row[1] * y + row[2] * z
  return [channel(srgbFromXyz[0]), channel(srgbFromXyz[1]), channel(srgbFromXyz[2])]
}
