import type {
  AdjustmentLayer,
  BrightnessAdjustment,
  ColorBalanceAdjustment,
  ColorBalanceValues,
  CurvesAdjustmentChannel,
  ExposureAdjustment,
  LevelsAdjustmentChannel,
} from 'ag-psd'

/** A channel's results, 0..1, for the values 0/255 to 255/255. */
export type ChannelTable = Float32Array

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

function tabulate(formula: (value: number) => number): ChannelTable {
  return Float32Array.from({ length: 256 }, (_, i) => clamp(formula(i / 255)))
}

/** The value of a table at any position 0..1, interpolated linearly between its entries. */
export function lookUp(table: ChannelTable, value: number): number {
  const position = value * 255
  const index = Math.min(254, Math.max(0, Math.floor(position)))
  const low = table[index] ?? 0
  return low + (position - index) * ((table[index + 1] ?? 0) - low)
}

/**
 * Red, green and blue tables of an adjustment that treats channels separately; null for all others. Exact for
 * documents of 8 bits.
 */
export function buildTables(adjustment: AdjustmentLayer): readonly [ChannelTable, ChannelTable, ChannelTable] | null {
  switch (adjustment.type) {
    case 'levels':
      return perChannel(adjustment, levelsTable)
    case 'curves':
      return perChannel(adjustment, curveTable)
    case 'brightness/contrast':
      return alike(brightnessTable(adjustment))
    case 'exposure':
      return alike(exposureTable(adjustment))
    case 'color balance':
      return balanceTables(adjustment)
    case 'invert':
      return alike(tabulate(value => 1 - value))
    case 'posterize': {
      const levels = Math.min(255, Math.max(2, adjustment.levels ?? 4))
      return alike(tabulate(value => Math.floor((Math.round(value * 255) * levels) / 256) / (levels - 1)))
    }
    default:
      return null
  }
}

function alike(table: ChannelTable): readonly [ChannelTable, ChannelTable, ChannelTable] {
  return [table, table, table]
}

/** The channel's own table, then that of all channels. */
function perChannel<Settings>(
  { red, green, blue, rgb }: { red?: Settings; green?: Settings; blue?: Settings; rgb?: Settings },
  build: (settings: Settings) => ChannelTable | null,
): readonly [ChannelTable, ChannelTable, ChannelTable] {
  const all = rgb === undefined ? null : build(rgb)
  const tableOf = (settings: Settings | undefined): ChannelTable => {
    const own = (settings === undefined ? null : build(settings)) ?? tabulate(value => value)
    return all ? own.map(value => lookUp(all, value)) : own
  }
  return [tableOf(red), tableOf(green), tableOf(blue)]
}

function levelsTable(levels: LevelsAdjustmentChannel): ChannelTable {
  const [black, white] = [levels.shadowInput / 255, levels.highlightInput / 255]
  const [low, high] = [levels.shadowOutput / 255, levels.highlightOutput / 255]
  const exponent = 1 / Math.min(9.99, Math.max(0.01, levels.midtoneInput))
  return tabulate(value => low + clamp((value - black) / (white - black || 1)) ** exponent * (high - low))
}

function curveTable(points: CurvesAdjustmentChannel): ChannelTable | null {
  if (points.length < 2) return null
  const curve = naturalSpline(
    points.map(point => point.input / 255),
    points.map(point => point.output / 255),
  )
  return tabulate(curve)
}

/** A natural cubic spline through points whose x ascend; constant outside. Numerical Recipes, section 3.3. */
export function naturalSpline(xs: readonly number[], ys: readonly number[]): (x: number) => number {
  const n = xs.length
  const x = (i: number): number => xs[i] ?? 0
  const y = (i: number): number => ys[i] ?? 0
  const second = new Float64Array(n)
  const work = new Float64Array(n)
  for (let i = 1; i < n - 1; i++) {
    const share = (x(i) - x(i - 1)) / (x(i + 1) - x(i - 1))
    const p = share * (second[i - 1] ?? 0) + 2
    const bend = (y(i + 1) - y(i)) / (x(i + 1) - x(i)) - (y(i) - y(i - 1)) / (x(i) - x(i - 1))
    second[i] = (share - 1) / p
    work[i] = ((6 * bend) / (x(i + 1) - x(i - 1)) - share * (work[i - 1] ?? 0)) / p
  }
  second[n - 1] = 0
  for (let i = n - 2; i >= 0; i--) second[i] = (second[i] ?? 0) * (second[i + 1] ?? 0) + (work[i] ?? 0)
  return at => {
    if (at <= x(0)) return y(0)
    if (at >= x(n - 1)) return y(n - 1)
    let i = 0
    while (at > x(i + 1)) i++
    const h = x(i + 1) - x(i)
    const a = (x(i + 1) - at) / h
    const b = 1 - a
    return (
      a * y(i) + b * y(i + 1) + (((a ** 3 - a) * (second[i] ?? 0) + (b ** 3 - b) * (second[i + 1] ?? 0)) * h * h) / 6
    )
  }
}

