// The inverse DCT of a block to 8 x 8 samples, exactly like libjpeg's jidctint.c.

import { FAULT_COEFFICIENT } from './records.ts';
import { setFault } from './bits';
import { FIRST_ROUNDING, SECOND_ROUNDING, add, dequantised, dot, lower, sub, upper } from './vectors';

/**
 * Coefficients of real pictures stay below 2,048. Above this the 16-bit arithmetic of libjpeg-turbo's vector
 * code overflows, differently from ours: such a block is damaged, and the picture is declined.
 */
export const GREATEST_COEFFICIENT: i32 = 8191;
/** The same between the passes, where sums of two values are multiplied. */
const GREATEST_BETWEEN: i32 = 16383;

/** x, or -x - 1 for negative x: only the set bits matter. */
// @ts-ignore: decorator
@inline function magnitude(x: v128): v128 {
  return v128.xor(x, i16x8.shr_s(x, 15));
}
// @ts-ignore: decorator
@inline function magnitudes4(a: v128, b: v128, c: v128, d: v128): v128 {
  return v128.or(v128.or(magnitude(a), magnitude(b)), v128.or(magnitude(c), magnitude(d)));
}
// @ts-ignore: decorator
@inline function assertPossible(magnitudes: v128, isFirst: bool): void {
  const beyond = i16x8.splat(<i16>~(isFirst ? GREATEST_COEFFICIENT : GREATEST_BETWEEN));
  if (v128.any_true(v128.and(magnitudes, beyond))) setFault(FAULT_COEFFICIENT);
}

/**
 * One pass; `constants` are twelve vectors of pairs (jpeg-layout.ts has them). The first pass dequantises.
 * Columns are stored in the order 0 2 1 3 4 6 5 7, as those of reduced blocks are: that is the order of the
 * second pass's vectors.
 */
// @ts-ignore: decorator
@inline function exactPass(source: usize, quantiser: usize, target: usize, constants: usize, first: bool): void {
  const f0 = first ? dequantised(source, quantiser, 0) : v128.load(source);
  const f1 = first ? dequantised(source, quantiser, 1) : v128.load(source, 32);
  const f2 = first ? dequantised(source, quantiser, 2) : v128.load(source, 16);
  const f3 = first ? dequantised(source, quantiser, 3) : v128.load(source, 48);
  const f4 = first ? dequantised(source, quantiser, 4) : v128.load(source, 64);
  const f5 = first ? dequantised(source, quantiser, 5) : v128.load(source, 96);
  const f6 = first ? dequantised(source, quantiser, 6) : v128.load(source, 80);
  const f7 = first ? dequantised(source, quantiser, 7) : v128.load(source, 112);
  assertPossible(v128.or(magnitudes4(f0, f1, f2, f3), magnitudes4(f4, f5, f6, f7)), first);
  const rounding = i32x4.splat(first ? FIRST_ROUNDING : SECOND_ROUNDING);
  const shift = first ? 11 : 18;
  for (let half: i32 = 0; half < 2; half++) {
    const even04 = half ? upper(f0, f4) : lower(f0, f4);
    const even26 = half ? upper(f2, f6) : lower(f2, f6);
    const odd13 = half ? upper(f1, f3) : lower(f1, f3);
    const odd57 = half ? upper(f5, f7) : lower(f5, f7);
    const t0 = add(dot(even04, v128.load(constants)), rounding);
    const t1 = add(dot(even04, v128.load(constants, 16)), rounding);
    const t3 = dot(even26, v128.load(constants, 32));
    const t2 = dot(even26, v128.load(constants, 48));
    const e0 = add(t0, t3);
    const e3 = sub(t0, t3);
    const e1 = add(t1, t2);
    const e2 = sub(t1, t2);
    const o0 = add(dot(odd13, v128.load(constants, 64)), dot(odd57, v128.load(constants, 80)));
    const o1 = add(dot(odd13, v128.load(constants, 96)), dot(odd57, v128.load(constants, 112)));
    const o2 = add(dot(odd13, v128.load(constants, 128)), dot(odd57, v128.load(constants, 144)));
    const o3 = add(dot(odd13, v128.load(constants, 160)), dot(odd57, v128.load(constants, 176)));
    const w01 = i16x8.narrow_i32x4_s(i32x4.shr_s(add(e0, o0), shift), i32x4.shr_s(add(e1, o1), shift));
    const w23 = i16x8.narrow_i32x4_s(i32x4.shr_s(add(e2, o2), shift), i32x4.shr_s(add(e3, o3), shift));
    const w45 = i16x8.narrow_i32x4_s(i32x4.shr_s(sub(e3, o3), shift), i32x4.shr_s(sub(e2, o2), shift));
    const w67 = i16x8.narrow_i32x4_s(i32x4.shr_s(sub(e1, o1), shift), i32x4.shr_s(sub(e0, o0), shift));
    const at = target + (<usize>half << 3);
    v128.store64_lane(at, w01, 0);
    v128.store64_lane(at, w01, 1, 16);
    v128.store64_lane(at, w23, 0, 32);
    v128.store64_lane(at, w23, 1, 48);
    v128.store64_lane(at, w45, 0, 64);
    v128.store64_lane(at, w45, 1, 80);
    v128.store64_lane(at, w67, 0, 96);
    v128.store64_lane(at, w67, 1, 112);
  }
}
function exactFirst(source: usize, quantiser: usize, target: usize, constants: usize): void {
  exactPass(source, quantiser, target, constants, true);
}
function exactSecond(source: usize, target: usize, constants: usize): void {
  exactPass(source, 0, target, constants, false);
}

