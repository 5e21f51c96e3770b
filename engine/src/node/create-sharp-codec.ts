import type { ImageCodec } from '../codec.ts'
import type { PixelMemory } from '../decoding/reused-memory.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { createArtworkDecoder } from './decode-artwork.ts'
import { decodeLayer } from './decode-layer.ts'
import { encodePictureWith } from './encode-picture.ts'
import { sharp } from './hardened-sharp.ts'
import { createPictureEncoder } from './load-kernels.ts'

/**
 * The codec for Node: our own decoder reads JPEGs, libvips behind sharp, hardened, what it declines and all else; our own encoders write them. It remembers scenes
 * that mockups were drawn on, within a bound; one is enough for a process. Pixels of decoded artwork lie in `memory` where our own decoder serves: whoever gives one
 * gives them back when no mockup needs them any more.
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
