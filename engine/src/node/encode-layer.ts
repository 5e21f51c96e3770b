import type { ReducedLayer } from '../template/reduce-template.ts'
import { sharp } from './hardened-sharp.ts'

/** For colours: with a lower quality, artefacts would show where a lit frame multiplies them. */
const WEBP_QUALITY = 90

/** A layer as a file of a bundle: colours as WebP, coverage and coordinates losslessly as PNG. */
export function encodeLayer(layer: ReducedLayer): Promise<Uint8Array> {
  const { widthPx: width, heightPx: height } = layer
  switch (layer.alpha) {
    case 'opaque': {
      const picture = sharp(layer.data, { raw: { width, height, channels: 3 } })
      return picture.webp({ quality: WEBP_QUALITY, smartSubsample: true }).toBuffer()
    }
    case 'straight':
      return sharp(layer.data, { raw: { width, height, channels: 4 } })
        .png()
        .toBuffer()
    case 'coverage': {
      const grey = sharp(layer.data, { raw: { width, height, channels: 1 } })
      return grey.toColourspace('b-w').png().toBuffer()
    }
    case 'wide':
      return sharp(layer.data, { raw: { width, height, channels: 3 } })
        .toColourspace('rgb16')
        .png()
        .toBuffer()
    case 'uv':
  }
  const channels = layer.hasCoverage ? 4 : 3
  const map = sharp(withBlue(layer.data, channels), { raw: { width, height, channels } })
  return map.toColourspace('rgb16').png().toBuffer()
}

/** Red is u, green is v, blue is unused, alpha, if any, is the coverage. */
export function withBlue(data: Uint16Array, channels: 3 | 4): Uint16Array {
  const stored = new Uint16Array((data.length / 3) * channels)
  for (let from = 0, to = 0; from < data.length; from += 3, to += channels) {
    stored[to] = data[from] ?? 0
    stored[to + 1] = data[from + 1] ?? 0
    if (channels === 4) stored[to + 3] = data[from + 2] ?? 0
  }
  return stored
}
