import type { ImageCodec } from '../codec.ts'
import type { PixelMemory } from '../decoding/reused-memory.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { createArtworkDecoder } from './decode-artwork.ts'
import { decodeLayer } from './decode-layer.ts'
import { encodePictureWith } from './encode-picture.ts'
import { sharp } from './hardened-sharp.ts'
import { createPictureEncoder } from './load-kernels.ts'

/**
 * The codec for Node: JPEGs are read by our decoder, other files and what it declines by hardened sharp
 * (libvips); pictures are written by our encoders. It keeps prepared scenes within a bound: use one per
 * process. With `memory`, the caller gives the pixels that our decoder took from it back when no mockup needs
 * them.
 */
export function createSharpCodec(
  options: { readonly scenesBytes?: number; readonly memory?: PixelMemory } = {},
): ImageCodec {
  return {
    decodeArtwork: createArtworkDecoder(options.memory),
    decodeLayer,
    resize,
    encode: encodePictureWith(createPictureEncoder(options)),
  }
}

async function resize(scene: OpaquePixmap, widthPx: number, heightPx: number): Promise<OpaquePixmap> {
  if (widthPx === scene.widthPx && heightPx === scene.heightPx) return scene
  const { data, info } = await openPixmap(scene)
    .resize({ width: widthPx, height: heightPx, fit: 'fill', kernel: 'lanczos3' })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { alpha: 'opaque', widthPx: info.width, heightPx: info.height, data }
}

function openPixmap({ data, widthPx, heightPx }: OpaquePixmap): ReturnType<typeof sharp> {
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
}
