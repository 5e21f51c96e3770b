import type { ArtworkFacts } from '../artwork/artwork-facts.ts'
import { swapsSides } from '../artwork/exif-orientation.ts'
import type { DecodedArtwork, DecodeTarget } from '../codec.ts'
import type { PixelMemory } from '../reused-memory.ts'
import { conversionOf } from './conversion-of.ts'
import { MOST_REDUCTION, type Size } from './reduction/result-layout.ts'
import { findPart, type Part } from './shown-part.ts'
import { turnBack, turnPixels } from './turn-pixels.ts'

/** A decoder that can reduce a part of a picture to any size. */
export type ReducingDecoder = {
  readonly memory: PixelMemory
  decode(
    bytes: Uint8Array,
    size: Size,
    part: Part | null,
  ): Size & { readonly data: Uint8Array; readonly part: Part; readonly isOpaque: boolean }
}

/**
 * Decodes artwork reduced to what the target needs, per axis. Throws DeclinedError for profiles with tables,
 * and for what the decoder declines. The pixels are in the decoder's `memory`.
 */
export function decodeReducedArtwork(
  facts: ArtworkFacts,
  target: DecodeTarget | null,
  decoder: ReducingDecoder,
): DecodedArtwork {
  const { storedWidthPx, storedHeightPx, orientation } = facts
  const convert = conversionOf(facts)
  const isTurned = swapsSides(orientation)
  const minWidthPx = isTurned ? target?.minHeightPx : target?.minWidthPx
  const minHeightPx = isTurned ? target?.minWidthPx : target?.minHeightPx
  const width = chooseSide(storedWidthPx, minWidthPx ?? storedWidthPx)
  const height = chooseSide(storedHeightPx, minHeightPx ?? storedHeightPx)
  const wanted = target?.shown ? findPart(turnBack(target.shown, orientation), width, height) : null
  const decoded = decoder.decode(facts.bytesToDecode, { widthPx: width, heightPx: height }, wanted)
  const { widthPx, heightPx, data, part, isOpaque } = decoded
  convert(data)
  const extent = { left: 0 - part.left, top: 0 - part.top, width, height }
  return {
    alpha: 'straight',
    ...turnPixels({ widthPx, heightPx, data, extent }, orientation, decoder.memory),
    decodedBy: 'vitrine',
    sourceWidthPx: facts.widthPx,
    sourceHeightPx: facts.heightPx,
    isOpaque,
    sizes: 'pixels',
  }
}

/** Whether `decodeReducedArtwork` gives (oriented) artwork this size for the target. */
export function isReducedSize(
  { extent, sourceWidthPx, sourceHeightPx }: DecodedArtwork,
  target: DecodeTarget | null,
): boolean {
  return (
    extent.width === chooseSide(sourceWidthPx, target?.minWidthPx ?? sourceWidthPx) &&
    extent.height === chooseSide(sourceHeightPx, target?.minHeightPx ?? sourceHeightPx)
  )
}

/** A tent preserves less detail than Lanczos, which targets assume: 1.8 times the density, not 1.6. */
const EXCESS = 1.8 / 1.6

/** Smaller reductions would blur and save little. */
const LEAST_REDUCTION = 1.2

/** The size to which a side is reduced if `minPx` are needed. */
function chooseSide(sidePx: number, minPx: number): number {
  const px = Math.ceil(minPx * EXCESS)
  return px * LEAST_REDUCTION > sidePx ? sidePx : Math.max(px, Math.ceil(sidePx / MOST_REDUCTION))
}
