/** The initial placement of artwork. */
import {
  centredCover,
  type DecodedArtwork,
  hasClearParts as hasClearPixels,
  type Placement,
  proposePlacement,
} from '@vitrine/engine'

/** Whole and centred, with the margin that the engine proposes for products. */
export const fittedWithMargin: Placement = { ...centredCover, ...proposePlacement(true) }

/** Whole and centred, without a margin. */
export const fitted: Placement = { ...centredCover, fit: 'contain' }

/** Logos are shown whole on products and fill prints; everything else fills both. */
export const startPlacement = (isProduct: boolean, isClear: boolean): Placement =>
  isProduct && isClear ? fittedWithMargin : centredCover

/** Whether parts of an artwork are transparent, as around a logo. A thumbnail is enough. */
export const hasClearParts = (artwork: Pick<DecodedArtwork, 'data' | 'isOpaque'>): boolean =>
  !artwork.isOpaque && hasClearPixels(artwork)
