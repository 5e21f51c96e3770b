import { inflateBounded } from '../compression/inflate-bounded.ts'
import { greyProfileOf, type Primaries, profileOfPrimaries, type ToneCurve } from './color-profile-of-primaries.ts'
import { type IccProfile, parseIccProfile } from './icc-profile.ts'
import { MAX_PROFILE_SIZE_BYTES } from './limits.ts'

const srgbCurve: ToneCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
const rec709Curve: ToneCurve = [1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081]
const powerCurve = (gamma: number): ToneCurve => [gamma, 1, 0, 1, 0]

const d65 = [0.3127, 0.329] as const
const srgbPrimaries: Primaries = { white: d65, red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06] }

/** ITU-T H.273 table 2: colour primaries by code. */
const primariesOfCode: ReadonlyMap<number, Primaries> = new Map([
  [1, srgbPrimaries],
  [4, { white: [0.31, 0.316], red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08] }],
  [5, { white: d65, red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06] }],
  [6, { white: d65, red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07] }],
  [7, { white: d65, red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07] }],
  [9, { white: d65, red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046] }],
  [11, { white: [0.314, 0.351], red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] }],
  [12, { white: d65, red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] }],
])

/** ITU-T H.273 table 3: transfer characteristics by code, without those of HDR (16, 18). */
const curveOfCode: ReadonlyMap<number, ToneCurve> = new Map([
  [1, rec709Curve],
  [4, powerCurve(2.2)],
  [5, powerCurve(2.8)],
  [6, rec709Curve],
  [8, powerCurve(1)],
  [13, srgbCurve],
  [14, rec709Curve],
  [15, rec709Curve],
])

/** Values of gAMA and cHRM are in units of 1/100,000. */
const SCALE = 100_000
const MOST_GAMMA = 100

/**
 * What the chunks before a PNG's data say about its colours (W3C PNG third edition, section 4.3): cICP has
 * precedence over a profile, that over sRGB, that over gAMA and cHRM. Of each, the first counts.
 */
export class PngColors {
  readonly #isGrey: boolean
  #coded: IccProfile | null = null
  #profile: IccProfile | null = null
  #isSrgb = false
  #gamma: number | null = null
  #primaries: Primaries | null = null
  readonly #seen = new Set<string>()

  constructor(isGrey: boolean) {
    this.#isGrey = isGrey
  }

  read(name: string, body: Uint8Array): void {
    if (this.#seen.has(name)) return
    this.#seen.add(name)
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
    if (name === 'cICP') this.#coded = this.#readCoded(body)
    else if (name === 'iCCP') this.#profile = this.#readProfile(body)
    else if (name === 'sRGB') this.#isSrgb = true
    else if (name === 'gAMA' && body.byteLength === 4) this.#gamma = SCALE / view.getUint32(0)
    else if (name === 'cHRM' && body.byteLength === 32) this.#primaries = readPrimaries(view)
  }

  /** Null: the colours are sRGB. */
  get profile(): IccProfile | null {
    const stated = this.#coded ?? this.#profile
    if (stated !== null || this.#isSrgb) return stated
    const hasGamma = this.#gamma !== null && this.#gamma > 1 / MOST_GAMMA && this.#gamma < MOST_GAMMA
    if (!hasGamma && this.#primaries === null) return null
    return this.#build(this.#primaries ?? srgbPrimaries, hasGamma ? powerCurve(this.#gamma ?? 1) : srgbCurve)
  }

  #build(primaries: Primaries, curve: ToneCurve): IccProfile | null {
    return this.#isGrey ? greyProfileOf(curve) : profileOfPrimaries(primaries, curve)
  }

  /** RGB in full range; null for anything else, and for codes that do not apply. */
  #readCoded(body: Uint8Array): IccProfile | null {
    const [primariesCode = 0, curveCode = 0, matrix, isFullRange] = body
    const primaries = primariesOfCode.get(primariesCode)
    const curve = curveOfCode.get(curveCode)
    const isRgb = body.byteLength === 4 && matrix === 0 && isFullRange === 1
    return isRgb && primaries && curve ? this.#build(primaries, curve) : null
  }

  /** The profile of an iCCP chunk, or null if it is invalid, too large or of another colour model. */
  #readProfile(body: Uint8Array): IccProfile | null {
    const nameEnd = body.indexOf(0)
    if (nameEnd < 1 || nameEnd > 79 || body[nameEnd + 1] !== 0) return null
    const unpacked = inflateBounded(body.subarray(nameEnd + 2), 'zlib', MAX_PROFILE_SIZE_BYTES)
    const profile = unpacked === null ? null : parseIccProfile(unpacked)
    return profile?.space === (this.#isGrey ? 'grey' : 'rgb') ? profile : null
  }
}

function readPrimaries(view: DataView): Primaries {
  const at = (offset: number) => [view.getUint32(offset) / SCALE, view.getUint32(offset + 4) / SCALE] as const
  return { white: at(0), red: at(8), green: at(16), blue: at(24) }
}
