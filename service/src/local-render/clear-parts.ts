import { ArtworkError, hasClearParts, type ImageCodec, inspectArtwork } from '@vitrine/engine'

/** The size in pixels at which transparency is detected. */
const PROBE_PX = 64

/** Whether an artwork has transparent parts. An unreadable one has none: the render reports the error. */
export async function findClearParts(bytes: Uint8Array, codec: Pick<ImageCodec, 'decodeArtwork'>): Promise<boolean> {
  try {
    const facts = inspectArtwork(bytes)
    if (!facts.hasAlpha) return false
    const target = { minWidthPx: PROBE_PX, minHeightPx: PROBE_PX }
    return hasClearParts(await codec.decodeArtwork(bytes, target, facts))
  } catch (error) {
    if (error instanceof ArtworkError) return false
    throw error
  }
}
