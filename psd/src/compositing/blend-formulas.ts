// Photoshop's blending modes on channels 0..1, in 64-bit floats: the engine's formulas of one channel, and
// those of three, which the engine has in 32 bits.
// Each was compared with Photoshop's own pixels: docs/photoshop.md, docs/decisions/photoshop-import.md.

import {
  type BlendFormula,
  type BlendMode,
  blendModes,
  doubles,
  filledSources,
  fillOf,
  isBlendMode,
  type NonSeparableMode,
} from '@vitrine/engine'

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

/** One channel of backdrop and source. */
export type ChannelFormula = (b: number, s: number) => number

/** Three channels together. */
const colorFormulas: Readonly<Record<NonSeparableMode, (b: Rgb, s: Rgb) => Rgb>> = {
  hue: (b, s) => setLuminosity(setSaturation(s, saturationOf(b)), lumOf(b)),
  saturation: (b, s) => setLuminosity(setSaturation(b, saturationOf(s)), lumOf(b)),
  color: (b, s) => setLuminosity(s, lumOf(b)),
  luminosity: (b, s) => setLuminosity(b, lumOf(s)),
  'darker-color': (b, s) => (lumOf(s) < lumOf(b) ? s : b),
  'lighter-color': (b, s) => (lumOf(s) > lumOf(b) ? s : b),
}

/** Whether fill opacity differs from opacity in this mode. */
export const hasOwnFill = (mode: BlendMode): boolean => fillOf(mode) !== null

/** A channel's formula including fill; null for modes that combine three channels. */
export function channelFormula(mode: BlendMode, fill: number): ChannelFormula | null {
  const formula: BlendFormula = blendModes[mode]
  if (formula.kind === 'non-separable') return null
  const { blend, fill: moves } = formula
  if (fill >= 1 || moves === null) return (b, s) => clamp(blend(b, s))
  if (moves === 'ramp') return (b, s) => clamp((b - fill * (1 - s)) / (1 - fill))
  const move = filledSources[moves]
  return (b, s) => clamp(blend(b, move(doubles, s, fill)))
}

/** The formula of a mode on whole colours, 0..1. */
export function blendColors(mode: BlendMode, b: Rgb, s: Rgb, fill = 1): Rgb {
  if (isNonSeparable(mode)) return colorFormulas[mode](b, s)
  const formula = channelFormula(mode, fill)
  return formula === null ? s : [formula(b[0], s[0]), formula(b[1], s[1]), formula(b[2], s[2])]
}

const isNonSeparable = (mode: BlendMode): mode is NonSeparableMode => Object.hasOwn(colorFormulas, mode)

/** The bundle's name for a mode of Photoshop; null for modes that bundles do not have. */
export function readBlendMode(name: string | undefined): BlendMode | null {
  const mode = (name ?? 'normal').replaceAll(' ', '-')
  return isBlendMode(mode) ? mode : null
}
