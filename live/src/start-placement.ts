/** Where artwork lies that nobody has placed yet. */
import {
  centredCover,
  type DecodedArtwork,
  hasClearParts as hasClearPixels,
  type Placement,
  proposePlacement,
} from '@vitrine/engine'

/** In the middle, whole, with the margin that the engine proposes for products. */
export const fittedWithMargin: Placement = { ...centredCover, ...proposePlacement(true) }

/** In the middle, whole, from edge to edge. */
export const fitted: Placement = { ...centredCover, fit: 'contain' }

/** Logos are whole on a product, and fill a print; everything else fills both. */
export const startPlacement = (isProduct: boolean, isClear: boolean): Placement =>
  isProduct && isClear ? fittedWithMargin : centredCover

/** Whether parts of an artwork are clear, as around a logo. A small picture of it is enough. */
export const hasClearParts = (artwork: Pick<DecodedArtwork, 'data' | 'isOpaque'>): boolean =>
  !artwork.isOpaque && hasClearPixels(artwork)
