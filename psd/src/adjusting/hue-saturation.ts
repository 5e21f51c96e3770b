import type { HueSaturationAdjustment, HueSaturationAdjustmentChannel } from 'ag-psd'
import type { Rgb } from '../compositing/blend-formulas.ts'

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

/** Hue, saturation and lightness, each 0..1. */
export function toHsl([r, g, b]: Rgb): Rgb {
  const greatest = Math.max(r, g, b)
  const least = Math.min(r, g, b)
  const lightness = (greatest + least) / 2
  const range = greatest - least
  if (range < 1e-9) return [0, 0, lightness]
  const saturation = range / (1 - Math.abs(2 * lightness - 1))
  let hue = (r - g) / range + 4
  if (greatest === r) hue = ((g - b) / range + 6) % 6
  else if (greatest === g) hue = (b - r) / range + 2
  return [hue / 6, Math.min(1, saturation), lightness]
}

export function fromHsl([hue, saturation, lightness]: Rgb): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (turn: number): number => {
    const k = (turn + hue * 12) % 12
    return lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  }
  return [channel(0), channel(8), channel(4)]
}

/** ag-psd reads the header of the block as if it were the master's range. */
const COLORIZE_FLAG = 256

/**
 * Photoshop moves lightness in whole bytes, and rounds the result to bytes: a saturation of +100 makes half a
 * step 64 steps.
 */
function lighten(value: number, percent: number): number {
  const step = Math.trunc((Math.abs(percent) * 255) / 100) / 255
  const lit = percent > 0 ? value + (1 - value) * step : value * (1 - step)
  return percent === 0 ? value : Math.round(lit * 255) / 255
}

function saturationFactor(percent: number): number {
  return percent <= 0 ? 1 + percent / 100 : Math.min(128, 1 / Math.max(1 / 128, 1 - percent / 100))
}

/** How much a hue in degrees belongs to a range that rises from a to b and falls from c to d. */
function rangeWeight(hue: number, { a, b, c, d }: HueSaturationAdjustmentChannel): number {
  const from = (value: number): number => (((value - a) % 360) + 360) % 360
  const [x, rise, fall, end] = [from(hue), from(b), from(c), from(d)]
  if (x >= rise && x <= fall) return 1
  if (x < rise) return rise > 0 ? x / rise : 0
  return x <= end && end > fall ? (end - x) / (end - fall) : 0
}

const ranges = ['reds', 'yellows', 'greens', 'cyans', 'blues', 'magentas'] as const

/** Lightness per channel first, then saturation scales half the chroma, then the hue turns. */
export function hueSaturation(a: HueSaturationAdjustment): (color: Rgb) => Rgb {
  const { master } = a
  if (master && master.a >= COLORIZE_FLAG) {
    const { b: hue, c: saturation, d: lightness } = master
    const turned = (((hue / 360) % 1) + 1) % 1
    return color =>
      fromHsl([turned, saturation / 100, lighten((Math.max(...color) + Math.min(...color)) / 2, lightness)])
  }
  const used = ranges.flatMap(name => {
    const range = a[name]
    return range && (range.hue || range.saturation || range.lightness) ? [range] : []
  })
  return color => adjustColor(color, master, used)
}

function adjustColor(
  color: Rgb,
  master: HueSaturationAdjustmentChannel | undefined,
  used: readonly HueSaturationAdjustmentChannel[],
): Rgb {
  const percent = master?.lightness ?? 0
  const lit: Rgb =
    percent === 0 ? color : [lighten(color[0], percent), lighten(color[1], percent), lighten(color[2], percent)]
  const greatest = Math.max(...lit)
  const least = Math.min(...lit)
  if (greatest - least < 1e-9) return lit
  const [hue] = toHsl(color)
  let turn = master?.hue ?? 0
  let gain = 0
  let rise = 0
  for (const range of used) {
    const weight = rangeWeight(hue * 360, range)
    turn += weight * range.hue
    gain += weight * (saturationFactor(range.saturation) - 1)
    rise += (weight * range.lightness) / 100
  }
  const end = rise > 0 ? greatest : least
  const share = Math.min(1, Math.abs(rise))
  const moved: Rgb = [lit[0] + (end - lit[0]) * share, lit[1] + (end - lit[1]) * share, lit[2] + (end - lit[2]) * share]
  const [h, s, l] = toHsl(moved)
  const room = 1 - Math.abs(2 * l - 1)
  const half = (s * room) / 2
  const factor = saturationFactor(master?.saturation ?? 0) * Math.max(0, 1 + gain)
  const grown = Math.min(half * factor, Math.max(Math.min(l, 1 - l), half))
  const saturation = room > 1e-9 ? Math.min(1, (2 * grown) / room) : 0
  const [r, g, b] = fromHsl([(((h + turn / 360) % 1) + 1) % 1, saturation, l])
  return [clamp(r), clamp(g), clamp(b)]
}
