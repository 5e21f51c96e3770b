/** Parses enough of ICC.1:2022 to validate a profile and to read matrices and tone curves. */

/** An embedded profile that is valid enough to pass on. */
export type IccProfile = {
  readonly space: 'rgb' | 'grey' | 'cmyk'
  readonly bytes: Uint8Array
  /** primaries and tone curves equal sRGB's within the differences between its writers */
  readonly isSrgb: boolean
}

/** sRGB's primaries adapted to D50 (the ICC's own sRGB2014 profile): X, Y, Z of red, green, blue. */
export const srgbPrimaries = [
  ['rXYZ', 0.4361, 0.2225, 0.0139],
  ['gXYZ', 0.3851, 0.7169, 0.0971],
  ['bXYZ', 0.1431, 0.0606, 0.7141],
] as const
const srgbCurves = ['rTRC', 'gTRC', 'bTRC'] as const

const HEADER_SIZE_BYTES = 128
const spaces: ReadonlyMap<string, IccProfile['space']> = new Map([
  ['RGB ', 'rgb'],
  ['GRAY', 'grey'],
  ['CMYK', 'cmyk'],
])
/** classes of pictures: input, display, output, colour space; not link, abstract or named */
const classes: ReadonlySet<string> = new Set(['scnr', 'mntr', 'prtr', 'spac'])

function text(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map(i => view.getUint8(offset + i)))
}

/**
 * The profile, or null if the header or the tag table is invalid (ICC.1 section 7). A profile shorter than
 * its declared size is valid if it contains the data of all its tags.
 */
export function parseIccProfile(bytes: Uint8Array): IccProfile | null {
  if (bytes.byteLength < HEADER_SIZE_BYTES + 4) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const saidSizeBytes = view.getUint32(0)
  const sizeBytes = Math.min(saidSizeBytes, bytes.byteLength)
  if (saidSizeBytes < HEADER_SIZE_BYTES + 4) return null
  if (text(view, 36) !== 'acsp' || !classes.has(text(view, 12))) return null
  const space = spaces.get(text(view, 16))
  const tagCount = view.getUint32(HEADER_SIZE_BYTES)
  if (space === undefined || tagCount > 100 || HEADER_SIZE_BYTES + 4 + tagCount * 12 > sizeBytes) return null
  for (let i = 0; i < tagCount; i++) {
    const entry = HEADER_SIZE_BYTES + 4 + i * 12
    if (view.getUint32(entry + 4) + view.getUint32(entry + 8) > sizeBytes) return null
  }
  const profile = { space, bytes: withSize(bytes.subarray(0, sizeBytes), saidSizeBytes), isSrgb: false }
  return { ...profile, isSrgb: isSrgb(profile) }
}

function withSize(profile: Uint8Array, saidSizeBytes: number): Uint8Array {
  if (saidSizeBytes === profile.byteLength) return profile
  const copy = Uint8Array.from(profile)
  new DataView(copy.buffer).setUint32(0, copy.byteLength)
  return copy
}

/** The data of a tag, or null if the profile has none with this name. */
export function findTag(profile: IccProfile, signature: string): DataView | null {
  const { bytes } = profile
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tagCount = view.getUint32(HEADER_SIZE_BYTES)
  for (let i = 0; i < tagCount; i++) {
    const entry = HEADER_SIZE_BYTES + 4 + i * 12
    if (text(view, entry) !== signature) continue
    return new DataView(bytes.buffer, bytes.byteOffset + view.getUint32(entry + 4), view.getUint32(entry + 8))
  }
  return null
}

/**
 * The profile's own description, printable ASCII, at most 80 characters; empty if it has no readable one
 * (ICC.1 section 9.2.41: "mluc" in version 4, "desc" in version 2).
 */
export function readProfileName(profile: IccProfile): string {
  const tag = findTag(profile, 'desc')
  if (tag === null || tag.byteLength < 28) return ''
  const isUtf16 = text(tag, 0) === 'mluc'
  const [from, sizeBytes] = isUtf16 ? [tag.getUint32(24), tag.getUint32(20)] : [12, tag.getUint32(8)]
  const step = isUtf16 ? 2 : 1
  let name = ''
  for (let at = from; at + step <= Math.min(from + sizeBytes, tag.byteLength) && name.length < 80; at += step) {
    const code = isUtf16 ? tag.getUint16(at) : tag.getUint8(at)
    if (code >= 32 && code < 127) name += String.fromCharCode(code)
  }
  return name.trim()
}

