import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { DeclinedError } from './declined.ts'
import { decodeReducedArtwork } from './decode-reduced-artwork.ts'
import type { WebpDecoder } from './webp/webp-decoder.ts'

/**
 * Decodes artwork reduced to what the target needs, per axis. Throws DeclinedError for all but sound lossy
 * WebPs in sRGB without alpha and animation. The pixels lie in the decoder's `memory`.
 */
export function decodeWebpArtwork(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  decoder: WebpDecoder,
): DecodedArtwork {
  if (facts.type !== 'webp' || facts.hasAlpha || facts.isAnimated || facts.isLosslessWebp === true)
    throw new DeclinedError('unsupported', 'No still, opaque, lossy WebP.')
  return decodeReducedArtwork(facts, target, decoder)
}
