// Every blend mode as its published formula. W3C: Compositing and Blending Level 1, section 10. Adobe:
// helpx.adobe.com/photoshop/using/blending-modes.html, which describes them in words. Where Photoshop
// differs, its files are followed (docs/decisions/blending.md).

import { type Arithmetic, doubles } from './arithmetic.ts'

/**
 * A channel of the backdrop (the scene) and of the source (the artwork) to a channel of the result, each
 * sRGB-encoded, 0..1, not premultiplied. The caller clamps the result to 0..1.
 */
export type SeparableFormula = (b: number, s: number) => number

/**
 * Three channels of backdrop and source, in bytes, to `out`. 32-bit floats, each step rounded, so that a
 * kernel can give the same. At most 0.501 from the exact result.
 */
export type NonSeparableFormula = (
  br: number,
  bg: number,
  bb: number,
  sr: number,
  sg: number,
  sb: number,
  out: Uint8Array,
) => void

/** A separable formula in any arithmetic. */
type Formula = <N>(m: Arithmetic<N>, b: N, s: N) => N

/** The colour towards which a fill below 1 moves the source; `ramp`: hard mix's own formula. */
type Fill = 'white' | 'black' | 'grey' | 'ramp'

type Separable = {
  readonly kind: 'separable'
  readonly source: string
  readonly formula: Formula
  /** The formula in 64-bit floats. */
  readonly blend: SeparableFormula
  /** How Photoshop's fill opacity acts in this mode; null: the same as opacity. */
  readonly fill: Fill | null
}

type NonSeparable = { readonly kind: 'non-separable'; readonly source: string; readonly blend: NonSeparableFormula }

export type BlendFormula = Separable | NonSeparable

export const W3C = 'W3C Compositing and Blending Level 1'
const ADOBE = 'Adobe, Photoshop blending modes'

const separable = (source: string, formula: Formula, fill: Fill | null = null): Separable => ({
  kind: 'separable',
  source,
  formula,
  blend: (b, s) => formula(doubles, b, s),
  fill,
})

const twice = <N>(m: Arithmetic<N>, a: N): N => m.add(a, a)
const twiceLessOne = <N>(m: Arithmetic<N>, a: N): N => m.sub(twice(m, a), m.constant(1))
const inverse = <N>(m: Arithmetic<N>, a: N): N => m.sub(m.constant(1), a)
/** Selects by whether the source is dark: at most 0.5. */
const byHalf = <N>(m: Arithmetic<N>, s: N, dark: N, light: N): N => m.atMost(s, m.constant(0.5), dark, light)

/** 1 - (1 - b)(1 - s): exactly 1 if b or s is. */
const screen: Formula = (m, b, s) => inverse(m, m.mul(inverse(m, b), inverse(m, s)))
const hardLight: Formula = (m, b, s) => byHalf(m, s, m.mul(b, twice(m, s)), screen(m, b, twiceLessOne(m, s)))

/** 0 for a black backdrop, otherwise 1 for a white source. */
const colorDodge: Formula = (m, b, s) => {
  const [zero, one] = [m.constant(0), m.constant(1)]
  return m.atMost(b, zero, zero, m.atMost(one, s, one, m.div(b, inverse(m, s))))
}

/** 1 for a white backdrop, otherwise 0 for a black source. */
const colorBurn: Formula = (m, b, s) => {
  const [zero, one] = [m.constant(0), m.constant(1)]
  return m.atMost(one, b, one, m.atMost(s, zero, zero, inverse(m, m.div(inverse(m, b), s))))
}

const softLight: Formula = (m, b, s) => {
  const dark = m.sub(b, m.mul(m.mul(inverse(m, twice(m, s)), b), inverse(m, b)))
  const cubic = m.mul(m.add(m.mul(m.sub(m.mul(m.constant(16), b), m.constant(12)), b), m.constant(4)), b)
  const d = m.atMost(b, m.constant(0.25), cubic, m.sqrt(b))
  return byHalf(m, s, dark, m.add(b, m.mul(twiceLessOne(m, s), m.sub(d, b))))
}

