// The predictor transform of VP8L (RFC 9649, section 4.1), undone.
//
// Most modes wait for the pixel at the left. Means are rounded down there, and up in vectors: they are taken
// of complements, which turns the one into the other, and the pixel at the left is kept as its complement.

import { laneselect } from '../../relaxed-vectors';

/**
 * Undoes a row of `width` pixels: differences at `from` to pixels at `to`. `above` is the row above with room
 * for a pixel more, and 0 for the first row. `modes`: a pixel for each tile, the mode in its second byte.
 */
export function undoPredictor(
  from: usize, to: usize, above: usize, width: usize, modes: usize, bits: u32,
): void {
  if (above == 0) {
    store<u32>(to, addPixels(load<u32>(from), 0xff000000));
    addLeft(from + 4, to + 4, to + (width << 2));
    return;
  }
  store<u32>(to, addPixels(load<u32>(from), load<u32>(above)));
  // the last pixel's neighbour above to the right is this row's first
  store<u32>(above + (width << 2), load<u32>(to));
  const tiles = (width + (1 << bits) - 1) >> bits;
  let x: usize = 1;
  for (let tile: usize = 0; x < width;) {
    const mode = load<u8>(modes + (tile << 2), 1) & 15;
    tile++;
    while (tile < tiles && (load<u8>(modes + (tile << 2), 1) & 15) == mode) tile++;
    const end = min(width, tile << bits);
    const at = x << 2;
    undoRun(mode, from + at, to + at, to + (end << 2), above + at);
    x = end;
  }
}

function undoRun(mode: u32, from: usize, to: usize, end: usize, above: usize): void {
  switch (mode) {
    case 1: return addLeft(from, to, end);
    case 2: return addAbove(from, to, end, above);
    case 3: return addAbove(from, to, end, above + 4);
    case 4: return addAbove(from, to, end, above - 4);
    case 5: return addMean(5, from, to, end, above);
    case 6: return addMean(6, from, to, end, above);
    case 7: return addMean(7, from, to, end, above);
    case 8: return addMeanAbove(from, to, end, above - 4);
    case 9: return addMeanAbove(from, to, end, above);
    case 10: return addMean(10, from, to, end, above);
    case 11: return addNearest(from, to, end, above);
    case 12: return addGradient(from, to, end, above);
    case 13: return addHalfGradient(from, to, end, above);
    default: return addBlack(from, to, end);
  }
}

// @ts-ignore: decorator
@inline function addPixels(a: u32, b: u32): u32 {
  return (((a & 0xff00ff00) + (b & 0xff00ff00)) & 0xff00ff00) | (((a & 0xff00ff) + (b & 0xff00ff)) & 0xff00ff);
}

function addBlack(from: usize, to: usize, end: usize): void {
  const black = i32x4.splat(0xff000000);
  for (; to < end; to += 16, from += 16) v128.store(to, i8x16.add(v128.load(from), black));
}

/** Four pixels at a time: sums of one, two and four of them, then of what is left of them. */
function addLeft(from: usize, to: usize, end: usize): void {
  const zero = i8x16.splat(0);
  let left = v128.load32_splat(to - 4);
  for (; to < end; to += 16, from += 16) {
    let sums = v128.load(from);
    sums = i8x16.add(sums, i32x4.shuffle(zero, sums, 0, 4, 5, 6));
    sums = i8x16.add(sums, i32x4.shuffle(zero, sums, 0, 1, 4, 5));
    sums = i8x16.add(sums, left);
    v128.store(to, sums);
    left = i32x4.shuffle(sums, sums, 3, 3, 3, 3);
  }
}

function addAbove(from: usize, to: usize, end: usize, above: usize): void {
  for (; to < end; to += 16, from += 16, above += 16) {
    v128.store(to, i8x16.add(v128.load(from), v128.load(above)));
  }
}

function addMeanAbove(from: usize, to: usize, end: usize, above: usize): void {
  for (; to < end; to += 16, from += 16, above += 16) {
    const mean = i8x16.avgr_u(v128.not(v128.load(above)), v128.not(v128.load(above, 4)));
    v128.store(to, i8x16.sub(v128.load(from), i8x16.add(mean, i8x16.splat(1))));
  }
}

