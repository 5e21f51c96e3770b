import sharp from 'sharp'
import { createSharpCodec } from '../../src/node/index.ts'
import type { Decode } from './measure-case.ts'

/** Artwork through the codec that the service uses: written as PNG, read and reduced by it. */
export const decodeWithSharp: Decode = async (artwork, target) => {
  const raw = { width: artwork.widthPx, height: artwork.heightPx, channels: 4 } as const
  const png = await sharp(artwork.data, { raw }).png({ compressionLevel: 1 }).toBuffer()
  return createSharpCodec().decodeArtwork(png, target)
}
