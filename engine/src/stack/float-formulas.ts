import { floats } from '../blending/arithmetic.ts'
import {
  type BlendFormula,
  type BlendMode,
  blendModes,
  filledSources,
  type NonSeparableMode,
} from '../blending/blend-modes.ts'

// The blend modes of `blending/blend-modes.ts` in 32-bit floats 0..1, each step rounded, so that a kernel can
// give the same. The caller clamps results of separable modes to 0..1.

/** A channel of backdrop and source to a channel of the result. */
export type FloatFormula = (b: number, s: number) => number

/** Three channels of backdrop and source to `out`. */
export type WholeFormula = (
  br: number,
  bg: number,
  bb: number,
  sr: number,
  sg: number,
  sb: number,
  out: Float32Array,
) => void

const F = Math.fround

const redShare = F(0.3)
const greenShare = F(0.59)
const blueShare = F(0.11)

/** W3C: luminosity of a colour. */
export function floatLum(r: number, g: number, b: number): number {
  return F(F(F(redShare * r) + F(greenShare * g)) + F(blueShare * b))
}

function range(r: number, g: number, b: number): number {
  return F(Math.max(r, g, b) - Math.min(r, g, b))
}

/** W3C SetLum with ClipColor. */
function writeWithLum(r: number, g: number, b: number, l: number, out: Float32Array): void {
  const d = F(l - floatLum(r, g, b))
  const red = F(r + d)
  const green = F(g + d)
  const blue = F(b + d)
  const least = Math.min(red, green, blue)
  const greatest = Math.max(red, green, blue)
  let scale = 1
  if (least < 0) scale = F(l / F(l - least))
  else if (greatest > 1) scale = F(F(1 - l) / F(greatest - l))
  out[0] = F(l + F(F(red - l) * scale))
  out[1] = F(l + F(F(green - l) * scale))
  out[2] = F(l + F(F(blue - l) * scale))
}

/** W3C SetSat, then SetLum. */
function writeWithSatAndLum(r: number, g: number, b: number, s: number, l: number, out: Float32Array): void {
  const least = Math.min(r, g, b)
  const spread = range(r, g, b)
  const stretch = spread > 0 ? F(s / spread) : 0
  writeWithLum(F(F(r - least) * stretch), F(F(g - least) * stretch), F(F(b - least) * stretch), l, out)
}

function write(r: number, g: number, b: number, out: Float32Array): void {
  out[0] = r
  out[1] = g
  out[2] = b
}

/** Modes that are not separable. */
const wholeFormulas: Readonly<Record<NonSeparableMode, WholeFormula>> = {
  hue: (br, bg, bb, sr, sg, sb, out) => {
    writeWithSatAndLum(sr, sg, sb, range(br, bg, bb), floatLum(br, bg, bb), out)
  },
  saturation: (br, bg, bb, sr, sg, sb, out) => {
    writeWithSatAndLum(br, bg, bb, range(sr, sg, sb), floatLum(br, bg, bb), out)
  },
  color: (br, bg, bb, sr, sg, sb, out) => writeWithLum(sr, sg, sb, floatLum(br, bg, bb), out),
  luminosity: (br, bg, bb, sr, sg, sb, out) => writeWithLum(br, bg, bb, floatLum(sr, sg, sb), out),
  'darker-color': (br, bg, bb, sr, sg, sb, out) => {
    if (floatLum(sr, sg, sb) < floatLum(br, bg, bb)) write(sr, sg, sb, out)
    else write(br, bg, bb, out)
  },
  'lighter-color': (br, bg, bb, sr, sg, sb, out) => {
    if (floatLum(sr, sg, sb) > floatLum(br, bg, bb)) write(sr, sg, sb, out)
    else write(br, bg, bb, out)
  },
}

/** How a mode blends: channel by channel, or three together. */
type FloatBlending =
  | { readonly kind: 'separable'; readonly blend: FloatFormula }
  | { readonly kind: 'whole'; readonly blend: WholeFormula }

/** `fill`: Photoshop's fill opacity, in modes in which it differs from opacity. */
export function floatBlending(mode: BlendMode, fill: number): FloatBlending {
  if (isWhole(mode)) return { kind: 'whole', blend: wholeFormulas[mode] }
  const { formula, fill: moves }: Extract<BlendFormula, { kind: 'separable' }> = blendModes[mode]
  if (fill >= 1 || moves === null) return { kind: 'separable', blend: (b, s) => formula(floats, b, s) }
  if (moves === 'ramp') return { kind: 'separable', blend: (b, s) => hardMixFilled(b, s, fill) }
  const filled = filledSources[moves]
  return { kind: 'separable', blend: (b, s) => formula(floats, b, filled(floats, s, fill)) }
}

const isWhole = (mode: BlendMode): mode is NonSeparableMode => Object.hasOwn(wholeFormulas, mode)

/** Hard mix at a fill below 1: a ramp in place of a step; not clamped. */
function hardMixFilled(b: number, s: number, fill: number): number {
  return F(F(b - F(fill * F(1 - s))) / F(1 - fill))
}
