// Every blending mode as its published formula. W3C: Compositing and Blending Level 1, section 10.
// Adobe: helpx.adobe.com/photoshop/using/blending-modes.html, which gives them in words. Where Photoshop
// itself does otherwise, its files are followed (docs/decisions/blending.md).

/**
 * A channel of the backdrop (the scene) and of the source (the artwork) -> a channel of the result, each
 * sRGB-encoded, 0..1, not multiplied by alpha. The result may leave 0..1 and is clamped by the caller.
 */
export type SeparableFormula = (b: number, s: number) => number

/**
 * Three channels of the backdrop and of the source, in bytes -> `out`. 32-bit floats, each step rounded, so
 * that a kernel can equal it. At most 0.501 from the exact result.
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

export type BlendFormula =
  | { readonly kind: 'separable'; readonly source: string; readonly blend: SeparableFormula }
  | { readonly kind: 'non-separable'; readonly source: string; readonly blend: NonSeparableFormula }

const W3C = 'W3C Compositing and Blending Level 1'
const ADOBE = 'Adobe, Photoshop blending modes'

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

/** Unlike burn and dodge alone, black and white sources win over every backdrop. */
function vividLight(b: number, s: number): number {
  if (s <= 0 || s >= 1) return s <= 0 ? 0 : 1
  return s <= 0.5 ? colorBurn(b, 2 * s) : colorDodge(b, 2 * s - 1)
}

function pinLight(b: number, s: number): number {
  return s <= 0.5 ? Math.min(b, 2 * s) : Math.max(b, 2 * s - 1)
}

/** Sums of bytes as fractions miss whole numbers by less than this. */
const ROUNDING = 1e-9

/** A channel whose sum is above 255 becomes 255, any other 0; a backdrop of 255 stays. */
function hardMix(b: number, s: number): number {
  return b >= 1 || b + s > 1 + ROUNDING ? 1 : 0
}

/** Byte 128 is neutral: in bytes b + 2s - 256. */
function linearLight(b: number, s: number): number {
  return b + 2 * s - 256 / 255
}

function divide(b: number, s: number): number {
  if (b === 0) return 0
  return s <= 0 ? 1 : Math.min(1, b / s)
}

// Modes that look at all three channels (W3C section 10.2; Adobe for the last two).

const F = Math.fround
const hundredth = F(0.01)

/** 255 in hundredths: of bytes, luminosities in hundredths are whole numbers. */
const WHITE = 25500

/** 1.5 * 2^23: added to a 32-bit float below 2^22 and subtracted again, it rounds it, halves to even. */
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
 * W3C SetLum with ClipColor: the colour moved to luminosity `l`, then drawn towards grey until it is inside
 * the cube. It leaves the cube at one end at most, since its saturation is no more than 255.
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
/** The colour of less luminosity, whole. Adobe's page speaks of the total of the channels; files do not. */
const darkerColor: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  if (lum(sr, sg, sb) < lum(br, bg, bb)) write(sr, sg, sb, out)
  else write(br, bg, bb, out)
}
const lighterColor: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  if (lum(sr, sg, sb) > lum(br, bg, bb)) write(sr, sg, sb, out)
  else write(br, bg, bb, out)
}

/** The blending modes of the template bundle, in the order in which its page names them. */
export const blendModes = {
  normal: { kind: 'separable', source: W3C, blend: (_b, s) => s },
  multiply: { kind: 'separable', source: W3C, blend: multiply },
  screen: { kind: 'separable', source: W3C, blend: screen },
  overlay: { kind: 'separable', source: W3C, blend: (b, s) => hardLight(s, b) },
  darken: { kind: 'separable', source: W3C, blend: (b, s) => Math.min(b, s) },
  lighten: { kind: 'separable', source: W3C, blend: (b, s) => Math.max(b, s) },
  'color-dodge': { kind: 'separable', source: W3C, blend: colorDodge },
  'color-burn': { kind: 'separable', source: W3C, blend: colorBurn },
  'hard-light': { kind: 'separable', source: W3C, blend: hardLight },
  'soft-light': { kind: 'separable', source: W3C, blend: softLight },
  difference: { kind: 'separable', source: W3C, blend: (b, s) => Math.abs(b - s) },
  exclusion: { kind: 'separable', source: W3C, blend: (b, s) => b + s - 2 * b * s },
  hue: { kind: 'non-separable', source: W3C, blend: hue },
  saturation: { kind: 'non-separable', source: W3C, blend: saturation },
  color: { kind: 'non-separable', source: W3C, blend: color },
  luminosity: { kind: 'non-separable', source: W3C, blend: luminosity },
  'linear-burn': { kind: 'separable', source: ADOBE, blend: (b, s) => b + s - 1 },
  'linear-dodge': { kind: 'separable', source: ADOBE, blend: (b, s) => b + s },
  'vivid-light': { kind: 'separable', source: ADOBE, blend: vividLight },
  'linear-light': { kind: 'separable', source: ADOBE, blend: linearLight },
  'pin-light': { kind: 'separable', source: ADOBE, blend: pinLight },
  'hard-mix': { kind: 'separable', source: ADOBE, blend: hardMix },
  subtract: { kind: 'separable', source: ADOBE, blend: (b, s) => b - s },
  divide: { kind: 'separable', source: ADOBE, blend: divide },
  'darker-color': { kind: 'non-separable', source: ADOBE, blend: darkerColor },
  'lighter-color': { kind: 'non-separable', source: ADOBE, blend: lighterColor },
} as const satisfies Record<string, BlendFormula>

/** The name of a blending mode as it stands in a bundle. */
export type BlendMode = keyof typeof blendModes

/** All names, for schemas, checks and tests. */
export const blendModeNames: readonly BlendMode[] = Object.keys(blendModes).filter(isBlendMode)

/** Whether a text names a blending mode. */
export function isBlendMode(name: string): name is BlendMode {
  return Object.hasOwn(blendModes, name)
}
