/** Where artwork lies that nobody has placed yet. */
import { centredCover, type DecodedArtwork, type Placement } from '@vitrine/engine'

/** In the middle, whole, with a margin. */
export const fittedWithMargin: Placement = { ...centredCover, fit: 'contain', scale: 0.9 }

/** In the middle, whole, from edge to edge. */
export const fitted: Placement = { ...centredCover, fit: 'contain' }

/** Logos are whole on a product, and fill a print; everything else fills both. */
export const startPlacement = (isProduct: boolean, isClear: boolean): Placement =>
  isProduct && isClear ? fittedWithMargin : centredCover

/** A smaller share of the pixels is a soft edge, or rounded corners. */
const CLEAR_SHARE = 0.02

/** Of 255: what is clearer shows the product. */
const CLEAR_ALPHA = 128

/** Whether parts of an artwork are clear, as around a logo. A small picture of it is enough. */
export function hasClearParts({ data, isOpaque }: Pick<DecodedArtwork, 'data' | 'isOpaque'>): boolean {
  if (isOpaque) return false
  let clear = 0
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) < CLEAR_ALPHA) clear++
  return clear > (data.length / 4) * CLEAR_SHARE
}
