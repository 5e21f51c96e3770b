// The inverse cosine transform of a block to any size from 1 to 16 samples per axis.
//
// A block of N samples is the transform of its lowest min(8, N) coefficients at N points: the picture reduced
// (or, for chroma that has fewer samples, enlarged) by N/8 within its own band of frequencies. Products of 16
// bits are summed in 32; the constants have 13 bits. Output n and its mirror image N - 1 - n share their
// products: even sum + odd sum, even sum - odd sum.

import { FIRST_ROUNDING, SECOND_ROUNDING, add, dequantised, dot, lower, sub, upper } from './vectors';

// ---- 4 x 4 samples, and fewer ----
//
// Blocks of fewer are stored transposed. `cosines` holds, for each of the first half of the outputs, four
// vectors of pairs: even coefficients 0 2, 4 6, odd ones
// 1 3, 5 7.

/** First pass of a block with at most four coefficients a side: four columns. */
function firstPassOf4(coefficients: usize, quantiser: usize, target: usize, outputs: i32, cosines: usize): void {
  const even = lower(dequantised(coefficients, quantiser, 0), dequantised(coefficients, quantiser, 2));
  const odd = lower(dequantised(coefficients, quantiser, 1), dequantised(coefficients, quantiser, 3));
  const rounding = i32x4.splat(FIRST_ROUNDING);
  let low = target;
  let high = target + (<usize>(outputs - 1) << 4);
  while (low <= high) {
    const evens = add(dot(even, v128.load(cosines)), rounding);
    const odds = dot(odd, v128.load(cosines, 32));
    const sum = i32x4.shr_s(add(evens, odds), 11);
    const difference = i32x4.shr_s(sub(evens, odds), 11);
    v128.store(low, i16x8.narrow_i32x4_s(sum, sum));
    v128.store(high, i16x8.narrow_i32x4_s(difference, difference));
    low += 16;
    high -= 16;
    cosines += 64;
  }
}

/** Second pass to at most four samples a row. */
function secondPassOf4(source: usize, target: usize, stride: usize, outputs: i32, cosines: usize): void {
  const even = lower(v128.load(source), v128.load(source, 32));
  const odd = lower(v128.load(source, 16), v128.load(source, 48));
  const rounding = i32x4.splat(SECOND_ROUNDING);
  let low = target;
  let high = target + <usize>(outputs - 1) * stride;
  while (low <= high) {
    const evens = add(dot(even, v128.load(cosines)), rounding);
    const odds = dot(odd, v128.load(cosines, 32));
    const both = i16x8.narrow_i32x4_s(i32x4.shr_s(add(evens, odds), 18), i32x4.shr_s(sub(evens, odds), 18));
    const samples = i8x16.narrow_i16x8_u(both, both);
    v128.store32_lane(low, samples, 0);
    v128.store32_lane(high, samples, 1);
    low += stride;
    high -= stride;
    cosines += 64;
  }
}

/** Transposes four vectors of four lanes. */
function transpose4(source: usize, target: usize): void {
  const a = lower(v128.load(source), v128.load(source, 16));
  const b = lower(v128.load(source, 32), v128.load(source, 48));
  const x = i32x4.shuffle(a, b, 0, 4, 1, 5);
  const y = i32x4.shuffle(a, b, 2, 6, 3, 7);
  v128.store(target, x);
  v128.store(target, i64x2.shuffle(x, x, 1, 3), 16);
  v128.store(target, y, 32);
  v128.store(target, i64x2.shuffle(y, y, 1, 3), 48);
}

// ---- more ----
//
// Columns of blocks are stored in the order 0 2 1 3 4 6 5 7, so that what is multiplied together lies
// together. The first pass makes the samples of a row side by side, from each pair of coefficients spread
// over a vector; the second one adds up rows. So nothing is transposed. Samples lie in the order that comes
// out, 0 1 2 3 and their mirror images, until `order` puts the bytes right.

/** A pair of adjacent coefficients, repeated in all lanes. */
// @ts-ignore: decorator
@inline function spread(row: v128, pair: i32): v128 {
  if (pair == 0) return i32x4.shuffle(row, row, 0, 0, 0, 0);
  if (pair == 1) return i32x4.shuffle(row, row, 1, 1, 1, 1);
  if (pair == 2) return i32x4.shuffle(row, row, 2, 2, 2, 2);
  return i32x4.shuffle(row, row, 3, 3, 3, 3);
}

/**
 * Rows of coefficients to rows of samples, 16 bits, at `target`; the samples 4 to 7 and their images, if
 * `isWide`, 128 bytes behind. `isFew`: coefficients 4 to 7 of every row are zero. `table`: cosines of the
 * pairs 0 2, 1 3, 4 6, 5 7 for samples 0 to 3, then 4 to 7.
 */
