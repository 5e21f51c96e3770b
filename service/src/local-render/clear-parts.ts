import { ArtworkError, hasClearParts, type ImageCodec, inspectArtwork } from '@vitrine/engine'

/** The size in pixels at which transparency is detected. */
const LOOKED_AT_PX = 64

/**
 * Whether an artwork has transparent parts. An unreadable one has none: the render then reports the error.
 */
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
