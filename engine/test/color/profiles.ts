import { decodeSrgb, encodeSrgb } from '../../src/lighting/tones.ts'
import { iccProfile } from '../artwork/build-files.ts'
import { labFromXyz, type Triple, xyzFromLab } from './delta-e.ts'

/** Profiles made here, so that none has to be shipped, with the exact mathematics of what they say. */

type Curve = { readonly tag: Buffer; readonly toLinear: (value: number) => number }

export type RgbSpace = {
  readonly name: string
  readonly profile: Buffer
  /** device values 0..1 to XYZ relative to D50 */
  readonly toXyz: (rgb: Triple) => Triple
}

function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.round(value * 65_536))
  return bytes
}

/** A `para` curve of type 3: sRGB's. */
const srgbCurve: Curve = {
  tag: Buffer.concat([
    Buffer.from('para\0\0\0\0\0\x03\0\0', 'latin1'),
    ...[2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map(fixed),
  ]),
  toLinear: decodeSrgb,
}

/** A `curv` of one entry: a power, in 1/256. */
function powerCurve(gamma: number): Curve {
  const tag = Buffer.alloc(14)
  tag.write('curv', 0, 'latin1')
  tag.writeUInt32BE(1, 8)
  tag.writeUInt16BE(Math.round(gamma * 256), 12)
  return { tag, toLinear: value => value ** (Math.round(gamma * 256) / 256) }
}

function xyzTag(xyz: Triple): Buffer {
  return Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), ...xyz.map(fixed)])
}

const white: Triple = [0.9642, 1, 0.8249]

function rgbSpace(name: string, [red, green, blue]: readonly [Triple, Triple, Triple], curve: Curve): RgbSpace {
  const profile = iccProfile('RGB ', {
    wtpt: xyzTag(white),
    rXYZ: xyzTag(red),
    gXYZ: xyzTag(green),
    bXYZ: xyzTag(blue),
    rTRC: curve.tag,
    gTRC: curve.tag,
    bTRC: curve.tag,
  })
  const toXyz = (rgb: Triple): Triple => {
    const [r, g, b] = [curve.toLinear(rgb[0]), curve.toLinear(rgb[1]), curve.toLinear(rgb[2])]
    return [
      r * red[0] + g * green[0] + b * blue[0],
      r * red[1] + g * green[1] + b * blue[1],
      r * red[2] + g * green[2] + b * blue[2],
    ]
  }
  return { name, profile, toXyz }
}

/** Primaries adapted to D50 by Bradford's matrix. */
const srgbPrimaries = [
  [0.4360747, 0.2225045, 0.0139322],
  [0.3850649, 0.7168786, 0.0971045],
  [0.1430804, 0.0606169, 0.7141733],
] as const

export const srgb = rgbSpace('sRGB', srgbPrimaries, srgbCurve)

export const displayP3 = rgbSpace(
  'Display P3',
  [
    [0.5151187, 0.2411892, -0.0010505],
    [0.2919778, 0.6922441, 0.041879],
    [0.157104, 0.0665668, 0.7840714],
  ],
  srgbCurve,
)

export const adobeRgb = rgbSpace(
  'Adobe RGB (1998)',
  [
    [0.6097559, 0.3111242, 0.0194811],
    [0.2052401, 0.625656, 0.0608902],
    [0.149224, 0.0632197, 0.7448387],
  ],
  powerCurve(563 / 256),
)

/** ProPhoto RGB, whose primaries lie outside what eyes see. */
export const prophoto = rgbSpace(
  'ProPhoto RGB',
  [
    [0.7976749, 0.2880402, 0],
    [0.1351917, 0.7118741, 0],
    [0.0313534, 0.0000857, 0.82521],
  ],
  powerCurve(1.8),
)

export type GreySpace = {
  readonly name: string
  readonly profile: Buffer
  readonly toLinear: (value: number) => number
}

export function greySpace(gamma: number): GreySpace {
  const curve = powerCurve(gamma)
  return {
    name: `grey, gamma ${gamma}`,
    profile: iccProfile('GRAY', { wtpt: xyzTag(white), kTRC: curve.tag }),
    toLinear: curve.toLinear,
  }
}

