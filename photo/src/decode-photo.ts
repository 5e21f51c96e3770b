import type { ImageCodec } from '@vitrine/engine'
import { MAX_PHOTO_SIDE_PX } from './limits.ts'
import type { PhotoPixels } from './photo-pixels.ts'

/** The photo upright, in sRGB, on white where it is transparent, reduced to the limits of templates. */
export async function decodePhoto(
  bytes: Uint8Array,
  codec: Pick<ImageCodec, 'decodeArtwork' | 'resize'>,
): Promise<PhotoPixels> {
  const { widthPx, heightPx, data } = await codec.decodeArtwork(bytes, null)
  const rgb = new Uint8Array(widthPx * heightPx * 3)
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    const alpha = data[from + 3] ?? 255
    for (let c = 0; c < 3; c++) rgb[to + c] = Math.round(((data[from + c] ?? 0) * alpha + 255 * (255 - alpha)) / 255)
  }
  const scale = MAX_PHOTO_SIDE_PX / Math.max(widthPx, heightPx)
  const whole = { alpha: 'opaque', widthPx, heightPx, data: rgb } as const
  return scale >= 1 ? whole : codec.resize(whole, Math.round(widthPx * scale), Math.round(heightPx * scale))
}
