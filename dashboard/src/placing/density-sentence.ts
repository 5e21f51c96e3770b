import type { ShownArtwork } from '@vitrine/contract'
import { formatCount, formatFrame } from '../format.ts'

/** Enlargement below this factor is not visible. */
const LEAST_ENLARGEMENT = 1.05

/** Describes the most enlarged artwork, with the size that would suffice; null if none is enlarged. */
export function densitySentence(artworks: readonly ShownArtwork[]): string | null {
  const worst = artworks.toSorted((a, b) => a.density - b.density)[0]
  if (worst === undefined || worst.density * LEAST_ENLARGEMENT > 1) return null
  const [widthPx, heightPx] = [worst.width, worst.height].map(side => formatCount(Math.ceil(side / worst.density)))
  const name = artworks.length > 1 ? `The artwork of ${formatFrame(worst.frame)}` : 'This artwork'
  const times = (1 / worst.density).toFixed(1)
  return `${name} is enlarged ${times} times: it will look soft. Send at least ${widthPx} x ${heightPx} px.`
}
