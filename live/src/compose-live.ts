import {
  composeMockup,
  type DecodedArtwork,
  type FrameKernel,
  findDecodeTarget,
  type OpaquePixmap,
  type Placement,
  type PreparedTemplate,
} from '@vitrine/engine'
import type { LiveArtwork } from '@vitrine/engine/browser'

/**
 * Of the size that a mockup decodes a pattern's artwork to: one to two pixels of it for each of the preview,
 * so few that the engine reduces them no further, which would take longer than all else.
 */
const TILE_SHARE = 1 / 8

/** Draws decoded artworks, one per frame. `under`: the last picture of the same prepared template. */
export function composeLive(
  prepared: PreparedTemplate,
  artworks: readonly LiveArtwork[],
  placements: readonly Placement[],
  kernel: FrameKernel | null,
  under: OpaquePixmap | null,
): OpaquePixmap {
  const decoded = prepared.frames.flatMap((frame, index): DecodedArtwork[] => {
    const artwork = artworks[index]
    if (artwork === undefined) return []
    const placement = placements[index]
    const target = findDecodeTarget(frame, artwork.sourceWidthPx, artwork.sourceHeightPx, placement)
    const share = placement === undefined || placement.repeat === 'none' ? 1 : TILE_SHARE
    return [artwork.find({ minWidthPx: target.minWidthPx * share, minHeightPx: target.minHeightPx * share })]
  })
  return composeMockup(prepared, decoded, kernel, under, { byFrame: new Map(placements.entries()) })
}
