import type { Orientation } from '../artwork/artwork-facts.ts'

type Turns = { readonly flip: boolean; readonly flop: boolean; readonly angle: 0 | 90 | 180 | 270 }

/** Turns a stored picture upright (EXIF 2.32, tag 0x0112): flip and flop, then rotate clockwise. */
export const turns: { readonly [K in Orientation]: Turns } = {
  1: { flip: false, flop: false, angle: 0 },
  2: { flip: false, flop: true, angle: 0 },
  3: { flip: false, flop: false, angle: 180 },
  4: { flip: true, flop: false, angle: 0 },
  5: { flip: false, flop: true, angle: 270 },
  6: { flip: false, flop: false, angle: 90 },
  7: { flip: false, flop: true, angle: 90 },
  8: { flip: false, flop: false, angle: 270 },
}
