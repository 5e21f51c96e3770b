import type { ArtworkFacts, JpegData } from '../artwork/artwork-facts.ts'
import { swapsSides } from '../artwork/exif-orientation.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { conversionOf } from './conversion-of.ts'
import { DeclinedError } from './declined.ts'
import type { JpegDecoder } from './jpeg/jpeg-decoder.ts'
import { findPart } from './shown-part.ts'
import { turnBack, turnPixels } from './turn-pixels.ts'

/**
 * Decodes artwork at the fewest N/8 of its size, per axis, that suffice. Throws DeclinedError unless it is a
 * valid JPEG in grey or YCC without table profiles. The pixels are in the decoder's `memory`.
 */
export function decodeJpegArtwork(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  decoder: JpegDecoder,
): DecodedArtwork {
  const { bytes, scanEnds } = assertOurs(facts)
  const convert = conversionOf(facts)
  const { storedWidthPx, storedHeightPx, orientation } = facts
  const isTurned = swapsSides(orientation)
  const wrapsAcross = (isTurned ? target?.wrapsY : target?.wrapsX) ?? false
  const wrapsDown = (isTurned ? target?.wrapsX : target?.wrapsY) ?? false
  const minWidthPx = (isTurned ? target?.minHeightPx : target?.minWidthPx) ?? storedWidthPx
  const minHeightPx = (isTurned ? target?.minWidthPx : target?.minHeightPx) ?? storedHeightPx
  const eighthsX = chooseEighths(storedWidthPx, minWidthPx, wrapsAcross)
  const eighthsY = chooseEighths(storedHeightPx, minHeightPx, wrapsDown)
  const width = (storedWidthPx * eighthsX) / 8
  const height = (storedHeightPx * eighthsY) / 8
  const wanted = target?.shown ? findPart(turnBack(target.shown, orientation), width, height) : null
  const decoded = decoder.decode(bytes, eighthsX, eighthsY, wanted, scanEnds)
  if (decoded.wholeWidthPx !== Math.ceil(width) || decoded.wholeHeightPx !== Math.ceil(height)) {
    decoder.memory.giveBack(decoded.data)
    throw new DeclinedError('doubtful', 'Expected the size that the headers were inspected for.')
  }
  const { widthPx, heightPx, data, part } = decoded
  convert(data)
  const extent = { left: 0 - part.left, top: 0 - part.top, width, height }
  return {
    alpha: 'straight',
    ...turnPixels({ widthPx, heightPx, data, extent }, orientation, decoder.memory),
    decodedBy: 'vitrine',
    sourceWidthPx: facts.widthPx,
    sourceHeightPx: facts.heightPx,
    isOpaque: true,
    sizes: 'eighths',
  }
}

/** Whether `decodeJpegArtwork` gives (oriented) artwork this size for the target. */
export function isJpegSize(
  { extent, sourceWidthPx, sourceHeightPx }: DecodedArtwork,
  target: DecodeTarget | null,
): boolean {
  const eighthsX = chooseEighths(sourceWidthPx, target?.minWidthPx ?? sourceWidthPx, target?.wrapsX ?? false)
  const eighthsY = chooseEighths(sourceHeightPx, target?.minHeightPx ?? sourceHeightPx, target?.wrapsY ?? false)
  return (
    Math.round((8 * extent.width) / sourceWidthPx) === eighthsX &&
    Math.round((8 * extent.height) / sourceHeightPx) === eighthsY
  )
}

function assertOurs({ jpeg, colorModel }: ArtworkFacts): JpegData {
  if (jpeg === undefined || colorModel === 'cmyk') throw new DeclinedError('unsupported', 'No JPEG in grey or YCC.')
  return jpeg
}

/** One eighth averages whole blocks and aliases, so it needs more pixels (docs/decisions/decoding.md). */
const LEAST_EXCESS_OF_ONE_EIGHTH = 1.25

/** Sufficient from 4 eighths on: 1.5 times the frame's density, where targets have 1.6. */
const LEAST_SHARE_OF_TARGET = 1.5 / 1.6
const LEAST_EIGHTHS_BELOW_TARGET = 4

/** The fewest eighths of a side that are sufficient for `minPx`; 8 if none are. */
function chooseEighths(sidePx: number, minPx: number, mustBeWhole: boolean): number {
  for (let eighths = 1; eighths < 8; eighths++) {
    const isWhole = (sidePx * eighths) % 8 === 0
    const aboveHalf = eighths >= LEAST_EIGHTHS_BELOW_TARGET ? LEAST_SHARE_OF_TARGET : 1
    const share = eighths === 1 ? LEAST_EXCESS_OF_ONE_EIGHTH : aboveHalf
    const isEnough = sidePx * eighths >= minPx * share * 8
    if (isEnough && (isWhole || !mustBeWhole)) return eighths
  }
  return 8
}
