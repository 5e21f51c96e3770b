import sharp from 'sharp'
import { createSharpCodec } from '../../src/node/index.ts'
import type { Decode } from './measure-case.ts'

const codec = createSharpCodec()

/**
 * Artwork as a JPEG through the codec that the service uses: our own decoder, at N/8. Its loss is far below
 * what is measured.
 */
export const decodeAsJpeg: Decode = async (artwork, target) => {
  const raw = { width: artwork.widthPx, height: artwork.heightPx, channels: 4 } as const
  const jpeg = await sharp(artwork.data, { raw }).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer()
  const decoded = await codec.decodeArtwork(jpeg, target)
  if (decoded.decodedBy !== 'vitrine') throw new Error('Our decoder declined the artwork.')
  return decoded
}
