import {
  color,
  darkerColor,
  hue,
  lighterColor,
  luminosity,
  type NonSeparableFormula,
  saturation,
} from './mix-channels.ts'

/**
 * Every blending mode as its published formula. Channels are sRGB-encoded, 0..1, not multiplied by alpha;
 * `b` is the backdrop (the scene), `s` the source (the artwork). Results may leave 0..1 and are clamped by the caller. Modes that look at all three
 * channels are in mix-channels.ts.
 *
 * Sources: W3C Compositing and Blending Level 1, section 10, for the sixteen CSS modes (ISO 32000-2, 11.3.5, agrees). For Photoshop's others Adobe's user guide,
 * "Blending mode descriptions" (helpx.adobe.com/photoshop/using/blending-modes.html), which gives them in words.
 */
export type SeparableFormula = (b: number, s: number) => number

export type BlendFormula =
  | { readonly kind: 'separable'; readonly source: string; readonly blend: SeparableFormula }
  | { readonly kind: 'non-separable'; readonly source: string; readonly blend: NonSeparableFormula }

const w3c = 'W3C Compositing and Blending Level 1'
const adobe = 'Adobe, Photoshop blending modes'

const multiply: SeparableFormula = (b, s) => b * s
const screen: SeparableFormula = (b, s) => b + s - b * s
const hardLight: SeparableFormula = (b, s) => (s <= 0.5 ? multiply(b, 2 * s) : screen(b, 2 * s - 1))

function colorDodge(b: number, s: number): number {
  if (b === 0) return 0
  return s >= 1 ? 1 : Math.min(1, b / (1 - s))
}

function colorBurn(b: number, s: number): number {
  if (b >= 1) return 1
  return s <= 0 ? 0 : 1 - Math.min(1, (1 - b) / s)
}

function softLight(b: number, s: number): number {
  if (s <= 0.5) return b - (1 - 2 * s) * b * (1 - b)
  const d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : Math.sqrt(b)
  return b + (2 * s - 1) * (d - b)
}

function vividLight(b: number, s: number): number {
  return s <= 0.5 ? colorBurn(b, 2 * s) : colorDodge(b, 2 * s - 1)
}

function pinLight(b: number, s: number): number {
  return s <= 0.5 ? Math.min(b, 2 * s) : Math.max(b, 2 * s - 1)
}

/** Sums of bytes as fractions miss whole numbers by rounding; comparisons leave this much room. */
const ROUNDING = 1e-9

/** Adobe: "If the resulting sum for a channel is 255 or greater, it receives a value of 255; if less than 255, a value of 0". */
function hardMix(b: number, s: number): number {
  return b + s >= 1 - ROUNDING ? 1 : 0
}

function divide(b: number, s: number): number {
  if (b === 0) return 0
  return s <= 0 ? 1 : Math.min(1, b / s)
}

/** The blending modes of the template bundle, in the order in which its page names them. */
export const blendModes = {
  normal: { kind: 'separable', source: w3c, blend: (_b, s) => s },
  multiply: { kind: 'separable', source: w3c, blend: multiply },
  screen: { kind: 'separable', source: w3c, blend: screen },
  overlay: { kind: 'separable', source: w3c, blend: (b, s) => hardLight(s, b) },
  darken: { kind: 'separable', source: w3c, blend: (b, s) => Math.min(b, s) },
  lighten: { kind: 'separable', source: w3c, blend: (b, s) => Math.max(b, s) },
  'color-dodge': { kind: 'separable', source: w3c, blend: colorDodge },
  'color-burn': { kind: 'separable', source: w3c, blend: colorBurn },
  'hard-light': { kind: 'separable', source: w3c, blend: hardLight },
  'soft-light': { kind: 'separable', source: w3c, blend: softLight },
  difference: { kind: 'separable', source: w3c, blend: (b, s) => Math.abs(b - s) },
  exclusion: { kind: 'separable', source: w3c, blend: (b, s) => b + s - 2 * b * s },
  hue: { kind: 'non-separable', source: w3c, blend: hue },
  saturation: { kind: 'non-separable', source: w3c, blend: saturation },
  color: { kind: 'non-separable', source: w3c, blend: color },
  luminosity: { kind: 'non-separable', source: w3c, blend: luminosity },
  'linear-burn': { kind: 'separable', source: adobe, blend: (b, s) => b + s - 1 },
  'linear-dodge': { kind: 'separable', source: adobe, blend: (b, s) => b + s },
  'vivid-light': { kind: 'separable', source: adobe, blend: vividLight },
  'linear-light': { kind: 'separable', source: adobe, blend: (b, s) => b + 2 * s - 1 },
  'pin-light': { kind: 'separable', source: adobe, blend: pinLight },
  'hard-mix': { kind: 'separable', source: adobe, blend: hardMix },
  subtract: { kind: 'separable', source: adobe, blend: (b, s) => b - s },
  divide: { kind: 'separable', source: adobe, blend: divide },
  'darker-color': { kind: 'non-separable', source: adobe, blend: darkerColor },
  'lighter-color': { kind: 'non-separable', source: adobe, blend: lighterColor },
} as const satisfies Record<string, BlendFormula>

/** The name of a blending mode as it stands in a bundle. */
export type BlendMode = keyof typeof blendModes

/** All names, for schemas, checks and tests. */
export const blendModeNames: readonly BlendMode[] = Object.keys(blendModes).filter(isBlendMode)

/** Whether a text names a blending mode. */
export function isBlendMode(name: string): name is BlendMode {
  return Object.hasOwn(blendModes, name)
}
