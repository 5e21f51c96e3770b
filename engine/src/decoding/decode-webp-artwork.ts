import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { DeclinedError } from './declined.ts'
import { decodeReducedArtwork } from './decode-reduced-artwork.ts'
import type { WebpDecoder } from './webp/webp-decoder.ts'

/**
 * Decodes artwork reduced to what the target needs, per axis. Throws DeclinedError for frames smaller than
 * the canvas, profiles with tables, and any doubt. The pixels are in the decoder's `memory`.
 */
export function decodeWebpArtwork(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  decoder: WebpDecoder,
): DecodedArtwork {
  if (facts.type !== 'webp' || facts.frame !== null)
    throw new DeclinedError('unsupported', 'No WebP that fills its canvas.')
  return decodeReducedArtwork(facts, target, decoder)
}
