import type { ColorPlanes } from './color-mixture.ts'

// Folds and shadows change the amount of light, but hardly its colour, so lightness has little weight.
const LIGHTNESS_WEIGHT = 0.5
const HUE_WEIGHT = 1.5

/** Added to light, because ratios of nearly black colours are noise. */
const LEAST_LIGHT = 0.05

/** Logarithms of the light of bytes; the last is repeated. */
const logLight = Float64Array.from({ length: 257 }, (_, byte) => Math.log(Math.min(1, byte / 255) ** 2.2 + LEAST_LIGHT))

function logLightOf(value: number): number {
  const byte = Math.floor(value)
  const [from = 0, to = 0] = [logLight[byte], logLight[byte + 1]]
  return from + (value - byte) * (to - from)
}

/** Turns red, green and blue (0 to 255 as encoded) into lightness and two ratios of light, in place. */
export function toFeatures(planes: ColorPlanes): void {
  const [first, second, third] = planes
  for (let i = 0; i < first.length; i++) {
    const [red, green, blue] = [first[i] ?? 0, second[i] ?? 0, third[i] ?? 0]
    const ground = logLightOf(green)
    first[i] = (LIGHTNESS_WEIGHT * (0.3 * red + 0.6 * green + 0.1 * blue)) / 255
    second[i] = HUE_WEIGHT * (logLightOf(red) - ground)
    third[i] = HUE_WEIGHT * (logLightOf(blue) - ground)
  }
}
