import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { DeclinedError } from './declined.ts'
import { decodeReducedArtwork } from './decode-reduced-artwork.ts'
import type { PngDecoder } from './png/png-decoder.ts'

/**
 * Decodes artwork reduced to what the target needs, per axis. Throws DeclinedError for anything but valid
 * PNGs. The pixels are in the decoder's `memory`.
 */
export function decodePngArtwork(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  decoder: PngDecoder,
): DecodedArtwork {
  if (facts.type !== 'png') throw new DeclinedError('unsupported', 'No PNG.')
  return decodeReducedArtwork(facts, target, decoder)
}
