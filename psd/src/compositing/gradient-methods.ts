import type { Rgb } from './blend-formulas.ts'
import { toEncoded, toLight } from './light.ts'

/** How a gradient mixes colours: as they are encoded, in Oklab, or as light. */
export type GradientMethod = 'classic' | 'perceptual' | 'linear'

/** Mixes two sRGB colours, 0..1. */
export function mixIn(method: Exclude<GradientMethod, 'classic'>, from: Rgb, to: Rgb, share: number): Rgb {
  const [a, b] = [toLight(from), toLight(to)]
  if (method === 'linear') return toEncoded(mix(a, b, share))
  return toEncoded(fromOklab(mix(toOklab(a), toOklab(b), share)))
}

function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])]
}

// B. Ottosson, A perceptual color space for image processing (Oklab), 2020.

function toOklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromOklab([lightness, a, b]: Rgb): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
