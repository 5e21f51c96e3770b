import type { ImageCodec } from '../codec.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { PixelMemory } from '../reused-memory.ts'
import { createArtworkDecoder } from './decode-artwork.ts'
import { decodeLayer } from './decode-layer.ts'
import { encodePictureWith } from './encode-picture.ts'
import { sharp } from './hardened-sharp.ts'
import { createPictureEncoder } from './load-kernels.ts'

/**
 * The codec for Node: JPEGs and PNGs by our decoders, the rest and what they decline by hardened sharp
 * (libvips); output by our encoders. It keeps prepared scenes: one per process. The caller gives pixels back
 * to `memory`.
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
  const { data, info } = await sharp(scene.data, { raw: { width: scene.widthPx, height: scene.heightPx, channels: 3 } })
    .resize({ width: widthPx, height: heightPx, fit: 'fill', kernel: 'lanczos3' })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { alpha: 'opaque', widthPx: info.width, heightPx: info.height, data }
}
