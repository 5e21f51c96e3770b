import { encodeSrgb } from '../lighting/tones.ts'
import { INK_NODES, type InkTable } from './color-table.ts'
import { findTag, type IccProfile } from './icc-profile.ts'
import { srgbFromXyz } from './linear-profile.ts'

// Profiles with tables, as littleCMS 2.19 reads them: the perceptual table, with black point compensation.

type Triple = readonly [number, number, number]

/** From device values 0..1 to XYZ relative to the D50 white point, whose Y is 1. */
type ToXyz = (device: readonly number[]) => Triple

const d50: Triple = [0.9642, 1, 0.8249]

/** The darkest colour of the perceptual intent in profiles of version 4 (ICC.1 annex D.1). */
const perceptualBlack: Triple = [0.00336, 0.0034731, 0.00287]

/** A black point whose lightness (L*, 0..100) is above this is ignored. */
const BLACK_LIGHTNESS_MAX = 50

// Signatures: the types of tags, and the first byte of the colour space "Lab ".
const LUT8_TYPE = 0x6d667431
const LUT16_TYPE = 0x6d667432
const LAB_FIRST_BYTE = 0x4c

/** A profile's table from four inks to sRGB; null for kinds of tables that are not supported here. */
export function buildInkTable(profile: IccProfile): InkTable | null {
  const toXyz = profile.space === 'cmyk' ? readTable(profile, 4) : null
  if (toXyz === null) return null
  const black = findBlack(profile, toXyz)
  const table = new Uint8Array(INK_NODES ** 4 * 3)
  const last = INK_NODES - 1
  let at = 0
  for (let c = 0; c <= last; c++)
    for (let m = 0; m <= last; m++)
      for (let y = 0; y <= last; y++)
        for (let k = 0; k <= last; k++) {
          const xyz = toXyz([c / last, m / last, y / last, k / last])
          for (const value of encode(compensate(xyz, black))) table[at++] = value
        }
  return table
}

function findBlack({ bytes }: IccProfile, toXyz: ToXyz): Triple {
  if ((bytes[8] ?? 0) >= 4) return perceptualBlack
  const black = toXyz([1, 1, 1, 1])
  return cubeRoot(black[1]) * 116 - 16 > BLACK_LIGHTNESS_MAX ? [0, 0, 0] : black
}

/** Black point compensation: maps the profile's black to zero and preserves its white. */
function compensate(xyz: Triple, black: Triple): Triple {
  const move = (i: 0 | 1 | 2): number => ((xyz[i] - black[i]) * d50[i]) / (d50[i] - black[i])
  return [move(0), move(1), move(2)]
}

function encode([x, y, z]: Triple): Triple {
  const channel = ([a, b, c]: Triple): number => Math.round(encodeSrgb(a * x + b * y + c * z) * 255)
  return [channel(srgbFromXyz[0]), channel(srgbFromXyz[1]), channel(srgbFromXyz[2])]
}

/** lut8Type and lut16Type (ICC.1 sections 10.10 and 10.11); null for others. */
function readTable({ bytes, ...profile }: IccProfile, channels: number): ToXyz | null {
  const tag = findTag({ bytes, ...profile }, 'A2B0')
  if (tag === null || tag.byteLength < 52) return null
  const type = tag.getUint32(0)
  const isWide = type === LUT16_TYPE
  if (!isWide && type !== LUT8_TYPE) return null
  const [inputs, outputs, nodes] = [tag.getUint8(8), tag.getUint8(9), tag.getUint8(10)]
  const isLab = bytes[20] === LAB_FIRST_BYTE
  if (inputs !== channels || outputs !== 3 || nodes < 2) return null
  const inputEntries = isWide ? tag.getUint16(48) : 256
  const outputEntries = isWide ? tag.getUint16(50) : 256
  if (inputEntries < 2 || outputEntries < 2) return null
  const entryBytes = isWide ? 2 : 1
  const start = isWide ? 52 : 48
  const nodeCount = nodes ** inputs * outputs
  if (start + entryBytes * (inputs * inputEntries + nodeCount + outputs * outputEntries) > tag.byteLength) return null
  const read = (from: number, count: number): Float64Array =>
    Float64Array.from({ length: count }, (_, i) =>
      isWide ? tag.getUint16(start + 2 * (from + i)) / 65_535 : tag.getUint8(start + from + i) / 255,
    )
  const curvesOf = (from: number, count: number, entries: number): readonly Float64Array[] =>
    Array.from({ length: count }, (_, i) => read(from + i * entries, entries))
  const inputCurves = curvesOf(0, inputs, inputEntries)
  const table = read(inputs * inputEntries, nodeCount)
  const outputCurves = curvesOf(inputs * inputEntries + nodeCount, outputs, outputEntries)
  return device => {
    const position = inputCurves.map((curve, i) => interpolate(curve, device[i] ?? 0) * (nodes - 1))
    const [a = 0, b = 0, c = 0] = lookUp(table, nodes, position)
    const [one, two, three] = [a, b, c].map((value, i) => interpolate(outputCurves[i], value))
    const pcs: Triple = [one ?? 0, two ?? 0, three ?? 0]
    return isLab ? xyzFromLab(decodeLab(pcs, isWide), d50) : decodeXyz(pcs)
  }
}