// ---- blocks whose non-zero coefficients are all in the first four rows and columns ----
// Everything fits into registers: the first pass gives two rows per vector, with pairs of coefficients side
// by side, and the second one computes each row's samples from its pairs.

/**
 * Behind the twelve: what a row's pairs 0 2 and 1 3 give to samples 0 to 3, and where samples lie in what
 * comes out, 0 1 2 3 7 6 5 4 of two rows.
 */
const ROW_EVEN: usize = 192;
const ROW_ODD: usize = 208;
const ROW_ORDER: usize = 224;

// @ts-ignore: decorator
@inline function rowOfFew(even: v128, odd: v128, forEven: v128, forOdd: v128): v128 {
  const e = add(dot(even, forEven), i32x4.splat(SECOND_ROUNDING));
  const o = dot(odd, forOdd);
  return i16x8.narrow_i32x4_s(i32x4.shr_s(add(e, o), 18), i32x4.shr_s(sub(e, o), 18));
}
// @ts-ignore: decorator
@inline function storeRows(rows: v128, forEven: v128, forOdd: v128, order: v128, target: usize, stride: usize): void {
  const one = rowOfFew(i32x4.shuffle(rows, rows, 0, 0, 0, 0), i32x4.shuffle(rows, rows, 1, 1, 1, 1), forEven, forOdd);
  const two = rowOfFew(i32x4.shuffle(rows, rows, 2, 2, 2, 2), i32x4.shuffle(rows, rows, 3, 3, 3, 3), forEven, forOdd);
  const samples = i8x16.swizzle(i8x16.narrow_i16x8_u(one, two), order);
  v128.store64_lane(target, samples, 0);
  v128.store64_lane(target + stride, samples, 1);
}

function exactOfFew(coefficients: usize, quantiser: usize, target: usize, stride: usize, constants: usize): void {
  const f0 = dequantised(coefficients, quantiser, 0);
  const f1 = dequantised(coefficients, quantiser, 1);
  const f2 = dequantised(coefficients, quantiser, 2);
  const f3 = dequantised(coefficients, quantiser, 3);
  assertPossible(magnitudes4(f0, f1, f2, f3), true);
  const f02 = lower(f0, f2);
  const f13 = lower(f1, f3);
  const rounding = i32x4.splat(FIRST_ROUNDING);
  const e0 = add(dot(f02, i32x4.splat(8192 | (10703 << 16))), rounding);
  const e1 = add(dot(f02, i32x4.splat(8192 | (4433 << 16))), rounding);
  const e2 = add(dot(f02, i32x4.splat(8192 | (-4433 << 16))), rounding);
  const e3 = add(dot(f02, i32x4.splat(8192 | (-10703 << 16))), rounding);
  const o0 = dot(f13, v128.load(constants, 64));
  const o1 = dot(f13, v128.load(constants, 96));
  const o2 = dot(f13, v128.load(constants, 128));
  const o3 = dot(f13, v128.load(constants, 160));
  const w01 = i16x8.narrow_i32x4_s(i32x4.shr_s(add(e0, o0), 11), i32x4.shr_s(add(e1, o1), 11));
  const w23 = i16x8.narrow_i32x4_s(i32x4.shr_s(add(e2, o2), 11), i32x4.shr_s(add(e3, o3), 11));
  const w45 = i16x8.narrow_i32x4_s(i32x4.shr_s(sub(e3, o3), 11), i32x4.shr_s(sub(e2, o2), 11));
  const w67 = i16x8.narrow_i32x4_s(i32x4.shr_s(sub(e1, o1), 11), i32x4.shr_s(sub(e0, o0), 11));
  assertPossible(magnitudes4(w01, w23, w45, w67), false);
  const forEven = v128.load(constants, ROW_EVEN);
  const forOdd = v128.load(constants, ROW_ODD);
  const order = v128.load(constants, ROW_ORDER);
  storeRows(w01, forEven, forOdd, order, target, stride);
  target += stride << 1;
  storeRows(w23, forEven, forOdd, order, target, stride);
  target += stride << 1;
  storeRows(w45, forEven, forOdd, order, target, stride);
  target += stride << 1;
  storeRows(w67, forEven, forOdd, order, target, stride);
}