function hasSrgbCurve(profile: IccProfile, tag: string): boolean {
  const curve = readToneCurve(profile, tag)
  return curve !== null && Math.abs(curve(0.5) - 0.214) < 0.002 && Math.abs(curve(0.1) - 0.01) < 0.002
}

/** Whether a grey profile has sRGB's tone curve, so that its values are those of grey sRGB pixels. */
export function isSrgbGrey(profile: IccProfile): boolean {
  return profile.space === 'grey' && hasSrgbCurve(profile, 'kTRC')
}

function isSrgb(profile: IccProfile): boolean {
  if (profile.space !== 'rgb') return false
  const hasPrimaries = srgbPrimaries.every(([name, ...wanted]) => {
    const tag = findTag(profile, name)
    if (tag === null || tag.byteLength < 20) return false
    return wanted.every((value, i) => Math.abs(tag.getInt32(8 + i * 4) / 65_536 - value) < 0.002)
  })
  return hasPrimaries && srgbCurves.every(name => hasSrgbCurve(profile, name))
}

/** Rows of a 3 x 3 matrix. */
export type Matrix3 = readonly [
  readonly [number, number, number],
  readonly [number, number, number],
  readonly [number, number, number],
]

/** Whether the profile has a colour table, which colour engines prefer to the matrix. */
export function hasTable(profile: IccProfile): boolean {
  return findTag(profile, 'A2B0') !== null
}

/** From linear device RGB to XYZ relative to D50 (ICC.1 annex F.3), or null if a primary is missing. */
export function readMatrix(profile: IccProfile): Matrix3 | null {
  const primaries = ['rXYZ', 'gXYZ', 'bXYZ'].map(name => findTag(profile, name))
  const [red, green, blue] = primaries
  if (!red || !green || !blue || primaries.some(tag => (tag?.byteLength ?? 0) < 20)) return null
  const value = (tag: DataView, i: number): number => tag.getInt32(8 + i * 4) / 65_536
  const row = (i: number) => [value(red, i), value(green, i), value(blue, i)] as const
  return [row(0), row(1), row(2)]
}

/**
 * A tone curve such as `kTRC` or `rTRC`: device value 0..1 to linear light 0..1 (ICC.1 sections 10.6, 10.18).
 * Null if it is missing or malformed.
 */
export function readToneCurve(profile: IccProfile, tag: string): ((value: number) => number) | null {
  const curve = findTag(profile, tag)
  if (curve === null || curve.byteLength < 12) return null
  const type = text(curve, 0)
  if (type === 'curv') return readSampledCurve(curve)
  return type === 'para' ? readParametricCurve(curve) : null
}

function readSampledCurve(curve: DataView): ((value: number) => number) | null {
  const count = curve.getUint32(8)
  if (count === 0) return value => value
  if (12 + count * 2 > curve.byteLength) return null
  if (count === 1) {
    const gamma = curve.getUint16(12) / 256
    return value => value ** gamma
  }
  const samples = Float64Array.from({ length: count }, (_, i) => curve.getUint16(12 + i * 2) / 65_535)
  return value => {
    const position = Math.min(Math.max(value, 0), 1) * (count - 1)
    const index = Math.min(Math.floor(position), count - 2)
    const low = samples[index] ?? 0
    return low + ((samples[index + 1] ?? 0) - low) * (position - index)
  }
}

function readParametricCurve(curve: DataView): ((value: number) => number) | null {
  const kind = curve.getUint16(8)
  const parameterCount = [1, 3, 4, 5, 7][kind]
  if (parameterCount === undefined || 12 + parameterCount * 4 > curve.byteLength) return null
  const [g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = Array.from(
    { length: parameterCount },
    (_, i) => curve.getInt32(12 + i * 4) / 65_536,
  )
  const power = (x: number): number => Math.max(a * x + b, 0) ** g
  switch (kind) {
    case 0:
      return x => x ** g
    case 1:
      return x => (x >= -b / a ? power(x) : 0)
    case 2:
      return x => (x >= -b / a ? power(x) + c : c)
    case 3:
      return x => (x >= d ? power(x) : c * x)
    default:
      return x => (x >= d ? power(x) + e : c * x + f)
  }
}
