import { type IccProfile, type Matrix3, parseIccProfile } from './icc-profile.ts'

/** CIE 1931 x and y. */
type Chromaticity = readonly [x: number, y: number]

export type Primaries = {
  readonly white: Chromaticity
  readonly red: Chromaticity
  readonly green: Chromaticity
  readonly blue: Chromaticity
}

/** The parameters g, a, b, c, d of ICC.1 section 10.18: (a x + b) ** g from d on, c x below. */
export type ToneCurve = readonly [g: number, a: number, b: number, c: number, d: number]

type Triple = readonly [number, number, number]

/** ICC.1 section 7.2.16, rounded as in profiles. */
const d50: Triple = [0.9642, 1, 0.8249]

const bradford: Matrix3 = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

const bradfordInverse: Matrix3 = [
  [0.9869929, -0.1470543, 0.1599627],
  [0.4323053, 0.5183603, 0.0492912],
  [-0.0085287, 0.0400428, 0.9684867],
]

/** An RGB profile with these primaries, or null if they do not span a colour space. */
export function profileOfPrimaries(primaries: Primaries, curve: ToneCurve): IccProfile | null {
  const columns = adaptedColumns(primaries)
  if (columns === null) return null
  const [red, green, blue] = columns
  const tone = curveTag(curve)
  return buildProfile('RGB ', [
    ['wtpt', xyzTag(d50)],
    ['rXYZ', xyzTag(red)],
    ['gXYZ', xyzTag(green)],
    ['bXYZ', xyzTag(blue)],
    ['rTRC', tone],
    ['gTRC', tone],
    ['bTRC', tone],
  ])
}

/** A grey profile, with any white point. */
export function greyProfileOf(curve: ToneCurve): IccProfile | null {
  return buildProfile('GRAY', [
    ['wtpt', xyzTag(d50)],
    ['kTRC', curveTag(curve)],
  ])
}

/** XYZ of the primaries adapted to D50; null if a denominator is 0 or a number exceeds its field. */
function adaptedColumns({ white, red, green, blue }: Primaries): readonly [Triple, Triple, Triple] | null {
  const xyz = ([x, y]: Chromaticity): Triple => [x / y, 1, (1 - x - y) / y]
  const [r, g, b, w] = [xyz(red), xyz(green), xyz(blue), xyz(white)]
  const whole = determinant(r, g, b)
  const shares = [determinant(w, g, b) / whole, determinant(r, w, b) / whole, determinant(r, g, w) / whole] as const
  const cone = apply(bradford, w)
  const wanted = apply(bradford, d50)
  const adapt = (column: Triple, share: number): Triple => {
    const [l, m, s] = apply(bradford, [column[0] * share, column[1] * share, column[2] * share])
    return apply(bradfordInverse, [(l * wanted[0]) / cone[0], (m * wanted[1]) / cone[1], (s * wanted[2]) / cone[2]])
  }
  const columns = [adapt(r, shares[0]), adapt(g, shares[1]), adapt(b, shares[2])] as const
  const isSound = columns.flat().every(value => Math.abs(value) < 8)
  return isSound ? columns : null
}

function determinant([a, d, g]: Triple, [b, e, h]: Triple, [c, f, i]: Triple): number {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}

function apply(matrix: Matrix3, [x, y, z]: Triple): Triple {
  const row = (i: 0 | 1 | 2): number => matrix[i][0] * x + matrix[i][1] * y + matrix[i][2] * z
  return [row(0), row(1), row(2)]
}

function xyzTag(values: Triple): Uint8Array {
  return tag('XYZ ', 0, values)
}

function curveTag(curve: ToneCurve): Uint8Array {
  return tag('para', 4, curve, 3)
}

/** A tag of s15Fixed16 numbers after `gapBytes` that begin with a 16-bit `kind`. */
function tag(type: string, gapBytes: number, values: readonly number[], kind = 0): Uint8Array {
  const bytes = new Uint8Array(8 + gapBytes + 4 * values.length)
  const view = new DataView(bytes.buffer)
  putText(bytes, 0, type)
  if (gapBytes > 0) view.setUint16(8, kind)
  for (const [i, value] of values.entries()) view.setInt32(8 + gapBytes + 4 * i, Math.round(value * 65_536))
  return bytes
}

function buildProfile(space: string, tags: readonly (readonly [string, Uint8Array])[]): IccProfile | null {
  const tableEnd = 132 + 12 * tags.length
  const sizeBytes = tags.reduce((sum, [, { byteLength }]) => sum + byteLength, tableEnd)
  const bytes = new Uint8Array(sizeBytes)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, sizeBytes)
  view.setUint32(8, 0x04_00_00_00)
  for (const [at, text] of [
    [12, 'mntr'],
    [16, space],
    [20, 'XYZ '],
    [36, 'acsp'],
  ] as const)
    putText(bytes, at, text)
  for (const [i, value] of d50.entries()) view.setInt32(68 + 4 * i, Math.round(value * 65_536))
  view.setUint32(128, tags.length)
  let at = tableEnd
  for (const [i, [name, data]] of tags.entries()) {
    putText(bytes, 132 + 12 * i, name)
    view.setUint32(136 + 12 * i, at)
    view.setUint32(140 + 12 * i, data.byteLength)
    bytes.set(data, at)
    at += data.byteLength
  }
  return parseIccProfile(bytes)
}

function putText(bytes: Uint8Array, at: number, text: string): void {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i)
}