/** Unlike in burn and dodge, black and white sources take precedence over any backdrop. */
const vividLight: Formula = (m, b, s) => {
  const [zero, one] = [m.constant(0), m.constant(1)]
  const both = byHalf(m, s, colorBurn(m, b, twice(m, s)), colorDodge(m, b, twiceLessOne(m, s)))
  return m.atMost(s, zero, zero, m.atMost(one, s, one, both))
}

const pinLight: Formula = (m, b, s) => byHalf(m, s, m.min(b, twice(m, s)), m.max(b, twiceLessOne(m, s)))

/** Sum of two channels: sums of bytes as fractions miss whole numbers by less than this exceeds 1. */
const HARD_MIX_SUM = 1.00001

/** Channels whose sum is above 255 become 255, others 0; a backdrop of 255 stays. */
const hardMix: Formula = (m, b, s) => {
  const [zero, one] = [m.constant(0), m.constant(1)]
  return m.atMost(one, b, one, m.atMost(m.add(b, s), m.constant(HARD_MIX_SUM), zero, one))
}

/** Byte 128 is neutral: in bytes b + 2s - 256. */
const linearLight: Formula = (m, b, s) => m.sub(m.add(b, twice(m, s)), m.constant(256 / 255))

const divide: Formula = (m, b, s) => {
  const [zero, one] = [m.constant(0), m.constant(1)]
  return m.atMost(b, zero, zero, m.atMost(s, zero, one, m.div(b, s)))
}

// Non-separable modes (W3C section 10.2; Adobe for the last two).

const F = Math.fround
const hundredth = F(0.01)

/** 255 in hundredths: luminosities of bytes are integers in hundredths. */
const WHITE = 25500

/** 1.5 * 2^23: adding it to a 32-bit float below 2^22 and subtracting it rounds half to even. */
const NO_FRACTION = 12582912

/** W3C: luminosity of a colour. */
function lum(r: number, g: number, b: number): number {
  return F(F(F(30 * r) + F(59 * g)) + F(11 * b))
}

/** W3C: saturation of a colour. */
function sat(r: number, g: number, b: number): number {
  return Math.max(r, g, b) - Math.min(r, g, b)
}

function drawTowards(channel: number, l: number, scale: number): number {
  return F(F(F(l + F(F(channel - l) * scale)) * hundredth) + NO_FRACTION) - NO_FRACTION
}

/**
 * W3C SetLum with ClipColor: the colour moved to luminosity `l`, then towards grey until it is inside the
 * cube. It exceeds the cube on one side at most, since its saturation is at most 255.
 */
function writeWithLum(r: number, g: number, b: number, l: number, out: Uint8Array): void {
  const d = F(l - lum(r, g, b))
  const red = F(F(100 * r) + d)
  const green = F(F(100 * g) + d)
  const blue = F(F(100 * b) + d)
  const least = Math.min(red, green, blue)
  const greatest = Math.max(red, green, blue)
  let scale = 1
  if (least < 0) scale = F(l / F(l - least))
  else if (greatest > WHITE) scale = F(F(WHITE - l) / F(greatest - l))
  write(drawTowards(red, l, scale), drawTowards(green, l, scale), drawTowards(blue, l, scale), out)
}

/** W3C SetLum(SetSat(colour, s), l): SetSat stretches the channels to 0..s. */
function writeWithSatAndLum(r: number, g: number, b: number, s: number, l: number, out: Uint8Array): void {
  const least = Math.min(r, g, b)
  const range = Math.max(r, g, b) - least
  const stretch = range > 0 ? F(s / range) : 0
  writeWithLum(F((r - least) * stretch), F((g - least) * stretch), F((b - least) * stretch), l, out)
}

function write(r: number, g: number, b: number, out: Uint8Array): void {
  out[0] = r
  out[1] = g
  out[2] = b
}

