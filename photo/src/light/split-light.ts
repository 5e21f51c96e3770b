import { broadFilterWithin } from '../filters/broad-filter.ts'
import { gaussianFilter, gaussianFilterWithin } from '../filters/gaussian-filter.ts'
import { narrowPeaks } from '../filters/narrow-peaks.ts'
import type { Planes } from './clean-photo.ts'
import { fitSmoothLight } from './smooth-light.ts'

/** Light on a surface: photo = shade x color + highlights, in linear light. */
export type SplitLight = { readonly shade: Planes; readonly highlights: Planes }

export type SplitOptions = {
  readonly widthPx: number
  readonly heightPx: number
  /** where light is wanted: 1, elsewhere 0 */
  readonly weights: Float32Array
  /** the surface's colour in linear light */
  readonly color: readonly [number, number, number]
  /** share of white diffuse light that is mirrored everywhere */
  readonly floor: number
  /** the artwork's coordinates on a curved glossy body, whose reflected windows are removed; else null */
  readonly curved: { readonly u: Float32Array; readonly v: Float32Array; readonly coverage: Float32Array } | null
  /** the width of the Gaussian that smooths the light's hue; without it, dyes show the blocks of a JPEG */
  readonly hueSigmaPx: number
}

/** Broad reflections vary at this scale. */
const FLOOR_SIGMA_PX = 24

/** The photo is smoothed by this before the smooth light is fitted, and the mirrored light after it. */
const FIT_SIGMA_PX = 1.5
const MIRRORED_SIGMA_PX = 1

/** Of a row of the body: what is broader is a shade that the fit misses, such as that of a rounded base. */
const BROADEST_MIRRORED = 0.2

/** Light less above the fit than this share is no reflected window. */
const LEAST_MIRRORED = 0.006
const DARK_OFFSET = 0.3

/** Highlights are at most this share of the photo: the rest of each pixel is the surface's own. */
const MOST_MIRRORED = 0.9

const LEAST_LIGHT = 1e-4

/**
 * Splits the linear light of a photo into shade, which multiplies the surface's colour, and highlights, which
 * take the memory of `photo`. Neither has values without weight.
 */
export function splitLight(photo: Planes, options: SplitOptions): SplitLight {
  const { weights, color, floor, curved, widthPx, heightPx } = options
  const sharp = curved && findMirrored(photo[1], curved, options)
  const broaden = floor === 0 ? null : broadFilterWithin(weights, widthPx, heightPx, FLOOR_SIGMA_PX)
  const channels = ([0, 1, 2] as const).map(channel => {
    const light = photo[channel]
    const shade = new Float32Array(light.length)
    const broad = broaden && broaden(light)
    const line = new Float32Array(widthPx)
    const share = floor / (color[channel] + floor)
    for (let y = 0, i = 0; y < heightPx; y++) {
      if (broad) broad(y, line)
      for (let x = 0; x < widthPx; x++, i++) {
        if ((weights[i] ?? 0) === 0) continue
        const value = light[i] ?? 0
        const wanted = share * (line[x] ?? 0) + (sharp ? (sharp[i] ?? 0) : 0)
        const mirrored = Math.min(MOST_MIRRORED * value, wanted)
        light[i] = mirrored
        shade[i] = (value - mirrored) / color[channel]
      }
    }
    return shade
  })
  const [red, green, blue] = channels
  if (!red || !green || !blue) throw new Error('Expected three channels.')
  const shade: Planes = [red, green, blue]
  if (options.hueSigmaPx > 0) evenHue(shade, options)
  return { shade, highlights: photo }
}

/** Sharp light above the smooth light of a curved body: windows and lamps, the same in each channel. */
function findMirrored(
  light: Float32Array,
  { u, v, coverage }: NonNullable<SplitOptions['curved']>,
  { weights, widthPx, heightPx }: SplitOptions,
): Float32Array {
  const mirrored = new Float32Array(light.length)
  const smooth = fitSmoothLight(gaussianFilter(light, widthPx, heightPx, FIT_SIGMA_PX), coverage, u, v)
  if (smooth === null) return mirrored
  const above = gaussianFilterWithin(weights, widthPx, heightPx, FIT_SIGMA_PX)(light)
  for (let i = 0; i < above.length; i++) above[i] = (above[i] ?? 0) - smooth(u[i] ?? 0, v[i] ?? 0)
  const sharp = narrowPeaks(above, weights, widthPx, heightPx, BROADEST_MIRRORED)
  for (let i = 0; i < sharp.length; i++)
    mirrored[i] = Math.max(0, (sharp[i] ?? 0) - LEAST_MIRRORED * (DARK_OFFSET + (light[i] ?? 0)))
  return gaussianFilterWithin(weights, widthPx, heightPx, MIRRORED_SIGMA_PX)(mirrored)
}

/** The light's hue changes slowly, its strength does not. */
function evenHue([red, green, blue]: Planes, { weights, widthPx, heightPx, hueSigmaPx }: SplitOptions): void {
  const smooth = broadFilterWithin(weights, widthPx, heightPx, hueSigmaPx)
  const [smoothRed, smoothGreen, smoothBlue] = [smooth(red), smooth(green), smooth(blue)]
  const [reds, greens, blues] = [new Float32Array(widthPx), new Float32Array(widthPx), new Float32Array(widthPx)]
  for (let y = 0, i = 0; y < heightPx; y++) {
    smoothRed(y, reds)
    smoothGreen(y, greens)
    smoothBlue(y, blues)
    for (let x = 0; x < widthPx; x++, i++) {
      if ((weights[i] ?? 0) === 0) continue
      const r = reds[x] ?? 0
      const g = greens[x] ?? 0
      const b = blues[x] ?? 0
      const strength = strengthOf(red[i] ?? 0, green[i] ?? 0, blue[i] ?? 0) / Math.max(LEAST_LIGHT, strengthOf(r, g, b))
      red[i] = strength * r
      green[i] = strength * g
      blue[i] = strength * b
    }
  }
}

const strengthOf = (red: number, green: number, blue: number): number => 0.3 * red + 0.6 * green + 0.1 * blue
