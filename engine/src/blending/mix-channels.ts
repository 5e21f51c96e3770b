/**
 * The modes that look at all three channels, on bytes: the published formulas in 32-bit floats, each step rounded, so that the kernel does the same four
 * pixels at a time and every machine gives the same bytes. Luminosities are in hundredths, because of bytes they are then whole numbers.
 * Results are the formula's nearest byte (ties aside, where it lies within 1/1000 of the middle between two).
 *
 * Sources: W3C Compositing and Blending Level 1, section 10.2; Adobe's user guide for darker-color and lighter-color. See blend-modes.ts.
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

const f = Math.fround
const HUNDREDTH = f(0.01)

/** 255 in hundredths. */
const WHITE = 25500

/** Added to a number below 2^22 it leaves no fraction; taken off again, what is left is the number rounded, halves to even. */
const NO_FRACTION = 12582912

/** W3C: luminosity of a colour. */
function lum(r: number, g: number, b: number): number {
  return f(f(f(30 * r) + f(59 * g)) + f(11 * b))
}

/** W3C: saturation of a colour. */
function sat(r: number, g: number, b: number): number {
  return Math.max(r, g, b) - Math.min(r, g, b)
}

function drawTowards(channel: number, l: number, scale: number): number {
  return f(f(f(l + f(f(channel - l) * scale)) * HUNDREDTH) + NO_FRACTION) - NO_FRACTION
}

/**
 * W3C SetLum with its ClipColor: the colour moved to luminosity `l`, then drawn towards grey until it is inside the cube. It leaves the cube at one end at
 * most, since its saturation is no more than 255.
 */
function writeWithLum(r: number, g: number, b: number, l: number, out: Uint8Array): void {
  const d = f(l - lum(r, g, b))
  const red = f(f(100 * r) + d)
  const green = f(f(100 * g) + d)
  const blue = f(f(100 * b) + d)
  const least = Math.min(red, green, blue)
  const greatest = Math.max(red, green, blue)
  let scale = 1
  if (least < 0) scale = f(l / f(l - least))
  else if (greatest > WHITE) scale = f(f(WHITE - l) / f(greatest - l))
  write(drawTowards(red, l, scale), drawTowards(green, l, scale), drawTowards(blue, l, scale), out)
}

/** W3C SetLum(SetSat(colour, s), l): SetSat stretches the channels so that the least is 0 and the greatest `s`. */
function writeWithSatAndLum(r: number, g: number, b: number, s: number, l: number, out: Uint8Array): void {
  const least = Math.min(r, g, b)
  const range = Math.max(r, g, b) - least
  const stretch = range > 0 ? f(s / range) : 0
  writeWithLum(f((r - least) * stretch), f((g - least) * stretch), f((b - least) * stretch), l, out)
}

function write(r: number, g: number, b: number, out: Uint8Array): void {
  out[0] = r
  out[1] = g
  out[2] = b
}

export const hue: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  writeWithSatAndLum(sr, sg, sb, sat(br, bg, bb), lum(br, bg, bb), out)
}
export const saturation: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  writeWithSatAndLum(br, bg, bb, sat(sr, sg, sb), lum(br, bg, bb), out)
}
export const color: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  writeWithLum(sr, sg, sb, lum(br, bg, bb), out)
}
export const luminosity: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  writeWithLum(br, bg, bb, lum(sr, sg, sb), out)
}
/** Adobe: "compares the total of all channel values for the blend and base color and displays the lower value color". */
export const darkerColor: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  if (sr + sg + sb < br + bg + bb) write(sr, sg, sb, out)
  else write(br, bg, bb, out)
}
export const lighterColor: NonSeparableFormula = (br, bg, bb, sr, sg, sb, out) => {
  if (sr + sg + sb > br + bg + bb) write(sr, sg, sb, out)
  else write(br, bg, bb, out)
}
