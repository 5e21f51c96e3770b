import { HARD_MIX_LEAST } from '../../kernels/assembly/stack/constants.ts'
import type { BlendMode } from '../blending/blend-modes.ts'

// The blending modes of `blending/blend-modes.ts` on 32-bit floats 0..1, each step rounded, so that a kernel
// can equal them. Results of separable modes are clamped to 0..1 by the caller.

/** A channel of the backdrop and of the source -> a channel of the result. */
export type FloatFormula = (b: number, s: number) => number

/** Three channels of the backdrop and of the source -> `out`. */
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

/** 1 - (1 - b)(1 - s): exactly 1 where b or s is. */
const screen: FloatFormula = (b, s) => F(1 - F(F(1 - b) * F(1 - s)))
const hardLight: FloatFormula = (b, s) => (s <= 0.5 ? F(b * F(s + s)) : screen(b, F(F(s + s) - 1)))

function colorDodge(b: number, s: number): number {
  if (b <= 0) return 0
  return s >= 1 ? 1 : F(b / F(1 - s))
}

function colorBurn(b: number, s: number): number {
  if (b >= 1) return 1
  return s <= 0 ? 0 : F(1 - F(F(1 - b) / s))
}

function softLight(b: number, s: number): number {
  if (s <= 0.5) return F(b - F(F(F(1 - F(s + s)) * b) * F(1 - b)))
  const d = b <= 0.25 ? F(F(F(F(F(16 * b) - 12) * b) + 4) * b) : F(Math.sqrt(b))
  return F(b + F(F(F(s + s) - 1) * F(d - b)))
}

function vividLight(b: number, s: number): number {
  if (s <= 0) return 0
  if (s >= 1) return 1
  return s <= 0.5 ? colorBurn(b, F(s + s)) : colorDodge(b, F(F(s + s) - 1))
}

const linearLightNeutral = F(256 / 255)
const hardMixSum = F(HARD_MIX_LEAST)

function divide(b: number, s: number): number {
  if (b <= 0) return 0
  return s <= 0 ? 1 : F(b / s)
}

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

/** How a mode blends: a channel by itself, or three together. */
type FloatBlending =
  | { readonly kind: 'separable'; readonly blend: FloatFormula }
  | { readonly kind: 'whole'; readonly blend: WholeFormula }

const separable = (blend: FloatFormula): FloatBlending => ({ kind: 'separable', blend })
const whole = (blend: WholeFormula): FloatBlending => ({ kind: 'whole', blend })

export const floatBlendings: Readonly<Record<BlendMode, FloatBlending>> = {
  normal: separable((_b, s) => s),
  multiply: separable((b, s) => F(b * s)),
  screen: separable(screen),
  overlay: separable((b, s) => hardLight(s, b)),
  darken: separable((b, s) => Math.min(b, s)),
  lighten: separable((b, s) => Math.max(b, s)),
  'color-dodge': separable(colorDodge),
  'color-burn': separable(colorBurn),
  'hard-light': separable(hardLight),
  'soft-light': separable(softLight),
  difference: separable((b, s) => Math.abs(F(b - s))),
  exclusion: separable((b, s) => F(F(b + s) - F(F(b + b) * s))),
  'linear-burn': separable((b, s) => F(F(b + s) - 1)),
  'linear-dodge': separable((b, s) => F(b + s)),
  'vivid-light': separable(vividLight),
  'linear-light': separable((b, s) => F(F(b + F(s + s)) - linearLightNeutral)),
  'pin-light': separable((b, s) => (s <= 0.5 ? Math.min(b, F(s + s)) : Math.max(b, F(F(s + s) - 1)))),
  'hard-mix': separable((b, s) => (b >= 1 || F(b + s) > hardMixSum ? 1 : 0)),
  subtract: separable((b, s) => F(b - s)),
  divide: separable(divide),
  hue: whole((br, bg, bb, sr, sg, sb, out) => {
    writeWithSatAndLum(sr, sg, sb, range(br, bg, bb), floatLum(br, bg, bb), out)
  }),
  saturation: whole((br, bg, bb, sr, sg, sb, out) => {
    writeWithSatAndLum(br, bg, bb, range(sr, sg, sb), floatLum(br, bg, bb), out)
  }),
  color: whole((br, bg, bb, sr, sg, sb, out) => writeWithLum(sr, sg, sb, floatLum(br, bg, bb), out)),
  luminosity: whole((br, bg, bb, sr, sg, sb, out) => writeWithLum(br, bg, bb, floatLum(sr, sg, sb), out)),
  'darker-color': whole((br, bg, bb, sr, sg, sb, out) => {
    if (floatLum(sr, sg, sb) < floatLum(br, bg, bb)) write(sr, sg, sb, out)
    else write(br, bg, bb, out)
  }),
  'lighter-color': whole((br, bg, bb, sr, sg, sb, out) => {
    if (floatLum(sr, sg, sb) > floatLum(br, bg, bb)) write(sr, sg, sb, out)
    else write(br, bg, bb, out)
  }),
}

/** Photoshop's fill opacity in the modes where it is not opacity: the source moves to the neutral colour. */
export type FillMode = keyof typeof filledSources | 'hard-mix'

const towardsWhite = (s: number, fill: number): number => F(1 - F(fill * F(1 - s)))
const towardsBlack = (s: number, fill: number): number => F(fill * s)
const towardsGrey = (s: number, fill: number): number => F(0.5 + F(fill * F(s - 0.5)))

/** The source at a fill opacity below 1. */
export const filledSources = {
  'color-burn': towardsWhite,
  'linear-burn': towardsWhite,
  'color-dodge': towardsBlack,
  'linear-dodge': towardsBlack,
  difference: towardsBlack,
  'vivid-light': towardsGrey,
  'linear-light': towardsGrey,
} as const

/** Hard mix at a fill opacity below 1: a ramp instead of a step; not clamped. */
export function hardMixFilled(b: number, s: number, fill: number): number {
  return F(F(b - F(fill * F(1 - s))) / F(1 - fill))
}

/** Whether a mode has a fill opacity that is not opacity. */
export function isFillMode(mode: BlendMode): mode is FillMode {
  return mode === 'hard-mix' || Object.hasOwn(filledSources, mode)
}
