import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { type ByteConversion, buildByteConversion } from '../artwork/convert-wide.ts'
import { DeclinedError } from './declined.ts'

/**
 * The conversion of our decoders' pixels to sRGB. Throws DeclinedError for profiles with tables, and if
 * 16-bit samples must be converted before they are rounded.
 */
export function conversionOf({ profile, bitsPerChannel }: ArtworkFacts): ByteConversion {
  const isConverted = profile !== null && !profile.isSrgb
  const convert = isConverted && bitsPerChannel === 16 ? null : buildByteConversion(profile)
  if (convert === null) throw new DeclinedError('unsupported', 'Colours that a colour engine converts.')
  return convert
}