// @ts-ignore: decorator
@inline function firstPass(source: usize, quantiser: usize, target: usize, rows: i32, table: usize, isWide: bool, isFew: bool): void {
  const rounding = i32x4.splat(FIRST_ROUNDING);
  const end = target + (<usize>rows << 4);
  for (; target < end; target += 16, source += 16, quantiser += 16) {
    const row = i16x8.mul(v128.load(source), v128.load(quantiser));
    const a = spread(row, 0);
    const b = spread(row, 1);
    const c = spread(row, 2);
    const d = spread(row, 3);
    let even = add(dot(a, v128.load(table)), rounding);
    let odd = dot(b, v128.load(table, 16));
    if (!isFew) {
      even = add(even, dot(c, v128.load(table, 32)));
      odd = add(odd, dot(d, v128.load(table, 48)));
    }
    const sum = i32x4.shr_s(add(even, odd), 11);
    v128.store(target, i16x8.narrow_i32x4_s(sum, i32x4.shr_s(sub(even, odd), 11)));
    if (isWide) {
      even = add(dot(a, v128.load(table, 64)), rounding);
      odd = dot(b, v128.load(table, 80));
      if (!isFew) {
        even = add(even, dot(c, v128.load(table, 96)));
        odd = add(odd, dot(d, v128.load(table, 112)));
      }
      const sum = i32x4.shr_s(add(even, odd), 11);
      v128.store(target, i16x8.narrow_i32x4_s(sum, i32x4.shr_s(sub(even, odd), 11)), 128);
    }
  }
}

/**
 * Two rows of eight samples, one and its mirror image, as bytes: the sums of four rows, or of eight where
 * there are not few.
 */
// @ts-ignore: decorator
@inline function addRows(source: usize, cosines: usize, isFew: bool): v128 {
  const rounding = i32x4.splat(SECOND_ROUNDING);
  const t0 = v128.load(source);
  const t1 = v128.load(source, 16);
  const t2 = v128.load(source, 32);
  const t3 = v128.load(source, 48);
  let even = v128.load(cosines);
  let odd = v128.load(cosines, 32);
  let e0 = add(dot(lower(t0, t2), even), rounding);
  let e1 = add(dot(upper(t0, t2), even), rounding);
  let o0 = dot(lower(t1, t3), odd);
  let o1 = dot(upper(t1, t3), odd);
  if (!isFew) {
    const t4 = v128.load(source, 64);
    const t5 = v128.load(source, 80);
    const t6 = v128.load(source, 96);
    const t7 = v128.load(source, 112);
    even = v128.load(cosines, 16);
    odd = v128.load(cosines, 48);
    e0 = add(e0, dot(lower(t4, t6), even));
    e1 = add(e1, dot(upper(t4, t6), even));
    o0 = add(o0, dot(lower(t5, t7), odd));
    o1 = add(o1, dot(upper(t5, t7), odd));
  }
  return i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_s(i32x4.shr_s(add(e0, o0), 18), i32x4.shr_s(add(e1, o1), 18)),
    i16x8.narrow_i32x4_s(i32x4.shr_s(sub(e0, o0), 18), i32x4.shr_s(sub(e1, o1), 18)),
  );
}

/**
 * Adds up rows of samples to `outputs` rows of bytes. `order`: the position of each sample in the order of
 * the first pass.
 */
// @ts-ignore: decorator
@inline function secondPass(source: usize, target: usize, stride: usize, outputs: i32, cosines: usize, order: usize, isWide: bool, isFew: bool): void {
  const positions = v128.load(order);
  let low = target;
  let high = target + <usize>(outputs - 1) * stride;
  for (; low <= high; low += stride, high -= stride, cosines += 64) {
    const rows = addRows(source, cosines, isFew);
    if (isWide) {
      const more = addRows(source + 128, cosines, isFew);
      v128.store(low, i8x16.swizzle(i64x2.shuffle(rows, more, 0, 2), positions));
      v128.store(high, i8x16.swizzle(i64x2.shuffle(rows, more, 1, 3), positions));
    } else {
      const samples = i8x16.swizzle(rows, positions);
      v128.store64_lane(low, samples, 0);
      v128.store64_lane(high, samples, 1);
    }
  }
}

/** After the cosines of a row of samples: their order. */
const ORDER: usize = 128;

