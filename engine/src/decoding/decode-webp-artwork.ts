import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { DeclinedError } from './declined.ts'
import { decodeReducedArtwork } from './decode-reduced-artwork.ts'
import type { WebpDecoder } from './webp/webp-decoder.ts'

/**
 * Decodes artwork reduced to what the target needs, per axis. Throws DeclinedError for animations, other
 * colour spaces than sRGB, and any doubt. The pixels lie in the decoder's `memory`.
 */
export function decodeWebpArtwork(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  decoder: WebpDecoder,
): DecodedArtwork {
  if (facts.type !== 'webp' || facts.isAnimated) throw new DeclinedError('unsupported', 'No still WebP.')
  return decodeReducedArtwork(facts, target, decoder)
}