/** sRGB as the eye gets it: XYZ relative to D50 to encoded 0..1, clipped to the gamut channel by channel. */
export function srgbFromXyz(xyz: Triple): Triple {
  const [r, g, b] = [
    3.1338561 * xyz[0] - 1.6168667 * xyz[1] - 0.4906146 * xyz[2],
    -0.9787684 * xyz[0] + 1.9161415 * xyz[1] + 0.033454 * xyz[2],
    0.0719453 * xyz[0] - 0.2289914 * xyz[1] + 1.4052427 * xyz[2],
  ]
  return [encodeSrgb(r), encodeSrgb(g), encodeSrgb(b)]
}

export function labFromSrgb(encoded: Triple): Triple {
  return labFromXyz(srgb.toXyz(encoded))
}

/** Grid steps of the CMYK table: 6, so that its nodes are the bytes 0, 51, 102 ... 255. */
const STEPS = 6

/**
 * A press of our own: each ink lets a part of X, Y and Z through, in proportion to its coverage. Smooth,
 * plausible, and known exactly at the nodes of the profile's table.
 */
export function pressLab(cmyk: readonly [number, number, number, number]): Triple {
  const paper = white
  const inks: readonly Triple[] = [
    [0.2, 0.3, 0.75],
    [0.4, 0.2, 0.3],
    [0.85, 0.9, 0.12],
    [0.04, 0.04, 0.04],
  ]
  const through = ([0, 1, 2] as const).map(i =>
    inks.reduce((light, ink, at) => light * (1 - (cmyk[at] ?? 0) * (1 - ink[i])), paper[i]),
  )
  const [x = 0, y = 0, z = 0] = through
  return labFromXyz([x, y, z])
}

/** ICC.1 lut16Type (10.10) from CMYK to L*a*b* in the encoding of version 2 tables. */
export function cmykProfile(): Buffer {
  const nodes: number[] = []
  const step = (i: number): number => i / (STEPS - 1)
  const clip = (value: number): number => Math.min(65_535, Math.max(0, Math.round(value)))
  for (let c = 0; c < STEPS; c++)
    for (let m = 0; m < STEPS; m++)
      for (let y = 0; y < STEPS; y++)
        for (let k = 0; k < STEPS; k++) {
          const [l, a, b] = pressLab([step(c), step(m), step(y), step(k)])
          nodes.push(clip((l / 100) * 65_280), clip((a + 128) * 256), clip((b + 128) * 256))
        }
  const head = Buffer.alloc(52)
  head.write('mft2', 0, 'latin1')
  head[8] = 4
  head[9] = 3
  head[10] = STEPS
  for (const at of [12, 28, 44]) head.writeInt32BE(65_536, at)
  head.writeUInt16BE(2, 48)
  head.writeUInt16BE(2, 50)
  const straight = (count: number): number[] => Array.from({ length: count }, () => [0, 65_535]).flat()
  const numbers = [...straight(4), ...nodes, ...straight(3)]
  const table = Buffer.alloc(numbers.length * 2)
  for (const [i, value] of numbers.entries()) table.writeUInt16BE(value, i * 2)
  const profile = iccProfile('CMYK', { wtpt: xyzTag(white), A2B0: Buffer.concat([head, table]) })
  profile.writeUInt32BE(0x02400000, 8)
  profile.write('prtr', 12, 'latin1')
  profile.write('Lab ', 20, 'latin1')
  return profile
}

/**
 * What the press prints, as clipped sRGB, with the black point compensation that littleCMS applies to
 * perceptual transforms into a version 4 profile: in XYZ, the press's darkest print becomes black and white
 * stays.
 */
export function pressSrgb(cmyk: readonly [number, number, number, number]): Triple {
  const black = xyzFromLab(pressLab([1, 1, 1, 1]))
  const [x, y, z] = xyzFromLab(pressLab(cmyk))
  const compensate = (value: number, i: 0 | 1 | 2): number => ((value - black[i]) * white[i]) / (white[i] - black[i])
  return srgbFromXyz([compensate(x, 0), compensate(y, 1), compensate(z, 2)])
}
