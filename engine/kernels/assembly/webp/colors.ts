// Converts rows of YUV to RGBA: chroma is upsampled by (9 3 3 1) / 16, then limited-range BT.601 in integers,
// both as in libwebp.

/**
 * Writes pixels from `start` (even) to `end` of a row, and up to 15 after. `near` and `far` have one more
 * sample on each side. `to` is the first pixel.
 */
export function writeColors(
  y: usize, nearU: usize, farU: usize, nearV: usize, farV: usize, start: usize, end: usize, to: usize,
): void {
  const rounding = i16x8.splat(8);
  for (let x = start; x < end; x += 16, to += 64) {
    const luma = v128.load(y + x);
    const at = x >> 1;
    const u = between(nearU + at, farU + at, rounding);
    const v = between(nearV + at, farV + at, rounding);
    writeEight(i16x8.extend_low_i8x16_u(luma), i16x8.extend_low_i8x16_u(u), i16x8.extend_low_i8x16_u(v), to);
    writeEight(
      i16x8.extend_high_i8x16_u(luma), i16x8.extend_high_i8x16_u(u), i16x8.extend_high_i8x16_u(v), to + 32,
    );
  }
}

/** Sixteen samples interpolated between both rows, the first next to the one at `near`. */
// @ts-ignore: decorator
@inline function between(near: usize, far: usize, rounding: v128): v128 {
  const n0 = v128.load8x8_u(near - 1);
  const n1 = v128.load8x8_u(near);
  const n2 = v128.load8x8_u(near + 1);
  const f0 = v128.load8x8_u(far - 1);
  const f1 = v128.load8x8_u(far);
  const f2 = v128.load8x8_u(far + 1);
  const centre = i16x8.add(i16x8.add(n1, f1), rounding);
  // 3 n1 + n0 + f1 + 3 f0 for the left pixel, and likewise for the right
  const left = slant(n1, n0, f1, f0, centre);
  const right = slant(n1, n2, f1, f2, centre);
  const narrow = i8x16.narrow_i16x8_u(left, right);
  return i8x16.shuffle(narrow, narrow, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** ((n + 3 m + 3 f + g + 8) / 8 + n) / 2 where m is next to n, f below n, and g below m. */
// @ts-ignore: decorator
@inline function slant(n: v128, m: v128, f: v128, g: v128, centre: v128): v128 {
  const two = i16x8.add(m, f);
  const sum = i16x8.add(i16x8.add(centre, i16x8.add(m, g)), i16x8.add(two, two));
  return i16x8.shr_u(i16x8.add(i16x8.shr_u(sum, 3), n), 1);
}

/** x * (whole * 256 + rest) / 256, x up to 255. */
// @ts-ignore: decorator
@inline function times(x: v128, whole: i16, rest: i16): v128 {
  return i16x8.add(
    i16x8.mul(x, i16x8.splat(whole)),
    i16x8.shr_u(i16x8.mul(x, i16x8.splat(rest)), 8),
  );
}

// @ts-ignore: decorator
@inline function writeEight(y: v128, u: v128, v: v128, to: usize): void {
  // 19077, 26149, 6419, 13320 and 33050 of 256
  const luma = times(y, 74, 133);
  const red = i16x8.shr_s(i16x8.sub(i16x8.add(luma, times(v, 102, 37)), i16x8.splat(14234)), 6);
  const green = i16x8.shr_s(
    i16x8.sub(i16x8.sub(i16x8.add(luma, i16x8.splat(8708)), times(u, 25, 19)), times(v, 52, 8)), 6,
  );
  const blue = i16x8.shr_u(i16x8.sub_sat_u(i16x8.add(luma, times(u, 129, 26)), i16x8.splat(17685)), 6);
  const redBlue = i8x16.narrow_i16x8_u(red, blue);
  const greenAlpha = i8x16.narrow_i16x8_u(green, i16x8.splat(255));
  // r g r g .., b a b a ..
  const rg = i8x16.shuffle(redBlue, greenAlpha, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ba = i8x16.shuffle(redBlue, greenAlpha, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  v128.store(to, i16x8.shuffle(rg, ba, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, i16x8.shuffle(rg, ba, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}
