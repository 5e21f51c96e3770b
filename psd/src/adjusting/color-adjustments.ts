import type {
  BlackAndWhiteAdjustment,
  ChannelMixerAdjustment,
  ChannelMixerChannel,
  GradientMapAdjustment,
  PhotoFilterAdjustment,
  SelectiveColorAdjustment,
  VibranceAdjustment,
} from 'ag-psd'
import { type Rgb, setLuminosity } from '../compositing/blend-formulas.ts'
import { colorsAlong } from '../compositing/gradient.ts'
import { fromXyz, toEncoded, toLight, toXyz } from '../compositing/light.ts'
import { readColor } from '../compositing/read-color.ts'
import { fromHsl, toHsl } from './hue-saturation.ts'

// Adjustments that need all channels of a colour, 0..1.

export type ColorFormula = (color: Rgb) => Rgb

const clamp = (value: number): number => Math.min(1, Math.max(0, value))
const luminosity = ([r, g, b]: Rgb): number => 0.3 * r + 0.59 * g + 0.11 * b
const mapColor = ([r, g, b]: Rgb, change: (value: number, channel: 0 | 1 | 2) => number): Rgb => [
  change(r, 0),
  change(g, 1),
  change(b, 2),
]

/** lo + (mid - lo) w[secondary] + (hi - mid) w[primary], weights in percent. */
export function blackWhite(a: BlackAndWhiteAdjustment): ColorFormula {
  const primaries = [a.reds ?? 40, a.greens ?? 40, a.blues ?? 20] as const
  /** by the primary that is missing */
  const secondaries = [a.cyans ?? 60, a.magentas ?? 80, a.yellows ?? 60] as const
  const tint = a.useTint && a.tintColor ? toHsl(readColor(a.tintColor)) : null
  return color => {
    const order = ([0, 1, 2] as const).toSorted((i, j) => color[j] - color[i])
    const [high = 0, middle = 1, low = 2] = order
    const grey = clamp(
      color[low] +
        ((color[middle] - color[low]) * secondaries[low]) / 100 +
        ((color[high] - color[middle]) * primaries[high]) / 100,
    )
    return tint ? fromHsl([tint[0], tint[1], grey]) : [grey, grey, grey]
  }
}

/** Light through a filter: X, Y and Z are multiplied, as in Photoshop. */
export function photoFilter({ color, density = 0.25, preserveLuminosity }: PhotoFilterAdjustment): ColorFormula {
  const filter = toXyz(toLight(readColor(color)))
  const white = toXyz([1, 1, 1])
  return c => {
    const seen = mapColor(toXyz(toLight(c)), (value, i) => value * (1 - density + (density * filter[i]) / white[i]))
    const filtered = toEncoded(fromXyz(seen))
    return preserveLuminosity ? setLuminosity(filtered, luminosity(c)) : filtered
  }
}

export function channelMixer(a: ChannelMixerAdjustment): ColorFormula {
  const mix = (m: ChannelMixerChannel | undefined, [r, g, b]: Rgb): number =>
    m ? clamp((m.red * r + m.green * g + m.blue * b + m.constant) / 100) : 0
  return color => {
    if (!a.monochrome || !a.gray) return [mix(a.red, color), mix(a.green, color), mix(a.blue, color)]
    const grey = mix(a.gray, color)
    return [grey, grey, grey]
  }
}

export function gradientMap({ reverse, colorStops = [], method, smoothness }: GradientMapAdjustment): ColorFormula {
  if (colorStops.length === 0) return color => color
  const colorAt = colorsAlong(colorStops, method, smoothness ?? 1)
  return color => colorAt(clamp(reverse ? 1 - luminosity(color) : luminosity(color)))
}

/** The ink that each range of colours gains or loses, weighted by how much a colour belongs to the range. */
export function selectiveColor(a: SelectiveColorAdjustment): ColorFormula {
  const primaries = ['reds', 'greens', 'blues'] as const
  const secondaries = ['cyans', 'magentas', 'yellows'] as const
  return color => {
    const greatest = Math.max(...color)
    const least = Math.min(...color)
    const middle = color[0] + color[1] + color[2] - greatest - least
    const weights: [NonNullable<typeof a.reds> | undefined, number][] = []
    for (const i of [0, 1, 2] as const) {
      if (color[i] === greatest) weights.push([a[primaries[i]], greatest - middle])
      if (color[i] === least) weights.push([a[secondaries[i]], middle - least])
    }
    weights.push([a.whites, Math.max(0, least - 0.5) * 2], [a.blacks, Math.max(0, 0.5 - greatest) * 2])
    weights.push([a.neutrals, 1 - (Math.abs(greatest - 0.5) + Math.abs(least - 0.5))])
    const sums: [number, number, number] = [...color]
    for (const [ink, weight] of weights) {
      if (!ink || weight <= 0) continue
      const black = ink.k / 100
      for (const [i, amount] of [ink.c / 100, ink.m / 100, ink.y / 100].entries()) {
        const value = color[i === 0 ? 0 : i === 1 ? 1 : 2]
        const all = -amount - black - amount * black
        const change = a.mode === 'absolute' ? all : all * (1 - value)
        sums[i] = (sums[i] ?? 0) + Math.max(-value, Math.min(1 - value, change)) * weight
      }
    }
    return mapColor(sums, clamp)
  }
}

/** How much Photoshop spares a colour as skin: an orange of some 25 degrees, half of it. */
function skinShare(color: Rgb): number {
  const away = Math.abs(toHsl(color)[0] * 360 - 25)
  return Math.max(0, 1 - away / 25) / 2
}

/**
 * Saturation moves colours from a grey of their light, as Photoshop does. Vibrance before it moves them from
 * their greatest channel; its formula is a fit to Photoshop's results.
 */
export function vibrance({ vibrance = 0, saturation = 0 }: VibranceAdjustment): ColorFormula {
  const amount = vibrance / 100
  return color => {
    const light = toLight(color)
    const greatest = Math.max(...light)
    const purity = greatest === 0 ? 0 : 1 - Math.min(...light) / greatest
    const share = amount * (amount < 0 ? 1 - 0.75 * purity : (1 - purity) * (1 - skinShare(color)))
    const moved = mapColor(light, value => Math.max(0, value + (value - greatest) * share))
    const grey = 0.2878 * moved[0] + 0.7122 * moved[1]
    return toEncoded(mapColor(moved, value => grey + (value - grey) * (1 + saturation / 100)))
  }
}
