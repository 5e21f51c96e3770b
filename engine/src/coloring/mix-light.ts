import { linearOf, type RgbColor } from '../hex-color.ts'
import type { LightLayers } from '../lighting/light-chunk.ts'
import { encodeSrgb } from '../lighting/tones.ts'

/** Per channel: 0 for a colour as light as the area's default, 1 for one as dark as its dark colour. */
export type Darkness = readonly [red: number, green: number, blue: number]

/** Where the chosen colour's linear light lies between the two; `dark` is darker in each channel. */
export function findDarkness(from: RgbColor, dark: RgbColor, to: RgbColor): Darkness {
  const [greatest, least, chosen] = [linearOf(from), linearOf(dark), linearOf(to)]
  const share = (channel: 0 | 1 | 2): number =>
    Math.max(0, Math.min(1, (greatest[channel] - chosen[channel]) / (greatest[channel] - least[channel])))
  return [share(0), share(1), share(2)]
}

/** Linear light of two layers to that of their mix, strictly between them. */
type Mix = (light: number, dark: number, darkness: number) => number

/** The layers of light, each with its way of mixing. */
type Terms = { readonly [Term in keyof Omit<LightLayers, 'layerTable'>]: { readonly mix: Mix } }

/**
 * The light on an area whose colour is between its default (`light`) and its dark one (`dark`); both cover
 * the same region. At a darkness of 0 or 1 in all channels, it is one of the two.
 */
export function mixLight(light: LightLayers, dark: LightLayers, darkness: Darkness, terms: Terms): LightLayers {
  if (darkness.every(share => share === 0)) return light
  if (darkness.every(share => share === 1)) return dark
  const layerTable = brightest(light) >= brightest(dark) ? light.layerTable : dark.layerTable
  const mixed = (first: Uint8Array, second: Uint8Array, mix: Mix): Uint8Array => {
    const data = new Uint8Array(first.length)
    for (const [channel, share] of darkness.entries()) {
      const bytes = tabulate(light.layerTable, dark.layerTable, layerTable, mix, share)
      for (let i = channel; i < data.length; i += 3) data[i] = bytes[((first[i] ?? 0) << 8) | (second[i] ?? 0)] ?? 0
    }
    return data
  }
  const none = new Uint8Array(light.shade.length)
  // `Object.keys` does not preserve the names in its type.
  const names = Object.keys(terms) as (keyof Terms)[]
  const entries = names.map(term => {
    const [first, second] = [light[term], dark[term]]
    return [term, (first ?? second) && mixed(first ?? none, second ?? none, terms[term].mix)] as const
  })
  // Nor does `Object.fromEntries`.
  const layers = Object.fromEntries(entries) as Omit<LightLayers, 'layerTable'>
  return { layerTable, ...layers }
}

function brightest({ layerTable }: LightLayers): number {
  return layerTable[255] ?? 0
}

/** Fills `into` with the encoded byte of the mix for each pair of bytes; at either end, the light itself. */
function tabulate(light: Float64Array, dark: Float64Array, into: Float64Array, mix: Mix, darkness: number): Uint8Array {
  const scale = into[255] ?? 1
  const bytes = new Uint8Array(65_536)
  for (let first = 0, at = 0; first < 256; first++)
    for (let second = 0; second < 256; second++, at++) {
      const [one, other] = [light[first] ?? 0, dark[second] ?? 0]
      const mixed = darkness === 0 ? one : darkness === 1 ? other : mix(one, other, darkness)
      bytes[at] = Math.round(255 * encodeSrgb(mixed / scale))
    }
  return bytes
}
