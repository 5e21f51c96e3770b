import { lightTermNames } from '../template/light-terms.ts'
import { buildPack, goalBytes, packBytesMax } from '../template/preview-pack.ts'
import type { ReducedBundle, ReducedLayer } from '../template/reduce-template.ts'
import { encodeLayer, withBlue } from './encode-layer.ts'
import { sharp } from './hardened-sharp.ts'

/** WebP qualities of colours; the first that gives a pack of the wanted size is used. */
const qualities = [90, 82, 70, 50] as const

/** Shade and highlights are smooth, so they need less quality than the scene. */
const LIGHT_QUALITY_DROP = 2

/**
 * A reduced bundle as a preview pack: colours as WebP, coverage as lossless WebP, coordinates as PNG. Null if
 * it is too large even at the lowest quality.
 */
export async function encodePack(
  { description, layers }: ReducedBundle,
  widthPx: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const exact = new Map<string, Uint8Array>()
  for (const [name, layer] of layers) {
    const bytes = await encodeExact(layer)
    if (bytes !== null) exact.set(name, bytes)
  }
  for (const quality of qualities) {
    const files = new Map<string, Uint8Array>()
    for (const [name, layer] of layers) files.set(name, exact.get(name) ?? (await encodeColors(name, layer, quality)))
    const pack = buildPack(description, files)
    if (pack.byteLength <= goalBytes(widthPx)) return pack
    if (quality === qualities.at(-1) && pack.byteLength <= packBytesMax(widthPx)) return pack
  }
  return null
}

/** Null for colours, which may be lossy. File names keep their extensions: readers go by the bytes. */
async function encodeExact(layer: ReducedLayer): Promise<Uint8Array | null> {
  const { widthPx: width, heightPx: height } = layer
  if (layer.alpha === 'coverage') {
    const grey = sharp(layer.data, { raw: { width, height, channels: 1 } })
    return grey.toColourspace('srgb').webp({ lossless: true }).toBuffer()
  }
  if (layer.alpha === 'wide') return encodeLayer(layer)
  if (layer.alpha !== 'uv') return null
  const channels = layer.hasCoverage ? 4 : 3
  const map = sharp(withBlue(layer.data, channels), { raw: { width, height, channels } })
  return map.toColourspace('rgb16').png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer()
}

function encodeColors(name: string, layer: ReducedLayer, quality: number): Promise<Uint8Array> {
  const { widthPx: width, heightPx: height } = layer
  const channels = layer.alpha === 'straight' ? 4 : 3
  const picture = sharp(layer.data, { raw: { width, height, channels } })
  const isLight = lightTermNames.some(term => name.includes(`-${term}.`))
  return picture.webp({ quality: isLight ? quality - LIGHT_QUALITY_DROP : quality, smartSubsample: true }).toBuffer()
}
