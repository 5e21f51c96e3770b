import type { ShownArtwork } from '@vitrine/contract'
import type { RenderedMockup } from './render-job.ts'

/** How finely the artwork of each frame is seen. Densities have three digits: more would tell nothing. */
export function describeArtwork(artworks: RenderedMockup['artworks']): ShownArtwork[] {
  return artworks.map(({ widthPx, heightPx, density }, frame) => ({
    frame,
    width: widthPx,
    height: heightPx,
    density: Number(density.toPrecision(3)),
  }))
}
