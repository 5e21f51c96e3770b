import type { ImageCodec } from '../codec.ts'
import type { PixelMemory } from '../decoding/reused-memory.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { createArtworkDecoder } from './decode-artwork.ts'
import { decodeLayer } from './decode-layer.ts'
import { encodePictureWith } from './encode-picture.ts'
import { sharp } from './hardened-sharp.ts'
import { createPictureEncoder } from './load-kernels.ts'

/**
 * The codec for Node: our decoder reads JPEGs, libvips by sharp what it declines and all else; our encoders
 * write. It remembers scenes within a bound: one per process is enough. Our decoder's pixels lie in `memory`,
 * to be given back by the caller.
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
