import { TONE_STEPS_PER_UNIT } from '../../kernels/assembly/frame/constants.ts'
import { linearFromByte, type ToneTables } from './light-tables.ts'

/** The light of a region: RGB layers, encoded. With tables, so that no pixel computes a power. */
export type LightLayers = {
  /** linear light of each byte of a layer */
  readonly layerTable: Float64Array
  readonly shade: Uint8Array
  readonly highlights: Uint8Array | null
}

/** How a frame is lit. */
export type Light = LightLayers & {
  readonly tone: ToneTables
  /** linear light of the surface under transparent parts of the artwork, per channel */
  readonly surface: readonly [number, number, number]
}

/** An encoded premultiplied channel as linear albedo, unpremultiplied. */
function readLinear(channel: number, alpha: number): number {
  if (alpha === 255) return linearFromByte[channel] ?? 0
  const straight = Math.floor((channel * 255 + (alpha >> 1)) / alpha)
  return linearFromByte[straight > 255 ? 255 : straight] ?? 0
}

/** The light that a channel reflects: shade albedo + highlights. `at` is its byte in the layers. */
export function sendBack({ shade, highlights, layerTable }: LightLayers, albedo: number, at: number): number {
  const diffuse = albedo * (layerTable[shade[at] ?? 0] ?? 0)
  return highlights ? diffuse + (layerTable[highlights[at] ?? 0] ?? 0) : diffuse
}

/**
 * Linear light that a pixel of a lit surface reflects, per channel: shade albedo + highlights, with albedo =
 * lin(artwork) alpha + lin(surface) (1 - alpha). `color` is premultiplied RGBA starting at byte `from`;
 * `pixel` is the index in the layers.
 */
function reflect(light: Light, color: Uint8Array, from: number, pixel: number, out: Float64Array): void {
  const alpha = color[from + 3] ?? 0
  const share = alpha / 255
  for (let c = 0; c < 3; c++) {
    let albedo = light.surface[c] ?? 0
    if (alpha === 255) albedo = readLinear(color[from + c] ?? 0, alpha)
    else if (alpha > 0) albedo = readLinear(color[from + c] ?? 0, alpha) * share + albedo * (1 - share)
    out[c] = sendBack(light, albedo, 3 * pixel + c)
  }
}

/** Linear light as an encoded byte: T(light). */
export function encodeLight({ byteFromLight }: ToneTables, light: number): number {
  return byteFromLight[Math.min(byteFromLight.length - 1, Math.floor(light * TONE_STEPS_PER_UNIT + 0.5))] ?? 0
}

/**
 * Lights a run of pixels in linear light: out = T(T^-1(scene) + mask (shade albedo + highlights)), mask =
 * coverage x opacity. `scene` (RGB) begins at byte `sceneByte`, `color` (premultiplied RGBA) at 0, coverage
 * and layers at pixel `regionPixel`.
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
  const { tone } = light
  const scale = opacity / 255
  const reflected = new Float64Array(3)
  for (let i = 0; i < length; i++) {
    const mask = (coverage[regionPixel + i] ?? 0) * scale
    if (mask === 0) continue
    reflect(light, color, i * 4, regionPixel + i, reflected)
    for (let c = 0; c < 3; c++) {
      const at = sceneByte + i * 3 + c
      const ground = tone.lightFromByte[scene[at] ?? 0] ?? 0
      scene[at] = encodeLight(tone, ground + mask * (reflected[c] ?? 0))
    }
  }
}
