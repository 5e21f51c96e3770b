import { encodeSrgb } from '../lighting/tones.ts'
import { OnDemand } from '../on-demand.ts'
import { hasTable, type IccProfile, type Matrix3, readToneCurve } from './icc-profile.ts'
import { readLinearProfile, tabulate } from './linear-profile.ts'

/** Converts stored 16-bit RGBA to 8-bit sRGB RGBA, straight alpha. */
export type WideConversion = (samples: Uint16Array) => Uint8Array

/** sRGB-encoded 0..255 for linear light in steps of 1/65535: at most a twentieth of a byte each. */
const byteFromLinear = new OnDemand(() =>
  Uint8Array.from({ length: 65_536 }, (_, i) => Math.round(encodeSrgb(i / 65_535) * 255)),
)

/**
 * The conversion for a profile, or null if a colour engine must read its tables. sharp would clip 16-bit
 * pictures to Display P3, and ignores grey profiles.
 */
export function buildWideConversion(profile: IccProfile | null): WideConversion | null {
  if (profile === null || profile.isSrgb) return roundSamples
  if (profile.space === 'grey') {
    const curve = readToneCurve(profile, 'kTRC')
    return curve === null ? roundSamples : convertGrey(curve)
  }
  if (hasTable(profile)) return null
  const linear = readLinearProfile(profile)
  return linear === null ? roundSamples : convertByMatrix(linear.toSrgb, linear.curves.map(tabulate))
}

/** Converts 8-bit RGBA to sRGB, in place; straight alpha. */
export type ByteConversion = (rgba: Uint8Array) => void

const unchanged: ByteConversion = () => undefined

/** The same for 8 bits. */
export function buildByteConversion(profile: IccProfile | null): ByteConversion | null {
  if (profile === null || profile.isSrgb) return unchanged
  if (profile.space === 'grey') {
    const curve = readToneCurve(profile, 'kTRC')
    return curve === null ? unchanged : convertGreyBytes(Uint8Array.from(linearOfBytes(curve), encoder()))
  }
  if (hasTable(profile)) return null
  const linear = readLinearProfile(profile)
  return linear === null ? unchanged : convertBytesByMatrix(linear.toSrgb, linear.curves.map(linearOfBytes))
}

function linearOfBytes(curve: (value: number) => number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, byte) => Math.min(1, Math.max(0, curve(byte / 255))))
}

function convertGreyBytes(bytes: Uint8Array): ByteConversion {
  return rgba => {
    for (let i = 0; i < rgba.length; i += 4) rgba[i] = rgba[i + 1] = rgba[i + 2] = bytes[rgba[i] ?? 0] ?? 0
  }
}

function convertBytesByMatrix(m: Matrix3, [red, green, blue]: readonly Float32Array[]): ByteConversion {
  const toByte = encoder()
  return rgba => {
    for (let i = 0; i < rgba.length; i += 4) {
      const r = red?.[rgba[i] ?? 0] ?? 0
      const g = green?.[rgba[i + 1] ?? 0] ?? 0
      const b = blue?.[rgba[i + 2] ?? 0] ?? 0
      rgba[i] = toByte(m[0][0] * r + m[0][1] * g + m[0][2] * b)
      rgba[i + 1] = toByte(m[1][0] * r + m[1][1] * g + m[1][2] * b)
      rgba[i + 2] = toByte(m[2][0] * r + m[2][1] * g + m[2][2] * b)
    }
  }
}

/** Encodes linear light, which may lie outside 0..1, as sRGB. */
function encoder(): (linear: number) => number {
  const bytes = byteFromLinear.get()
  return linear => bytes[Math.round(Math.min(1, Math.max(0, linear)) * 65_535)] ?? 0
}

/** Rounds 0..65535 to 0..255: dropping the low byte, as libvips does, darkens by half a step. */
export function roundSamples(samples: Uint16Array): Uint8Array {
  const rounded = new Uint8Array(samples.length)
  for (let i = 0; i < rounded.length; i++) rounded[i] = ((samples[i] ?? 0) * 255 + 32_767) / 65_535
  return rounded
}

/** Neutral stays neutral: the chromatic adaptation maps the profile's white to sRGB's. */
function convertGrey(toLinear: (value: number) => number): WideConversion {
  const bytes = Uint8Array.from(tabulate(toLinear), encoder())
  return samples => {
    const rgba = new Uint8Array(samples.length)
    for (let i = 0; i < samples.length; i += 4) {
      rgba[i] = rgba[i + 1] = rgba[i + 2] = bytes[samples[i] ?? 0] ?? 0
      rgba[i + 3] = ((samples[i + 3] ?? 0) * 255 + 32_767) / 65_535
    }
    return rgba
  }
}

function convertByMatrix(m: Matrix3, [red, green, blue]: readonly Float32Array[]): WideConversion {
  const toByte = encoder()
  return samples => {
    const rgba = new Uint8Array(samples.length)
    for (let i = 0; i < samples.length; i += 4) {
      const r = red?.[samples[i] ?? 0] ?? 0
      const g = green?.[samples[i + 1] ?? 0] ?? 0
      const b = blue?.[samples[i + 2] ?? 0] ?? 0
      rgba[i] = toByte(m[0][0] * r + m[0][1] * g + m[0][2] * b)
      rgba[i + 1] = toByte(m[1][0] * r + m[1][1] * g + m[1][2] * b)
      rgba[i + 2] = toByte(m[2][0] * r + m[2][1] * g + m[2][2] * b)
      rgba[i + 3] = ((samples[i + 3] ?? 0) * 255 + 32_767) / 65_535
    }
    return rgba
  }
}
