import type { ShownArtwork } from '@vitrine/contract'
import type { RenderedMockup } from './render-job.ts'

/**
 * The resolution at which each frame shows its artwork. Densities have three digits, which is precise enough.
 */
export function describeArtwork(artworks: RenderedMockup['artworks']): ShownArtwork[] {
  return artworks.map(({ widthPx, heightPx, density }, frame) => ({
    frame,
    width: widthPx,
    height: heightPx,
    density: Number(density.toPrecision(3)),
  }))
}
