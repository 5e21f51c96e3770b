/** The engine's codec for browsers: their decoders and canvas, and our own filters. */
import { ArtworkError } from '../artwork/artwork-error.ts'
import { inspectArtwork } from '../artwork/inspect-artwork.ts'
import type { ImageCodec, LayerKind, LayerPixmaps } from '../codec.ts'
import { damaged } from '../decoding/declined.ts'
import type { PictureOutput } from '../encoding/format-encoders.ts'
import type { CoveragePixmap, OpaquePixmap, StraightPixmap, UvPixmap, WidePixmap } from '../pixmap.ts'
import { ArtworkInBrowser, type BrowserDecoders } from './decode-in-browser.ts'
import { decodePng16 } from './decode-png16.ts'
import { pick, type Rgba } from './finish-artwork.ts'
import { resizeSamples } from './lanczos.ts'
import { rgbaOf } from './rgba-of.ts'

/** Straight alpha. Not turned: inspected files contain no orientation. */
async function decodeRgba(bytes: Uint8Array, as: 'shown' | 'stored' = 'stored'): Promise<Rgba> {
  const { buffer } = bytes
  // A blob cannot be made of shared memory; other bytes are not copied again.
  const part = buffer instanceof ArrayBuffer ? new Uint8Array(buffer, bytes.byteOffset, bytes.length) : bytes.slice()
  const bitmap = await createImageBitmap(new Blob([part]), {
    imageOrientation: 'from-image',
    premultiplyAlpha: 'none',
    colorSpaceConversion: as === 'shown' ? 'default' : 'none',
  }).catch((cause: unknown) => {
    throw damaged(cause)
  })
  try {
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d', { willReadFrequently: true, colorSpace: 'srgb' })
    if (context === null) throw new Error('This browser gives no access to the pixels of a picture.')
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    return { widthPx: bitmap.width, heightPx: bitmap.height, data: new Uint8Array(data.buffer) }
  } finally {
    bitmap.close()
  }
}

const decodeRgb = async (bytes: Uint8Array): Promise<OpaquePixmap> => {
  const rgba = await decodeRgba(bytes)
  return { alpha: 'opaque', widthPx: rgba.widthPx, heightPx: rgba.heightPx, data: pick(rgba, 3) }
}
const decodeStraight = async (bytes: Uint8Array): Promise<StraightPixmap> => ({
  alpha: 'straight',
  ...(await decodeRgba(bytes)),
})
const decodeCoverage = async (bytes: Uint8Array): Promise<CoveragePixmap> => {
  const rgba = await decodeRgba(bytes)
  return { alpha: 'coverage', widthPx: rgba.widthPx, heightPx: rgba.heightPx, data: pick(rgba, 1) }
}
const decodeUv = async (bytes: Uint8Array): Promise<UvPixmap> => {
  const { widthPx, heightPx, channels, data } = decodePng16(bytes)
  const uv = new Uint16Array(widthPx * heightPx * 3)
  const hasCoverage = channels === 4 || channels === 2
  for (let i = 0; i < widthPx * heightPx; i++) {
    uv[i * 3] = data[i * channels] ?? 0
    uv[i * 3 + 1] = data[i * channels + 1] ?? 0
    uv[i * 3 + 2] = hasCoverage ? (data[i * channels + channels - 1] ?? 0) : 65535
  }
  return { alpha: 'uv', widthPx, heightPx, hasCoverage, data: uv }
}

const decodeWide = async (bytes: Uint8Array): Promise<WidePixmap> => {
  if (inspectArtwork(bytes).bitsPerChannel === 8) {
    const { widthPx, heightPx, data } = await decodeRgb(bytes)
    return { alpha: 'wide', widthPx, heightPx, data: Uint16Array.from(data, byte => byte * 257) }
  }
  const { widthPx, heightPx, channels, data } = decodePng16(bytes)
  if (channels === 3) return { alpha: 'wide', widthPx, heightPx, data }
  throw new ArtworkError('unsupported_type', `Expected an RGB PNG but received one of ${channels} channels.`)
}

const layerDecoders: { readonly [K in LayerKind]: (bytes: Uint8Array) => Promise<LayerPixmaps[K]> } = {
  rgb: decodeRgb,
  rgba: decodeStraight,
  coverage: decodeCoverage,
  uv: decodeUv,
  rgb16: decodeWide,
}

async function resize(scene: OpaquePixmap, widthPx: number, heightPx: number): Promise<OpaquePixmap> {
  return {
    alpha: 'opaque',
    widthPx,
    heightPx,
    data: resizeSamples({ ...scene, channels: 3 }, widthPx, heightPx, null),
  }
}

async function encode(picture: OpaquePixmap, output: PictureOutput): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(picture.widthPx, picture.heightPx)
  canvas.getContext('2d')?.putImageData(imageDataOf(picture), 0, 0)
  const blob = await canvas.convertToBlob({
    type: `image/${output.format}`,
    ...('quality' in output && { quality: output.quality / 100 }),
  })
  return new Uint8Array(await blob.arrayBuffer())
}

/** A finished picture as image data for a canvas. `memory`: may be overwritten and reused by the result. */
export function imageDataOf({ widthPx, heightPx, data }: OpaquePixmap, memory: ArrayBuffer | null = null): ImageData {
  return new ImageData(rgbaOf(data, memory), widthPx, heightPx)
}

/** A codec of these decoders and, for layers and whatever they decline, the browser's. */
export function createBrowserCodec(decoders: BrowserDecoders): ImageCodec {
  const artwork = new ArtworkInBrowser(decoders, decodeRgba)
  return {
    decodeArtwork: async (bytes, target) => artwork.decode(inspectArtwork(bytes), target),
    decodeLayer: (bytes, kind) => layerDecoders[kind](bytes),
    resize,
    encode,
  }
}
