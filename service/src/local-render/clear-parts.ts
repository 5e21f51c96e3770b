import { ArtworkError, hasClearParts, type ImageCodec, inspectArtwork } from '@vitrine/engine'

/** As many pixels a side show which parts of an artwork are clear. */
const LOOKED_AT_PX = 64

/** Whether an artwork has clear parts. One that cannot be read has none: the render says what is wrong. */
export async function findClearParts(bytes: Uint8Array, codec: Pick<ImageCodec, 'decodeArtwork'>): Promise<boolean> {
  try {
    const facts = inspectArtwork(bytes)
    if (!facts.hasAlpha) return false
    const target = { minWidthPx: LOOKED_AT_PX, minHeightPx: LOOKED_AT_PX }
    return hasClearParts(await codec.decodeArtwork(bytes, target, facts))
  } catch (error) {
    if (error instanceof ArtworkError) return false
    throw error
  }
}
