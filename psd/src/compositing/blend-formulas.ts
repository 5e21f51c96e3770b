// Photoshop's blending modes on channels 0..1, in floats: the reference that an import is tested against.
// Each was compared with Photoshop's own pixels: docs/photoshop.md, docs/decisions/photoshop-import.md.

export type Rgb = readonly [number, number, number]

const luminosity = (r: number, g: number, b: number): number => 0.3 * r + 0.59 * g + 0.11 * b
const lumOf = ([r, g, b]: Rgb): number => luminosity(r, g, b)
const clamp = (value: number): number => Math.min(1, Math.max(0, value))

/** Moves a colour to a luminosity and draws it towards grey until it is inside the cube (W3C SetLum). */
export function setLuminosity(color: Rgb, wanted: number): Rgb {
  const shift = wanted - lumOf(color)
  const [r, g, b] = [color[0] + shift, color[1] + shift, color[2] + shift]
  const least = Math.min(r, g, b)
  const greatest = Math.max(r, g, b)
  let scale = 1
  if (least < 0) scale = wanted / (wanted - least)
  else if (greatest > 1) scale = (1 - wanted) / (greatest - wanted)
  return [wanted + (r - wanted) * scale, wanted + (g - wanted) * scale, wanted + (b - wanted) * scale]
}

const saturationOf = (color: Rgb): number => Math.max(...color) - Math.min(...color)

function setSaturation([r, g, b]: Rgb, saturation: number): Rgb {
  const least = Math.min(r, g, b)
  const range = Math.max(r, g, b) - least
  const stretch = range === 0 ? 0 : saturation / range
  return [(r - least) * stretch, (g - least) * stretch, (b - least) * stretch]
}

function dodge(b: number, s: number): number {
  if (b === 0) return 0
  return s >= 1 ? 1 : Math.min(1, b / (1 - s))
}

function burn(b: number, s: number): number {
  if (b >= 1) return 1
  return s <= 0 ? 0 : 1 - Math.min(1, (1 - b) / s)
}

function hardLight(b: number, s: number): number {
  return s <= 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s)
}

function softLight(b: number, s: number): number {
  if (s <= 0.5) return b - (1 - 2 * s) * b * (1 - b)
  const d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : Math.sqrt(b)
  return b + (2 * s - 1) * (d - b)
}

/** Unlike burn and dodge themselves, black gives 0 and white gives 1 on every backdrop. */
function vividLight(b: number, s: number): number {
  if (s <= 0) return 0
  if (s >= 1) return 1
  return s <= 0.5 ? burn(b, 2 * s) : dodge(b, 2 * s - 1)
}

function divide(b: number, s: number): number {
  if (b === 0) return 0
  return s <= 0 ? 1 : Math.min(1, b / s)
}

/** Sums of bytes as fractions miss whole numbers by less than this. */
const ROUNDING = 1e-6

/** One channel of backdrop and source. */
export type ChannelFormula = (b: number, s: number) => number

/** By the names of the bundle. */
export const channelFormulas = {
  normal: (_b, s) => s,
  multiply: (b, s) => b * s,
  screen: (b, s) => b + s - b * s,
  overlay: (b, s) => hardLight(s, b),
  darken: (b, s) => Math.min(b, s),
  lighten: (b, s) => Math.max(b, s),
  'color-dodge': dodge,
  'color-burn': burn,
  'hard-light': hardLight,
  'soft-light': softLight,
  difference: (b, s) => Math.abs(b - s),
  exclusion: (b, s) => b + s - 2 * b * s,
  'linear-burn': (b, s) => Math.max(0, b + s - 1),
  'linear-dodge': (b, s) => Math.min(1, b + s),
  'vivid-light': vividLight,
  // Its neutral is byte 128.
  'linear-light': (b, s) => clamp(b + 2 * s - 256 / 255),
  'pin-light': (b, s) => (s <= 0.5 ? Math.min(b, 2 * s) : Math.max(b, 2 * s - 1)),
  'hard-mix': (b, s) => (b >= 1 || b + s > 1 + ROUNDING ? 1 : 0),
  subtract: (b, s) => Math.max(0, b - s),
  divide,
} as const satisfies Record<string, ChannelFormula>

/** Three channels together. */
export const colorFormulas = {
  hue: (b, s) => setLuminosity(setSaturation(s, saturationOf(b)), lumOf(b)),
  saturation: (b, s) => setLuminosity(setSaturation(b, saturationOf(s)), lumOf(b)),
  color: (b, s) => setLuminosity(s, lumOf(b)),
  luminosity: (b, s) => setLuminosity(b, lumOf(s)),
  'darker-color': (b, s) => (lumOf(s) < lumOf(b) ? s : b),
  'lighter-color': (b, s) => (lumOf(s) > lumOf(b) ? s : b),
} as const satisfies Record<string, (b: Rgb, s: Rgb) => Rgb>

/** A blending mode by its name in a bundle. */
export type PsdBlendMode = keyof typeof channelFormulas | keyof typeof colorFormulas

/**
 * The modes in which fill opacity moves the source to the mode's neutral colour instead of weakening alpha.
 * Hard mix is one of them and has a formula of its own.
 */
const neutralFills: { readonly [mode: string]: (s: number, fill: number) => number } = {
  'color-burn': (s, fill) => 1 - fill * (1 - s),
  'linear-burn': (s, fill) => 1 - fill * (1 - s),
  'color-dodge': (s, fill) => fill * s,
  'linear-dodge': (s, fill) => fill * s,
  'vivid-light': (s, fill) => 0.5 + fill * (s - 0.5),
  'linear-light': (s, fill) => 0.5 + fill * (s - 0.5),
  difference: (s, fill) => fill * s,
}

/** Whether fill opacity differs from opacity in this mode. */
export function hasOwnFill(mode: PsdBlendMode): boolean {
  return mode === 'hard-mix' || Object.hasOwn(neutralFills, mode)
}

/** A channel's formula with the fill in it; null for modes that look at three channels. */
export function channelFormula(mode: PsdBlendMode, fill: number): ChannelFormula | null {
  if (!isChannelMode(mode)) return null
  const plain: ChannelFormula = channelFormulas[mode]
  if (fill >= 1 || !hasOwnFill(mode)) return plain
  if (mode === 'hard-mix') return (b, s) => clamp((b - fill * (1 - s)) / (1 - fill))
  const move = neutralFills[mode]
  return move ? (b, s) => plain(b, move(s, fill)) : plain
}

function isChannelMode(mode: PsdBlendMode): mode is keyof typeof channelFormulas {
  return Object.hasOwn(channelFormulas, mode)
}

/** The formula of a mode on whole colours, 0..1. */
export function blendColors(mode: PsdBlendMode, b: Rgb, s: Rgb, fill = 1): Rgb {
  if (!isChannelMode(mode)) return colorFormulas[mode](b, s)
  const formula = channelFormula(mode, fill) ?? channelFormulas.normal
  return [formula(b[0], s[0]), formula(b[1], s[1]), formula(b[2], s[2])]
}

/** Photoshop's name of a mode as the bundle has it; null for those that it lacks. */
export function readBlendMode(name: string | undefined): PsdBlendMode | null {
  const mode = (name ?? 'normal').replaceAll(' ', '-')
  return Object.hasOwn(channelFormulas, mode) || Object.hasOwn(colorFormulas, mode)
    ? (mode as PsdBlendMode) // `hasOwn` has just found it
    : null
}