const hue: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  writeWithSatAndLum(sr, sg, sb, sat(br, bg, bb), lum(br, bg, bb), out)
}
const saturation: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  writeWithSatAndLum(br, bg, bb, sat(sr, sg, sb), lum(br, bg, bb), out)
}
const color: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  writeWithLum(sr, sg, sb, lum(br, bg, bb), out)
}
const luminosity: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  writeWithLum(br, bg, bb, lum(sr, sg, sb), out)
}
/** The whole colour with the lower luminosity. Adobe's page compares sums of channels; Photoshop does not. */
const darkerColor: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  if (lum(sr, sg, sb) < lum(br, bg, bb)) write(sr, sg, sb, out)
  else write(br, bg, bb, out)
}
const lighterColor: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  if (lum(sr, sg, sb) > lum(br, bg, bb)) write(sr, sg, sb, out)
  else write(br, bg, bb, out)
}

/** The blend modes of template bundles, in the order of their documentation. */
export const blendModes = {
  normal: separable(W3C, (_m, _b, s) => s),
  multiply: separable(W3C, (m, b, s) => m.mul(b, s)),
  screen: separable(W3C, screen),
  overlay: separable(W3C, (m, b, s) => hardLight(m, s, b)),
  darken: separable(W3C, (m, b, s) => m.min(b, s)),
  lighten: separable(W3C, (m, b, s) => m.max(b, s)),
  'color-dodge': separable(W3C, colorDodge, 'black'),
  'color-burn': separable(W3C, colorBurn, 'white'),
  'hard-light': separable(W3C, hardLight),
  'soft-light': separable(W3C, softLight),
  difference: separable(W3C, (m, b, s) => m.abs(m.sub(b, s)), 'black'),
  exclusion: separable(W3C, (m, b, s) => m.sub(m.add(b, s), m.mul(twice(m, b), s))),
  hue: { kind: 'non-separable', source: W3C, blend: hue },
  saturation: { kind: 'non-separable', source: W3C, blend: saturation },
  color: { kind: 'non-separable', source: W3C, blend: color },
  luminosity: { kind: 'non-separable', source: W3C, blend: luminosity },
  'linear-burn': separable(ADOBE, (m, b, s) => m.sub(m.add(b, s), m.constant(1)), 'white'),
  'linear-dodge': separable(ADOBE, (m, b, s) => m.add(b, s), 'black'),
  'vivid-light': separable(ADOBE, vividLight, 'grey'),
  'linear-light': separable(ADOBE, linearLight, 'grey'),
  'pin-light': separable(ADOBE, pinLight),
  'hard-mix': separable(ADOBE, hardMix, 'ramp'),
  subtract: separable(ADOBE, (m, b, s) => m.sub(b, s)),
  divide: separable(ADOBE, divide),
  'darker-color': { kind: 'non-separable', source: ADOBE, blend: darkerColor },
  'lighter-color': { kind: 'non-separable', source: ADOBE, blend: lighterColor },
} as const satisfies Record<string, BlendFormula>

/** The name of a blend mode in a bundle. */
export type BlendMode = keyof typeof blendModes

/** All names, for schemas, checks and tests. */
export const blendModeNames: readonly BlendMode[] = Object.keys(blendModes).filter(isBlendMode)

/** Whether a text names a blend mode. */
export function isBlendMode(name: string): name is BlendMode {
  return Object.hasOwn(blendModes, name)
}

/** Modes that are not separable. */
export type NonSeparableMode = {
  [K in BlendMode]: (typeof blendModes)[K] extends NonSeparable ? K : never
}[BlendMode]

/** How a fill below 1 changes the source in a mode; null: the same as opacity. */
export function fillOf(mode: BlendMode): Fill | null {
  const formula: BlendFormula = blendModes[mode]
  return formula.kind === 'separable' ? formula.fill : null
}

/** The source at a fill below 1. */
export const filledSources = {
  white: (m, s, fill) => inverse(m, m.mul(fill, inverse(m, s))),
  black: (m, s, fill) => m.mul(fill, s),
  grey: (m, s, fill) => m.add(m.constant(0.5), m.mul(fill, m.sub(s, m.constant(0.5)))),
} as const satisfies Record<Exclude<Fill, 'ramp'>, <N>(m: Arithmetic<N>, s: N, fill: N) => N>
