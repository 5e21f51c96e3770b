import type { DecodedArtwork, DecodedSizes, DecodeTarget } from '../codec.ts'
import { isJpegSize } from './decode-jpeg-artwork.ts'
import { isReducedSize } from './decode-reduced-artwork.ts'

const isSizeOf = {
  eighths: isJpegSize,
  pixels: isReducedSize,
} satisfies Record<DecodedSizes, (artwork: DecodedArtwork, target: DecodeTarget | null) => boolean>

/** Whether decoding this artwork for that target would give the same pixels, where both have any. */
export function isDecodedSize(artwork: DecodedArtwork, target: DecodeTarget | null): boolean {
  return artwork.sizes !== undefined && isSizeOf[artwork.sizes](artwork, target)
}
