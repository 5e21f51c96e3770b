import sharp from 'sharp'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import { decodeWithSharp } from '../../src/node/decode-artwork.ts'
import { createSharpCodec } from '../../src/node/index.ts'
import type { StraightPixmap } from '../../src/pixmap.ts'
import type { Decode } from './measure-case.ts'

const codec = createSharpCodec()

/** Artwork as a WebP without loss through the codec that the service uses. What is clear loses its colour. */
export const decodeAsWebp: Decode = async (artwork, target) => {
  const raw = { width: artwork.widthPx, height: artwork.heightPx, channels: 4 } as const
  const webp = await sharp(artwork.data, { raw }).webp({ lossless: true, effort: 1 }).toBuffer()
  return codec.decodeArtwork(webp, target)
}

/** Artwork as a lossy WebP through our own decoder. Its chroma has half the samples. */
export const decodeAsLossyWebp: Decode = async (artwork, target) => {
  const decoded = await codec.decodeArtwork(await encodeLossy(artwork), target)
  if (decoded.decodedBy !== 'vitrine') throw new Error('Our decoder declined the artwork.')
  return decoded
}

/** The same file through libwebp. */
export const decodeLossyByLibwebp: Decode = async (artwork, target) =>
  decodeWithSharp(inspectArtwork(await encodeLossy(artwork)), target)

async function encodeLossy({ data, widthPx, heightPx }: StraightPixmap): Promise<Buffer> {
  const picture = sharp(data, { raw: { width: widthPx, height: heightPx, channels: 4 } })
  return picture.removeAlpha().webp({ quality: 100, smartSubsample: true }).toBuffer()
}