function interpolate(curve: Float64Array | undefined, value: number): number {
  if (curve === undefined) return value
  const position = Math.min(1, Math.max(0, value)) * (curve.length - 1)
  const index = Math.min(curve.length - 2, Math.floor(position))
  const low = curve[index] ?? 0
  return low + ((curve[index + 1] ?? 0) - low) * (position - index)
}

/**
 * Interpolates three values at a position, counted in nodes: linearly along the first axis, tetrahedrally
 * along the other three.
 */
function lookUp(table: Float64Array, nodes: number, [first = 0, ...others]: readonly number[]): readonly number[] {
  const strides = others.map((_, i) => 3 * nodes ** (others.length - 1 - i))
  const floors = others.map(place => Math.min(nodes - 2, Math.floor(place)))
  const shares = others.map((place, i) => place - (floors[i] ?? 0))
  const order = [0, 1, 2].toSorted((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0))
  const tetrahedron = (from: number): number[] => {
    const sums = [0, 0, 0]
    let at = floors.reduce((sum, floor, i) => sum + floor * (strides[i] ?? 0), from)
    let before = 1
    for (const axis of [...order, -1]) {
      const share = axis < 0 ? 0 : (shares[axis] ?? 0)
      for (let i = 0; i < 3; i++) sums[i] = (sums[i] ?? 0) + (before - share) * (table[at + i] ?? 0)
      before = share
      at += axis < 0 ? 0 : (strides[axis] ?? 0)
    }
    return sums
  }
  const stride = 3 * nodes ** others.length
  const floor = Math.min(nodes - 2, Math.floor(first))
  const low = tetrahedron(floor * stride)
  const high = tetrahedron((floor + 1) * stride)
  return low.map((value, i) => value + ((high[i] ?? 0) - value) * (first - floor))
}

/** In every lut16Type, 16-bit Lab has the encoding of ICC version 2: 100 is 65,280. */
function decodeLab([l, a, b]: Triple, isWide: boolean): Triple {
  if (!isWide) return [l * 100, a * 255 - 128, b * 255 - 128]
  return [(l * 6_553_500) / 65_280, (a * 65_535) / 256 - 128, (b * 65_535) / 256 - 128]
}

function decodeXyz([x, y, z]: Triple): Triple {
  const most = 1 + 32_767 / 32_768
  return [x * most, y * most, z * most]
}

function cubeRoot(t: number): number {
  return t > (24 / 116) ** 3 ? Math.cbrt(t) : (841 / 108) * t + 16 / 116
}

/** CIE L*a*b* (L* 0..100) as XYZ relative to a white point (CIE 15). */
export function xyzFromLab([l, a, b]: Triple, white: Triple): Triple {
  const cube = (t: number): number => (t > 24 / 116 ? t ** 3 : (108 / 841) * (t - 16 / 116))
  const y = (l + 16) / 116
  return [cube(y + a / 500) * white[0], cube(y) * white[1], cube(y - b / 200) * white[2]]
}
