/** What was drawn where. */
import type { ShownArtwork } from '@vitrine/contract'
import { centredCover, findShownDensity, type Placement, type PreparedTemplate } from '@vitrine/engine'
import type { FramePlane } from './frame-plane.ts'

/** The frames, and each artwork's density at the preview's width; without artwork, none. */
export type ShownFrames = { readonly planes: readonly FramePlane[]; readonly artworks: readonly ShownArtwork[] }

type ArtworkInFrame = {
  readonly sourceWidthPx: number
  readonly sourceHeightPx: number
  readonly placement?: Placement | undefined
}

/** `artworkOf`: by frame; undefined for a frame without artwork. */
export function shownFrames(
  { frames }: PreparedTemplate,
  planes: readonly FramePlane[],
  artworkOf: (frame: number) => ArtworkInFrame | undefined,
): ShownFrames {
  const artworks = frames.flatMap((prepared, frame): ShownArtwork[] => {
    const shown = artworkOf(frame)
    if (shown === undefined) return []
    const { sourceWidthPx: width, sourceHeightPx: height, placement = centredCover } = shown
    return [{ frame, width, height, density: findShownDensity(prepared, width, height, placement) }]
  })
  return { planes, artworks }
}
