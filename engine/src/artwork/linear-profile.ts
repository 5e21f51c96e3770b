import { type IccProfile, type Matrix3, readMatrix, readToneCurve } from './icc-profile.ts'

/** A profile of three tone curves and a matrix (ICC.1 annex F.3). */
export type LinearProfile = {
  /** of red, green and blue: device value 0..1 to linear light 0..1 */
  readonly curves: readonly [(value: number) => number, (value: number) => number, (value: number) => number]
  /** linear device RGB to linear sRGB, which may lie outside 0..1 */
  readonly toSrgb: Matrix3
}

/** XYZ relative to D50 to linear sRGB: the inverse of sRGB's primaries adapted to D50 (Bradford). */
export const srgbFromXyz: Matrix3 = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
]

/** Null if a curve or a primary is missing. Ignores tables that the profile may also have. */
export function readLinearProfile(profile: IccProfile): LinearProfile | null {
  const matrix = readMatrix(profile)
  const [red, green, blue] = ['rTRC', 'gTRC', 'bTRC'].map(name => readToneCurve(profile, name))
  if (matrix === null || !red || !green || !blue) return null
  return { curves: [red, green, blue], toSrgb: multiply(srgbFromXyz, matrix) }
}

/** A curve at every 16-bit value, 0..1. */
export function tabulate(curve: (value: number) => number): Float32Array {
  return Float32Array.from({ length: 65_536 }, (_, i) => Math.min(1, Math.max(0, curve(i / 65_535))))
}

function multiply(a: Matrix3, b: Matrix3): Matrix3 {
  const row = (r: 0 | 1 | 2): [number, number, number] => {
    const column = (c: 0 | 1 | 2): number => a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c]
    return [column(0), column(1), column(2)]
  }
  return [row(0), row(1), row(2)]
}