// ---- all other blocks ----

/** Transposes eight columns of 16-bit samples to eight rows of bytes, clamped. */
function storeColumns(source: usize, target: usize, stride: usize): void {
  const a = i8x16.narrow_i16x8_u(v128.load(source), v128.load(source, 64));
  const b = i8x16.narrow_i16x8_u(v128.load(source, 16), v128.load(source, 80));
  const c = i8x16.narrow_i16x8_u(v128.load(source, 32), v128.load(source, 96));
  const d = i8x16.narrow_i16x8_u(v128.load(source, 48), v128.load(source, 112));
  // a holds columns 0 and 4, b 1 and 5, c 2 and 6, d 3 and 7
  const ab0 = i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ab1 = i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const cd0 = i8x16.shuffle(c, d, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const cd1 = i8x16.shuffle(c, d, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  const l0 = lower(ab0, cd0);
  const l1 = upper(ab0, cd0);
  const h0 = lower(ab1, cd1);
  const h1 = upper(ab1, cd1);
  const r0 = i32x4.shuffle(l0, h0, 0, 4, 1, 5);
  const r1 = i32x4.shuffle(l0, h0, 2, 6, 3, 7);
  const r2 = i32x4.shuffle(l1, h1, 0, 4, 1, 5);
  const r3 = i32x4.shuffle(l1, h1, 2, 6, 3, 7);
  v128.store64_lane(target, r0, 0);
  v128.store64_lane(target + stride, r0, 1);
  v128.store64_lane(target + 2 * stride, r1, 0);
  v128.store64_lane(target + 3 * stride, r1, 1);
  v128.store64_lane(target + 4 * stride, r2, 0);
  v128.store64_lane(target + 5 * stride, r2, 1);
  v128.store64_lane(target + 6 * stride, r3, 0);
  v128.store64_lane(target + 7 * stride, r3, 1);
}

/** Transposes eight vectors of eight. */
function transpose8(source: usize, target: usize): void {
  const o0 = v128.load(source);
  const o1 = v128.load(source, 16);
  const o2 = v128.load(source, 32);
  const o3 = v128.load(source, 48);
  const o4 = v128.load(source, 64);
  const o5 = v128.load(source, 80);
  const o6 = v128.load(source, 96);
  const o7 = v128.load(source, 112);
  const a0 = lower(o0, o1);
  const a1 = upper(o0, o1);
  const a2 = lower(o2, o3);
  const a3 = upper(o2, o3);
  const a4 = lower(o4, o5);
  const a5 = upper(o4, o5);
  const a6 = lower(o6, o7);
  const a7 = upper(o6, o7);
  const b0 = i32x4.shuffle(a0, a2, 0, 4, 1, 5);
  const b1 = i32x4.shuffle(a0, a2, 2, 6, 3, 7);
  const b2 = i32x4.shuffle(a1, a3, 0, 4, 1, 5);
  const b3 = i32x4.shuffle(a1, a3, 2, 6, 3, 7);
  const b4 = i32x4.shuffle(a4, a6, 0, 4, 1, 5);
  const b5 = i32x4.shuffle(a4, a6, 2, 6, 3, 7);
  const b6 = i32x4.shuffle(a5, a7, 0, 4, 1, 5);
  const b7 = i32x4.shuffle(a5, a7, 2, 6, 3, 7);
  v128.store(target, i64x2.shuffle(b0, b4, 0, 2));
  v128.store(target, i64x2.shuffle(b0, b4, 1, 3), 16);
  v128.store(target, i64x2.shuffle(b1, b5, 0, 2), 32);
  v128.store(target, i64x2.shuffle(b1, b5, 1, 3), 48);
  v128.store(target, i64x2.shuffle(b2, b6, 0, 2), 64);
  v128.store(target, i64x2.shuffle(b2, b6, 1, 3), 80);
  v128.store(target, i64x2.shuffle(b3, b7, 0, 2), 96);
  v128.store(target, i64x2.shuffle(b3, b7, 1, 3), 112);
}

/**
 * Transforms a block to 8 x 8 samples. `isFew`: its non-zero coefficients are all in the first four rows and
 * columns. `passes`: scratch memory between the passes.
 */
export function exactBlock(coefficients: usize, quantiser: usize, target: usize, stride: usize, constants: usize, isFew: bool, passes: usize): void {
  if (isFew) {
    exactOfFew(coefficients, quantiser, target, stride, constants);
    return;
  }
  const one = passes;
  const two = passes + 256;
  exactFirst(coefficients, quantiser, one, constants);
  transpose8(one, two);
  exactSecond(two, one, constants);
  storeColumns(one, target, stride);
}
