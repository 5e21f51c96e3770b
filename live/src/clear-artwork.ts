import type { DecodedArtwork } from '@vitrine/engine'
import { LiveArtwork } from '@vitrine/engine/browser'

/** Transparent artwork, for a product without artwork. */
export const clearArtwork: DecodedArtwork = {
  alpha: 'straight',
  widthPx: 1,
  heightPx: 1,
  data: new Uint8Array(4),
  extent: { left: 0, top: 0, width: 1, height: 1 },
  decodedBy: 'memory',
  sourceWidthPx: 1,
  sourceHeightPx: 1,
  isOpaque: false,
}

/** The same for live drawing. */
export const withoutArtwork = new LiveArtwork([clearArtwork])
