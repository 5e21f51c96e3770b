import type { ShownArtwork } from '@vitrine/contract'
import type { RenderedMockup } from './worker-messages.ts'

/** The resolution at which each frame shows its artwork. Three digits of density are enough. */
export function describeArtwork(artworks: RenderedMockup['artworks']): ShownArtwork[] {
  return artworks.map(({ widthPx, heightPx, density }, frame) => ({
    frame,
    width: widthPx,
    height: heightPx,
    density: Number(density.toPrecision(3)),
  }))
}
