import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { type ByteConversion, buildByteConversion } from '../artwork/convert-wide.ts'
import { DeclinedError } from './declined.ts'

/**
 * What makes sRGB of the pixels that our decoders give. Throws DeclinedError for profiles of tables, and
 * where 16-bit samples are to be converted before they are rounded.
 */
export function conversionOf({ profile, bitsPerChannel }: ArtworkFacts): ByteConversion {
  const isConverted = profile !== null && !profile.isSrgb
  const convert = isConverted && bitsPerChannel === 16 ? null : buildByteConversion(profile)
  if (convert === null) throw new DeclinedError('unsupported', 'Colours that a colour engine converts.')
  return convert
}