/** Means of the left pixel and those above. */
// @ts-ignore: decorator
@inline function addMean(mode: u32, from: usize, to: usize, end: usize, above: usize): void {
  let left = v128.not(v128.load32_zero(to - 4));
  for (; to < end; to += 4, from += 4, above += 4) {
    let mean: v128;
    if (mode == 5) {
      mean = i8x16.avgr_u(
        i8x16.avgr_u(left, v128.not(v128.load32_zero(above, 4))), v128.not(v128.load32_zero(above)),
      );
    } else if (mode == 6) mean = i8x16.avgr_u(left, v128.not(v128.load32_zero(above - 4)));
    else if (mode == 7) mean = i8x16.avgr_u(left, v128.not(v128.load32_zero(above)));
    else {
      mean = i8x16.avgr_u(
        i8x16.avgr_u(left, v128.not(v128.load32_zero(above - 4))),
        i8x16.avgr_u(v128.not(v128.load32_zero(above)), v128.not(v128.load32_zero(above, 4))),
      );
    }
    left = i8x16.sub(mean, v128.load32_zero(from));
    v128.store32_lane(to, v128.not(left), 0);
  }
}

/** The left pixel, or the one above where that is as near to what left + above - aboveLeft gives. */
function addNearest(from: usize, to: usize, end: usize, above: usize): void {
  let left = v128.load32_zero(to - 4);
  let corner = v128.load32_zero(above - 4);
  for (; to < end; to += 4, from += 4, above += 4) {
    const up = v128.load32_zero(above);
    const rest = v128.load32_zero(from);
    const isLeft = i32x4.gt_s(apart(left, corner), apart(up, corner));
    left = select(i8x16.add(rest, left), i8x16.add(rest, up), isLeft);
    corner = up;
    v128.store32_lane(to, left, 0);
  }
}

/** Sum of the differences of four bytes. */
// @ts-ignore: decorator
@inline function apart(a: v128, b: v128): v128 {
  const differences = v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(differences));
}

// @ts-ignore: decorator
@inline function select(a: v128, b: v128, mask: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return laneselect(a, b, mask);
  return v128.bitselect(a, b, mask);
}

/** left + above - aboveLeft, within bytes. */
function addGradient(from: usize, to: usize, end: usize, above: usize): void {
  let left = v128.load32_zero(to - 4);
  let corner = v128.load32_zero(above - 4);
  for (; to < end; to += 4, from += 4, above += 4) {
    const up = v128.load32_zero(above);
    const sum = i8x16.sub_sat_u(
      i8x16.add_sat_u(left, i8x16.sub_sat_u(up, corner)), i8x16.sub_sat_u(corner, up),
    );
    left = i8x16.add(sum, v128.load32_zero(from));
    corner = up;
    v128.store32_lane(to, left, 0);
  }
}

/** m + (m - aboveLeft) / 2 of the mean m of left and above, within bytes; halves are rounded towards zero. */
function addHalfGradient(from: usize, to: usize, end: usize, above: usize): void {
  const zero = i8x16.splat(0);
  const one = i8x16.splat(1);
  let left = v128.not(v128.load32_zero(to - 4));
  for (; to < end; to += 4, from += 4, above += 4) {
    const corner = v128.not(v128.load32_zero(above - 4));
    const mean = i8x16.avgr_u(left, v128.not(v128.load32_zero(above)));
    // a half is the mean of 0 and one less
    const more = i8x16.avgr_u(i8x16.sub_sat_u(i8x16.sub_sat_u(corner, one), mean), zero);
    const less = i8x16.avgr_u(i8x16.sub_sat_u(mean, i8x16.add_sat_u(corner, one)), zero);
    left = i8x16.sub(i8x16.add_sat_u(i8x16.sub_sat_u(mean, more), less), v128.load32_zero(from));
    v128.store32_lane(to, v128.not(left), 0);
  }
}
