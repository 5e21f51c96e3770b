import { decodeSrgb, encodeSrgb, srgbFromXyz, srgbPrimaries } from '@vitrine/engine'
import type { Rgb } from './blend-formulas.ts'

// sRGB colours 0..1, as they are encoded, as light, and as XYZ relative to D50.

export const toLight = ([r, g, b]: Rgb): Rgb => [decodeSrgb(r), decodeSrgb(g), decodeSrgb(b)]
export const toEncoded = ([r, g, b]: Rgb): Rgb => [encodeSrgb(r), encodeSrgb(g), encodeSrgb(b)]

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
