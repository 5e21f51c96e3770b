import sharp from 'sharp'
import { createSharpCodec } from '../../src/node/index.ts'
import type { Decode } from './measure-case.ts'

const codec = createSharpCodec()

/** Artwork as a WebP without loss through the codec that the service uses. What is clear loses its colour. */
export const decodeAsWebp: Decode = async (artwork, target) => {
  const raw = { width: artwork.widthPx, height: artwork.heightPx, channels: 4 } as const
  const webp = await sharp(artwork.data, { raw }).webp({ lossless: true, effort: 1 }).toBuffer()
  return codec.decodeArtwork(webp, target)
}