function wideOfFew(coefficients: usize, quantiser: usize, target: usize, stride: usize, rows: i32, outputs: i32, table: usize, cosines: usize, passes: usize): void {
  firstPass(coefficients, quantiser, passes, rows, table, true, true);
  secondPass(passes, target, stride, outputs, cosines, table + ORDER, true, true);
}
function wide(coefficients: usize, quantiser: usize, target: usize, stride: usize, rows: i32, outputs: i32, table: usize, cosines: usize, passes: usize): void {
  firstPass(coefficients, quantiser, passes, rows, table, true, false);
  secondPass(passes, target, stride, outputs, cosines, table + ORDER, true, false);
}
function narrowOfFew(coefficients: usize, quantiser: usize, target: usize, stride: usize, rows: i32, outputs: i32, table: usize, cosines: usize, passes: usize): void {
  firstPass(coefficients, quantiser, passes, rows, table, false, true);
  secondPass(passes, target, stride, outputs, cosines, table + ORDER, false, true);
}
function narrow(coefficients: usize, quantiser: usize, target: usize, stride: usize, rows: i32, outputs: i32, table: usize, cosines: usize, passes: usize): void {
  firstPass(coefficients, quantiser, passes, rows, table, false, false);
  secondPass(passes, target, stride, outputs, cosines, table + ORDER, false, false);
}

/**
 * To 4 x 4 samples, the commonest of sizes: a block's 16 coefficients are stored in pairs that are multiplied
 * together, horizontal ones 0 2 then 1 3, and vertical ones in the order 0 2 1 3, so that the second pass
 * finds its pairs where the first one leaves them. `cosines`: of 4 samples, for both passes.
 */
// @ts-ignore: decorator
@inline export function transform4x4(coefficients: usize, quantiser: usize, target: usize, stride: usize, cosines: usize): void {
  const even0 = v128.load(cosines);
  const odd0 = v128.load(cosines, 32);
  const even1 = v128.load(cosines, 64);
  const odd1 = v128.load(cosines, 96);
  let rounding = i32x4.splat(FIRST_ROUNDING);
  let even = dequantised(coefficients, quantiser, 0);
  let odd = dequantised(coefficients, quantiser, 1);
  let e0 = add(dot(even, even0), rounding);
  let e1 = add(dot(even, even1), rounding);
  let o0 = dot(odd, odd0);
  let o1 = dot(odd, odd1);
  const left = i16x8.narrow_i32x4_s(i32x4.shr_s(add(e0, o0), 11), i32x4.shr_s(add(e1, o1), 11));
  const right = i16x8.narrow_i32x4_s(i32x4.shr_s(sub(e1, o1), 11), i32x4.shr_s(sub(e0, o0), 11));
  rounding = i32x4.splat(SECOND_ROUNDING);
  even = i32x4.shuffle(left, right, 0, 2, 4, 6);
  odd = i32x4.shuffle(left, right, 1, 3, 5, 7);
  e0 = add(dot(even, even0), rounding);
  e1 = add(dot(even, even1), rounding);
  o0 = dot(odd, odd0);
  o1 = dot(odd, odd1);
  const upperRows = i16x8.narrow_i32x4_s(i32x4.shr_s(add(e0, o0), 18), i32x4.shr_s(add(e1, o1), 18));
  const lowerRows = i16x8.narrow_i32x4_s(i32x4.shr_s(sub(e1, o1), 18), i32x4.shr_s(sub(e0, o0), 18));
  const samples = i8x16.narrow_i16x8_u(upperRows, lowerRows);
  v128.store32_lane(target, samples, 0);
  target += stride;
  v128.store32_lane(target, samples, 1);
  target += stride;
  v128.store32_lane(target, samples, 2);
  v128.store32_lane(target + stride, samples, 3);
}

/** Transforms to fewer than 4 x 4 samples. `passes`: scratch memory between the passes. */
export function transformSmall(coefficients: usize, quantiser: usize, target: usize, stride: usize, across: i32, down: i32, cosinesX: usize, cosinesY: usize, passes: usize): void {
  firstPassOf4(coefficients, quantiser, passes, across, cosinesX);
  transpose4(passes, passes + 256);
  secondPassOf4(passes + 256, target, stride, down, cosinesY);
}

/** Transforms to any other size. `isFew`: coefficients are only in the first four rows and columns. */
export function transformLarge(coefficients: usize, quantiser: usize, target: usize, stride: usize, across: i32, down: i32, table: usize, cosines: usize, isFew: bool, passes: usize): void {
  // rows beyond the number of samples do not matter: their cosines are zero
  const rows = isFew ? 4 : down < 8 ? down : 8;
  if (across > 8) {
    if (isFew) wideOfFew(coefficients, quantiser, target, stride, rows, down, table, cosines, passes);
    else wide(coefficients, quantiser, target, stride, rows, down, table, cosines, passes);
  } else if (isFew) narrowOfFew(coefficients, quantiser, target, stride, rows, down, table, cosines, passes);
  else narrow(coefficients, quantiser, target, stride, rows, down, table, cosines, passes);
}
