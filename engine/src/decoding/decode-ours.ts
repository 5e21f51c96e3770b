import type { ArtworkFacts, ArtworkType } from '../artwork/artwork-facts.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { DeclinedError } from './declined.ts'
import { decodeJpegArtwork } from './decode-jpeg-artwork.ts'
import { decodePngArtwork } from './decode-png-artwork.ts'
import { decodeWebpArtwork } from './decode-webp-artwork.ts'
import type { JpegDecoder } from './jpeg/jpeg-decoder.ts'
import type { PngDecoder } from './png/png-decoder.ts'
import type { WebpDecoder } from './webp/webp-decoder.ts'

/** Our decoders; null if WebAssembly did not load. Each retains its memory. */
export type OurDecoders = {
  readonly jpeg: JpegDecoder | null
  readonly png: PngDecoder | null
  readonly webp: WebpDecoder | null
}

type Decode = (facts: ArtworkFacts, target: DecodeTarget | null, decoders: OurDecoders) => DecodedArtwork | null

const decodes = {
  jpeg: (facts, target, { jpeg }) => jpeg && decodeJpegArtwork(facts, target, jpeg),
  png: (facts, target, { png }) => png && decodePngArtwork(facts, target, png),
  webp: (facts, target, { webp }) => webp && decodeWebpArtwork(facts, target, webp),
  gif: () => null,
} satisfies Record<ArtworkType, Decode>

/** Decodes artwork by our decoder of its type, or returns why it declines. */
export function decodeOurs(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  decoders: OurDecoders,
): DecodedArtwork | DeclinedError {
  try {
    const decode: Decode = decodes[facts.type]
    return decode(facts, target, decoders) ?? new DeclinedError('unsupported', 'No decoder of ours is there.')
  } catch (error) {
    if (!(error instanceof DeclinedError)) throw error
    return error
  }
}
