import { decodeSrgb, encodeSrgb } from '../lighting/tones.ts'
import { hasTable, type IccProfile, type Matrix3, readToneCurve } from './icc-profile.ts'
import { type LinearProfile, readLinearProfile, tabulate } from './linear-profile.ts'

type Color = readonly [red: number, green: number, blue: number]

/** Converts encoded colours to and from sRGB. Relative colorimetric, clipped to the gamut. */
export type ProfileConversion = {
  /** Converts a list of RGB colours, 0..1, in place. */
  readonly toSrgb: (colors: Float32Array) => void
  /** The same for bytes. */
  readonly bytesToSrgb: (colors: Uint8Array) => void
  /** Converts a colour from sRGB, clipped to the profile's gamut. */
  readonly fromSrgb: (color: Color) => Color
}

const LAST = 65_535

/** From tone curves and a matrix; null if a colour engine must read tables, or the profile has no curves. */
export function buildProfileConversion(profile: IccProfile): ProfileConversion | null {
  const linear = profile.space === 'grey' ? readGrey(profile) : readColors(profile)
  if (linear === null) return null
  const curves = linear.curves.map(tabulate)
  const inverse = invert(linear.toSrgb)
  const encoded = tabulate(encodeSrgb)
  const [red, green, blue] = curves
  const [toRed, toGreen, toBlue] = linear.toSrgb
  const toSrgb = (colors: Float32Array | Uint8Array, most: number): void => {
    const scale = LAST / most
    const rounding = most === 1 ? 0 : 0.5
    for (let i = 0; i + 2 < colors.length; i += 3) {
      const r = red?.[indexOf((colors[i] ?? 0) * scale)] ?? 0
      const g = green?.[indexOf((colors[i + 1] ?? 0) * scale)] ?? 0
      const b = blue?.[indexOf((colors[i + 2] ?? 0) * scale)] ?? 0
      colors[i] = (encoded[indexOf((toRed[0] * r + toRed[1] * g + toRed[2] * b) * LAST)] ?? 0) * most + rounding
      colors[i + 1] =
        (encoded[indexOf((toGreen[0] * r + toGreen[1] * g + toGreen[2] * b) * LAST)] ?? 0) * most + rounding
      colors[i + 2] = (encoded[indexOf((toBlue[0] * r + toBlue[1] * g + toBlue[2] * b) * LAST)] ?? 0) * most + rounding
    }
  }
  return {
    toSrgb: colors => toSrgb(colors, 1),
    bytesToSrgb: colors => toSrgb(colors, 255),
    fromSrgb: color => {
      const [r, g, b] = [decodeSrgb(color[0]), decodeSrgb(color[1]), decodeSrgb(color[2])]
      const value = (c: 0 | 1 | 2): number =>
        findValue(curves[c], inverse[c][0] * r + inverse[c][1] * g + inverse[c][2] * b)
      return [value(0), value(1), value(2)]
    },
  }
}

function readColors(profile: IccProfile): LinearProfile | null {
  return profile.space === 'rgb' && !hasTable(profile) ? readLinearProfile(profile) : null
}

/** Neutral stays neutral: the chromatic adaptation maps the profile's white to sRGB's. */
function readGrey(profile: IccProfile): LinearProfile | null {
  const curve = readToneCurve(profile, 'kTRC')
  return (
    curve && {
      curves: [curve, curve, curve],
      toSrgb: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    }
  )
}

/** An index into a table of 65,536 entries. */
function indexOf(position: number): number {
  return Math.min(LAST, Math.max(0, Math.round(position)))
}

/** The first value of an ascending table that gives at least this light, 0..1. */
function findValue(table: Float32Array | undefined, light: number): number {
  let [low, high] = [0, LAST]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((table?.[middle] ?? 0) < light) low = middle + 1
    else high = middle
  }
  return low / LAST
}

/** The inverse by cofactors; all 0 if the matrix is singular. */
function invert([[a, b, c], [d, e, f], [g, h, i]]: Matrix3): Matrix3 {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
  const by = determinant === 0 ? 0 : 1 / determinant
  return [
    [(e * i - f * h) * by, (c * h - b * i) * by, (b * f - c * e) * by],
    [(f * g - d * i) * by, (a * i - c * g) * by, (c * d - a * f) * by],
    [(d * h - e * g) * by, (b * g - a * h) * by, (a * e - b * d) * by],
  ]
}
