import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { swapsSides } from '../artwork/exif-orientation.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { Declined } from './jpeg/declined.ts'
import type { JpegDecoder } from './jpeg/jpeg-decoder.ts'
import { turnPixels } from './turn-pixels.ts'

/**
 * Artwork by our own decoder, at the least N/8 of the size, per axis, that is no less than the target. Throws Declined for everything
 * that another decoder must read: no JPEG, another colour space than sRGB, damage of any kind.
 */
export function decodeJpegArtwork(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  decoder: JpegDecoder,
): DecodedArtwork {
  assertOurs(facts)
  const { storedWidthPx, storedHeightPx, orientation } = facts
  const isTurned = swapsSides(orientation)
  const wraps = target?.wrapsX ?? false
  const minWidthPx = (isTurned ? target?.minHeightPx : target?.minWidthPx) ?? storedWidthPx
  const minHeightPx = (isTurned ? target?.minWidthPx : target?.minHeightPx) ?? storedHeightPx
  const eighthsX = chooseEighths(storedWidthPx, minWidthPx, wraps && !isTurned)
  const eighthsY = chooseEighths(storedHeightPx, minHeightPx, wraps && isTurned)
  const { widthPx, heightPx, data } = decoder.decode(facts.bytesToDecode, eighthsX, eighthsY)
  const extent = { left: 0, top: 0, width: (storedWidthPx * eighthsX) / 8, height: (storedHeightPx * eighthsY) / 8 }
  if (widthPx !== Math.ceil(extent.width) || heightPx !== Math.ceil(extent.height))
    throw new Declined('doubtful', 'Expected the size that the headers were inspected for.')
  return {
    alpha: 'straight',
    ...turnPixels({ widthPx, heightPx, data, extent }, orientation),
    decodedBy: 'vitrine',
    sourceWidthPx: facts.widthPx,
    sourceHeightPx: facts.heightPx,
    isOpaque: true,
  }
}

/**
 * The size that our decoder gives an artwork of that (oriented) size for a target, as a word: targets with the same word get the same pixels from it,
 * so that a picture decoded for one template serves another.
 */
export function nameDecodedSize(sourceWidthPx: number, sourceHeightPx: number, target: DecodeTarget | null): string {
  const eighthsX = chooseEighths(sourceWidthPx, target?.minWidthPx ?? sourceWidthPx, target?.wrapsX ?? false)
  return `${eighthsX} ${chooseEighths(sourceHeightPx, target?.minHeightPx ?? sourceHeightPx, false)}`
}

function assertOurs({ type, colorModel, profile }: ArtworkFacts): void {
  if (type !== 'jpeg' || colorModel === 'cmyk') throw new Declined('unsupported', 'No JPEG in grey or YCC.')
  if (profile !== null && !profile.isSrgb) throw new Declined('unsupported', 'Another colour space than sRGB.')
}

/**
 * One eighth is the mean of each block: it lets through so much aliasing that hard-edged artwork loses 2 dB, unless it has this many times the
 * target's pixels. Two eighths cost a tenth more time.
 */
const LEAST_EXCESS_OF_ONE_EIGHTH = 1.25

/**
 * The fewest eighths of a side that are no less than `minPx`; all of them where that is more than the side has. What one eighth has too many,
 * the sampler's halved levels take away as well as another reduction here would (docs/decisions/decoding.md).
 */
function chooseEighths(sidePx: number, minPx: number, mustBeWhole: boolean): number {
  for (let eighths = 1; eighths < 8; eighths++) {
    const isWhole = (sidePx * eighths) % 8 === 0
    const wantedPx = eighths === 1 ? minPx * LEAST_EXCESS_OF_ONE_EIGHTH : minPx
    if (sidePx * eighths >= wantedPx * 8 && (isWhole || !mustBeWhole)) return eighths
  }
  return 8
}
