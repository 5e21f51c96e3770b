import type { ImageCodec, OpaquePixmap } from '@vitrine/engine'

/** Tried in order, until the pictures fit. */
const widthsPx = [768, 640, 512, 384, 256, 192, 128, 64] as const
const QUALITY = 70

/** Scales a picture down to at most a preview's width. */
export function shrinkToPreview(picture: OpaquePixmap, codec: ImageCodec): Promise<OpaquePixmap> {
  return shrink(picture, widthsPx[0], codec)
}

/** JPEGs of the greatest width at which they fit together; null if they fit at none. */
export async function encodePreviews(
  pictures: readonly OpaquePixmap[],
  bytesMax: number,
  codec: ImageCodec,
): Promise<readonly Uint8Array[] | null> {
  for (const widthPx of widthsPx) {
    const previews: Uint8Array[] = []
    for (const picture of pictures)
      previews.push(await codec.encode(await shrink(picture, widthPx, codec), { format: 'jpeg', quality: QUALITY }))
    if (previews.reduce((sum, { length }) => sum + length, 0) <= bytesMax) return previews
  }
  return null
}

function shrink(picture: OpaquePixmap, toWidthPx: number, codec: ImageCodec): Promise<OpaquePixmap> {
  const scale = Math.min(1, toWidthPx / picture.widthPx)
  const heightPx = Math.max(1, Math.round(picture.heightPx * scale))
  return codec.resize(picture, Math.max(1, Math.round(picture.widthPx * scale)), heightPx)
}