function exposureTable({ exposure = 0, offset = 0, gamma = 1 }: ExposureAdjustment): ChannelTable {
  const exponent = 1 / Math.min(9.99, Math.max(0.01, gamma))
  return tabulate(value => (clamp(value ** 2.2 * 2 ** exposure + offset) ** exponent) ** (1 / 2.2))
}

/**
 * Shadows below 0 raise the black point, highlights above 0 lower the white point, and the rest bends the
 * channel. To preserve luminosity, a range is moved for all channels so that it darkens or lights alone.
 */
function balanceTables(a: ColorBalanceAdjustment): readonly [ChannelTable, ChannelTable, ChannelTable] {
  const of = ({ cyanRed = 0, magentaGreen = 0, yellowBlue = 0 }: Partial<ColorBalanceValues> = {}) =>
    [cyanRed, magentaGreen, yellowBlue] as const
  const [shadows, midtones, highlights] = [of(a.shadows), of(a.midtones), of(a.highlights)]
  const tableOf = (channel: 0 | 1 | 2): ChannelTable => {
    let [shadow, bend, highlight] = [shadows[channel], midtones[channel], highlights[channel]]
    if (a.preserveLuminosity) {
      shadow -= Math.max(...shadows)
      highlight -= Math.min(...highlights)
      bend -= (Math.max(...midtones) + Math.min(...midtones)) / 2
    } else bend += (shadow + highlight) / 2
    const black = Math.max(0, -shadow) / 255
    const white = 1 - Math.max(0, highlight) / 255
    return tabulate(value => clamp((value - black) / Math.max(1 / 255, white - black)) ** (2 ** (-bend / 100)))
  }
  return [tableOf(0), tableOf(1), tableOf(2)]
}

/** The modern form is contrast(brightness(v)), as the Patchy project recovered it; legacy is linear. */
function brightnessTable({ brightness = 0, contrast = 0, useLegacy }: BrightnessAdjustment): ChannelTable {
  if (useLegacy) return legacyTable(brightness, contrast)
  const beta = 1 - 0.0076 * contrast
  const half = (u: number): number => (2 - 2 * beta) * u * u + beta * u
  const bend = (u: number): number => (u <= 0.5 ? half(u) : 1 - half(1 - u))
  return tabulate(value => bend(clamp(brighten(brightness, value))))
}

function legacyTable(brightness: number, contrast: number): ChannelTable {
  if (contrast >= 100) return tabulate(value => (value * 255 + brightness >= 127 ? 1 : 0))
  if (contrast >= 0) {
    return tabulate(value => ((value * 255 + brightness - 127.5) * 100) / (100 - contrast) / 255 + 0.5)
  }
  return tabulate(value => (((value * 255 - 127.5) * (100 + contrast)) / 100 + 127.5 + brightness) / 255)
}

function brighten(by: number, value: number): number {
  if (by === 0) return value
  if (by < 0) return invertRising(v => brighten(-by, v), value)
  if (by > 100) return brighten(by - 100, brighten(100, value))
  const slope = 2 ** (by / 110)
  const knee = 0.5 / slope
  if (value <= knee) return slope * value
  const endSlope = Math.max(0.1, 1 / (1 + 12 * (slope - 1)))
  const h = 1 - knee
  const t = (value - knee) / h
  // A cubic Hermite curve from (knee, 0.5) to (1, 1).
  const start = (2 * t ** 3 - 3 * t * t + 1) * 0.5 + (t ** 3 - 2 * t * t + t) * h * slope
  return Math.min(1, start + (-2 * t ** 3 + 3 * t * t) + (t ** 3 - t * t) * h * endSlope)
}

/** The x in 0..1 at which a rising function has a value, by bisection. */
function invertRising(rising: (x: number) => number, value: number): number {
  let [low, high] = [0, 1]
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2
    if (rising(middle) < value) low = middle
    else high = middle
  }
  return (low + high) / 2
}
