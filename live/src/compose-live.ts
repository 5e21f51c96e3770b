import {
  composeMockup,
  type DecodedArtwork,
  type Drawer,
  findDecodeTarget,
  type OpaquePixmap,
  type Placement,
  type PreparedTemplate,
} from '@vitrine/engine'
import type { LiveArtwork } from '@vitrine/engine/browser'

/**
 * Share of the size to which a mockup decodes a pattern's artwork: one to two of its pixels per preview
 * pixel, so few that the engine need not reduce them further, which would dominate the time.
 */
const TILE_SHARE = 1 / 8

/** A frame's artwork and placement; without a placement, cropped at the centre. */
export type FrameArtwork = { readonly artwork: LiveArtwork; readonly placement?: Placement | undefined }

/** Draws decoded artworks, one per frame. `under`: an earlier picture of the template, to draw over. */
export function composeLive(
  prepared: PreparedTemplate,
  artworkOf: (frame: number) => FrameArtwork,
  kernel: Drawer | null,
  under: OpaquePixmap | null = null,
): OpaquePixmap {
  const byFrame = new Map<number, Placement>()
  const decoded = prepared.frames.map((frame, index): DecodedArtwork => {
    const { artwork, placement } = artworkOf(index)
    if (placement !== undefined) byFrame.set(index, placement)
    const target = findDecodeTarget(frame, artwork.sourceWidthPx, artwork.sourceHeightPx, placement)
    const share = placement === undefined || placement.repeat === 'none' ? 1 : TILE_SHARE
    return artwork.find({ minWidthPx: target.minWidthPx * share, minHeightPx: target.minHeightPx * share })
  })
  return composeMockup(prepared, decoded, kernel, under, { byFrame })
}
