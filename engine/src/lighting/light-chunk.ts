import { TONE_STEPS_PER_UNIT } from '../../kernels/assembly/frame/constants.ts'
import { linearFromByte, type ToneTables } from './light-tables.ts'

/** How a lit frame meets its scene. Tables, so that no pixel computes a power. */
export type Light = {
  readonly tone: ToneTables
  /** linear light of a byte of shade or highlights */
  readonly layerTable: Float64Array
  /** linear light of what clear parts of the artwork show, per channel */
  readonly surface: readonly [number, number, number]
  /** RGB layers, region-sized, encoded; highlights may be missing */
  readonly shade: Uint8Array
  readonly highlights: Uint8Array | null
}

/** An encoded premultiplied channel as linear albedo before multiplication with alpha. */
function readLinear(channel: number, alpha: number): number {
  if (alpha === 255) return linearFromByte[channel] ?? 0
  const straight = Math.floor((channel * 255 + (alpha >> 1)) / alpha)
  return linearFromByte[straight > 255 ? 255 : straight] ?? 0
}

/**
 * Lights a run of pixels in linear light: out = T(T^-1(scene) + mask (shade albedo + highlights)), with
 * albedo = lin(artwork) alpha + lin(surface) (1 - alpha), mask = coverage x opacity. `scene` (RGB) begins at
 * byte `sceneByte`, `color` (premultiplied RGBA) at 0, coverage and layers at pixel `regionPixel`.
 */
export function lightChunk(
  light: Light,
  opacity: number,
  length: number,
  color: Uint8Array,
  coverage: Uint8Array,
  regionPixel: number,
  scene: Uint8Array,
  sceneByte: number,
): void {
  const { shade, highlights, layerTable, surface } = light
  const { lightFromByte, byteFromLight } = light.tone
  const [surfaceR, surfaceG, surfaceB] = surface
  const last = byteFromLight.length - 1
  const scale = opacity / 255
  for (let i = 0; i < length; i++) {
    const mask = (coverage[regionPixel + i] ?? 0) * scale
    if (mask === 0) continue
    const from = i * 4
    const layer = (regionPixel + i) * 3
    const to = sceneByte + i * 3
    const alpha = color[from + 3] ?? 0
    let r = surfaceR
    let g = surfaceG
    let b = surfaceB
    if (alpha > 0) {
      r = readLinear(color[from] ?? 0, alpha)
      g = readLinear(color[from + 1] ?? 0, alpha)
      b = readLinear(color[from + 2] ?? 0, alpha)
      if (alpha < 255) {
        const a = alpha / 255
        r = r * a + surfaceR * (1 - a)
        g = g * a + surfaceG * (1 - a)
        b = b * a + surfaceB * (1 - a)
      }
    }
    r *= layerTable[shade[layer] ?? 0] ?? 0
    g *= layerTable[shade[layer + 1] ?? 0] ?? 0
    b *= layerTable[shade[layer + 2] ?? 0] ?? 0
    if (highlights) {
      r += layerTable[highlights[layer] ?? 0] ?? 0
      g += layerTable[highlights[layer + 1] ?? 0] ?? 0
      b += layerTable[highlights[layer + 2] ?? 0] ?? 0
    }
    r = (lightFromByte[scene[to] ?? 0] ?? 0) + mask * r
    g = (lightFromByte[scene[to + 1] ?? 0] ?? 0) + mask * g
    b = (lightFromByte[scene[to + 2] ?? 0] ?? 0) + mask * b
    const stepR = Math.floor(r * TONE_STEPS_PER_UNIT + 0.5)
    const stepG = Math.floor(g * TONE_STEPS_PER_UNIT + 0.5)
    const stepB = Math.floor(b * TONE_STEPS_PER_UNIT + 0.5)
    scene[to] = byteFromLight[stepR < last ? stepR : last] ?? 0
    scene[to + 1] = byteFromLight[stepG < last ? stepG : last] ?? 0
    scene[to + 2] = byteFromLight[stepB < last ? stepB : last] ?? 0
  }
}
