import type { Sharp } from 'sharp'
import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { MAX_PIXELS } from '../artwork/limits.ts'
import { sharp } from './hardened-sharp.ts'

/** The inspected picture for sharp: first frame, not turned, with every decoder warning an error. */
export function openPicture(facts: ArtworkFacts, options: { readonly ignoreIcc?: boolean } = {}): Sharp {
  return sharp(facts.bytesToDecode, {
    failOn: 'warning',
    limitInputPixels: MAX_PIXELS,
    pages: 1,
    autoOrient: false,
    sequentialRead: true,
    ignoreIcc: options.ignoreIcc ?? facts.profile === null,
  })
}
