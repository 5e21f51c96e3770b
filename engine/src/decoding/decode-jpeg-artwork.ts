import type { ArtworkFacts, JpegData } from '../artwork/artwork-facts.ts'
import { swapsSides } from '../artwork/exif-orientation.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import { type ArtworkPart, ROUNDING_PX } from '../geometry/artwork-placement.ts'
import { DeclinedError } from './jpeg/declined.ts'
import type { JpegDecoder } from './jpeg/jpeg-decoder.ts'
import type { Part } from './jpeg/jpeg-layout.ts'
import { turnBack, turnPixels } from './turn-pixels.ts'

/**
 * Decodes artwork at the fewest N/8 of the size, per axis, that are enough. Throws DeclinedError for all but
 * sound JPEGs in grey or sRGB YCC. The pixels lie in the decoder's `memory`.
 */
export function decodeJpegArtwork(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  decoder: JpegDecoder,
): DecodedArtwork {
  const { bytes, scanEnds } = assertOurs(facts)
  const { storedWidthPx, storedHeightPx, orientation } = facts
  const isTurned = swapsSides(orientation)
  const wraps = target?.wrapsX ?? false
  const minWidthPx = (isTurned ? target?.minHeightPx : target?.minWidthPx) ?? storedWidthPx
  const minHeightPx = (isTurned ? target?.minWidthPx : target?.minHeightPx) ?? storedHeightPx
  const eighthsX = chooseEighths(storedWidthPx, minWidthPx, wraps && !isTurned)
  const eighthsY = chooseEighths(storedHeightPx, minHeightPx, wraps && isTurned)
  const width = (storedWidthPx * eighthsX) / 8
  const height = (storedHeightPx * eighthsY) / 8
  const wanted = target?.shown ? findPart(turnBack(target.shown, orientation), width, height) : null
  const decoded = decoder.decode(bytes, eighthsX, eighthsY, wanted, scanEnds)
  if (decoded.wholeWidthPx !== Math.ceil(width) || decoded.wholeHeightPx !== Math.ceil(height)) {
    decoder.memory.giveBack(decoded.data)
    throw new DeclinedError('doubtful', 'Expected the size that the headers were inspected for.')
  }
  const { widthPx, heightPx, data, part } = decoded
  const extent = { left: 0 - part.left, top: 0 - part.top, width, height }
  return {
    alpha: 'straight',
    ...turnPixels({ widthPx, heightPx, data, extent }, orientation, decoder.memory),
    decodedBy: 'vitrine',
    sourceWidthPx: facts.widthPx,
    sourceHeightPx: facts.heightPx,
    isOpaque: true,
  }
}

/** Key of the size that `decodeJpegArtwork` gives (oriented) artwork: equal keys, equal pixels. */
export function nameDecodedSize(sourceWidthPx: number, sourceHeightPx: number, target: DecodeTarget | null): string {
  const eighthsX = chooseEighths(sourceWidthPx, target?.minWidthPx ?? sourceWidthPx, target?.wrapsX ?? false)
  return `${eighthsX} ${chooseEighths(sourceHeightPx, target?.minHeightPx ?? sourceHeightPx, false)}`
}

/** True where these pixels hold all of that part of the source (null: everything). */
export function coversPart({ widthPx, heightPx, extent }: DecodedArtwork, shown: ArtworkPart | null): boolean {
  const { left, top, width, height } = shown ?? { left: 0, top: 0, width: 1, height: 1 }
  const x = extent.left + left * extent.width
  const y = extent.top + top * extent.height
  return (
    Math.min(x, y) >= -ROUNDING_PX &&
    x + width * extent.width <= widthPx + ROUNDING_PX &&
    y + height * extent.height <= heightPx + ROUNDING_PX
  )
}

/** The pixels that hold a part of a picture of `width` x `height` pixels. */
export function findPart(shown: ArtworkPart, width: number, height: number): Part {
  return {
    left: Math.max(0, Math.floor(shown.left * width - ROUNDING_PX)),
    top: Math.max(0, Math.floor(shown.top * height - ROUNDING_PX)),
    right: Math.min(Math.ceil(width), Math.ceil((shown.left + shown.width) * width + ROUNDING_PX)),
    bottom: Math.min(Math.ceil(height), Math.ceil((shown.top + shown.height) * height + ROUNDING_PX)),
  }
}

function assertOurs({ jpeg, colorModel, profile }: ArtworkFacts): JpegData {
  if (jpeg === undefined || colorModel === 'cmyk') throw new DeclinedError('unsupported', 'No JPEG in grey or YCC.')
  if (profile !== null && !profile.isSrgb) throw new DeclinedError('unsupported', 'Another colour space than sRGB.')
  return jpeg
}

/** One eighth averages whole blocks and aliases, so it needs more pixels (docs/decisions/decoding.md). */
const LEAST_EXCESS_OF_ONE_EIGHTH = 1.25

/** Enough from 4 eighths on: 1.5 times the frame's density, where targets have 1.6. */
const LEAST_SHARE_OF_TARGET = 1.5 / 1.6
const LEAST_EIGHTHS_BELOW_TARGET = 4

/** The fewest eighths of a side that are enough for `minPx`; 8 where none are. */
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
