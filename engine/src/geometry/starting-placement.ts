import type { StraightPixmap } from '../pixmap.ts'
import type { Placement } from './artwork-placement.ts'

/** From this share of clear pixels on an artwork is a logo, and no picture with round corners. */
const CLEAR_SHARE_MIN = 0.02
const HALF_CLEAR = 128

/** A logo on a product is seen whole, away from its seams: wall, element and commands begin there. */
const wholeOnProduct = { fit: 'contain', scale: 0.8 } as const satisfies Partial<Placement>

/** Whether an artwork has clear parts worth the name. Any size of it will do. */
export function hasClearParts({ data }: Pick<StraightPixmap, 'data'>): boolean {
  let clear = 0
  for (let i = 3; i < data.length; i += 4) if ((data[i] ?? 255) < HALF_CLEAR) clear++
  return clear >= (data.length / 4) * CLEAR_SHARE_MIN
}

/**
 * The placement that is proposed for an artwork with clear parts, before anybody has chosen one: products
 * show it whole. Null: it fills the frame, as a request does that says nothing; so do prints.
 */
export function proposePlacement(isProduct: boolean): typeof wholeOnProduct | null {
  return isProduct ? wholeOnProduct : null
}
