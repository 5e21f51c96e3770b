// Converts reduced YUV to RGBA: limited-range BT.601.

import { multiply } from '../relaxed-vectors';

// the fractional parts of 1.16438, 1.59603, 2.01723, and 0.39176 and 0.81297, of 32768
const LUMA: i16 = 5386;
const RED: i16 = 19531;
const BLUE: i16 = 565;
const GREEN_U: i16 = 12837;
const GREEN_V: i16 = 26639;
/** of a byte times 64 */
const BLACK: i16 = 16 * 64;
const NO_CHROMA: i16 = 128 * 64;

/**
 * Writes eight pixels to `to`. Each has two Y, U and V, as bytes times 64. Sums beyond 16 bits are beyond
 * black and white.
 */
// @ts-ignore: decorator
@inline export function toColors(pixels0: v128, pixels2: v128, pixels4: v128, pixels6: v128, to: usize): void {
  const lumas0 = i16x8.shuffle(pixels0, pixels2, 0, 4, 8, 12, 1, 5, 9, 13);
  const lumas4 = i16x8.shuffle(pixels4, pixels6, 0, 4, 8, 12, 1, 5, 9, 13);
  const chroma0 = i16x8.shuffle(pixels0, pixels2, 2, 6, 10, 14, 3, 7, 11, 15);
  const chroma4 = i16x8.shuffle(pixels4, pixels6, 2, 6, 10, 14, 3, 7, 11, 15);
  const y = i16x8.sub(
    i16x8.add(i64x2.shuffle(lumas0, lumas4, 0, 2), i64x2.shuffle(lumas0, lumas4, 1, 3)), i16x8.splat(BLACK),
  );
  const u = i16x8.sub(i64x2.shuffle(chroma0, chroma4, 0, 2), i16x8.splat(NO_CHROMA));
  const v = i16x8.sub(i64x2.shuffle(chroma0, chroma4, 1, 3), i16x8.splat(NO_CHROMA));
  // plus half of what truncation removes
  const luma = i16x8.add(i16x8.add(y, multiply(y, i16x8.splat(LUMA))), i16x8.splat(32));
  const red = i16x8.add_sat_s(luma, i16x8.add(v, multiply(v, i16x8.splat(RED))));
  const green = i16x8.sub_sat_s(
    i16x8.sub_sat_s(luma, multiply(u, i16x8.splat(GREEN_U))), multiply(v, i16x8.splat(GREEN_V)),
  );
  const blue = i16x8.add_sat_s(luma, i16x8.add(i16x8.add(u, u), multiply(u, i16x8.splat(BLUE))));
  const redBlue = i8x16.narrow_i16x8_u(i16x8.shr_s(red, 6), i16x8.shr_s(blue, 6));
  const greenAlpha = i8x16.narrow_i16x8_u(i16x8.shr_s(green, 6), i16x8.splat(255));
  const rg = i8x16.shuffle(redBlue, greenAlpha, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ba = i8x16.shuffle(redBlue, greenAlpha, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  v128.store(to, i16x8.shuffle(rg, ba, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, i16x8.shuffle(rg, ba, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}
