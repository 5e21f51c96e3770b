import type { StraightPixmap } from '../pixmap.ts'
import type { Placement } from './artwork-placement.ts'

/** Artwork with at least this share of transparent pixels is a logo, not a picture with rounded corners. */
const CLEAR_SHARE_MIN = 0.02
const HALF_CLEAR = 128

/** A logo on a product is initially whole, away from its seams, in gallery, element and commands. */
const wholeOnProduct = { fit: 'contain', scale: 0.8 } as const satisfies Partial<Placement>

/** Whether a considerable part of an artwork is transparent. Works at any size. */
export function hasClearParts({ data }: Pick<StraightPixmap, 'data'>): boolean {
  let clear = 0
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 255) < HALF_CLEAR) clear++
  return clear >= (data.length / 4) * CLEAR_SHARE_MIN
}

/**
 * The initial placement proposed for artwork with transparent parts: whole on products. Null: it fills the
 * frame, the default of requests and always on prints.
 */
export function proposePlacement(isProduct: boolean): typeof wholeOnProduct | null {
  return isProduct ? wholeOnProduct : null
}
