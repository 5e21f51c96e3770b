import type { ImageCodec } from '../codec.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import type { PixelMemory } from '../reused-memory.ts'
import { createArtworkDecoder } from './decode-artwork.ts'
import { decodeLayer } from './decode-layer.ts'
import { encodePictureWith } from './encode-picture.ts'
import { sharp } from './hardened-sharp.ts'
import { createPictureEncoder } from './load-kernels.ts'

/**
 * The codec for Node: our decoders for JPEG, PNG and WebP, hardened sharp (libvips) for the rest, and our
 * encoders. It caches prepared scenes: one per process. The caller returns pixels to `memory`.
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
