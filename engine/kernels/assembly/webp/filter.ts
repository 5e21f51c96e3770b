// The loop filter (RFC 6386, section 15). Each edge is filtered across 16 pixels at once: edges between
// columns are transposed first, so that their pixels are in vectors.

import { filterType } from './header';

/** columns of a macroblock, 16 bytes each, after four of the one to the left; or rows of chroma, U then V */
const TRANSPOSED = memory.data(320, 16);

/**
 * Filters a macroblock. `strength` is from header.ts; its high byte tells whether the inner edges are
 * filtered. `hasLeft` and `hasAbove`: there are macroblocks to the left and above.
 */
export function filterMacroblock(
  strength: u32, y: usize, u: usize, v: usize, yStride: usize, uvStride: usize, hasLeft: bool, hasAbove: bool,
): void {
  const edgeLimit = strength & 255;
  if (edgeLimit == 0) return;
  const isInner = strength >>> 24 != 0;
  const outerLimit = i8x16.splat(<i8>(edgeLimit + 4));
  const innerLimit = i8x16.splat(<i8>edgeLimit);
  if (filterType == 1) {
    filterSimply(y, yStride, outerLimit, innerLimit, isInner, hasLeft, hasAbove);
    return;
  }
  const interiorLimit = i8x16.splat(<i8>(strength >>> 8));
  const variance = i8x16.splat(<i8>(strength >>> 16));
  const turned: usize = TRANSPOSED + 64;
  if (hasLeft || isInner) {
    transposeColumns(y, yStride, hasLeft);
    if (hasLeft) filterOuter(turned, 16, outerLimit, interiorLimit, variance);
    if (isInner) {
      filterInner(turned + 64, 16, innerLimit, interiorLimit, variance);
      filterInner(turned + 128, 16, innerLimit, interiorLimit, variance);
      filterInner(turned + 192, 16, innerLimit, interiorLimit, variance);
    }
    turnColumnsBack(y, yStride, hasLeft);
    transpose16(u - 8, v - 8, uvStride, TRANSPOSED, TRANSPOSED + 128, 16);
    if (hasLeft) filterOuter(TRANSPOSED + 128, 16, outerLimit, interiorLimit, variance);
    if (isInner) filterInner(TRANSPOSED + 192, 16, innerLimit, interiorLimit, variance);
    transpose16(TRANSPOSED, TRANSPOSED + 128, 16, u - 8, v - 8, uvStride);
  }
  if (hasAbove || isInner) {
    if (hasAbove) filterOuter(y, yStride, outerLimit, interiorLimit, variance);
    if (isInner) {
      filterInner(y + 4 * yStride, yStride, innerLimit, interiorLimit, variance);
      filterInner(y + 8 * yStride, yStride, innerLimit, interiorLimit, variance);
      filterInner(y + 12 * yStride, yStride, innerLimit, interiorLimit, variance);
    }
    const above = uvStride << 2;
    for (let row: usize = 0; row < 12; row++) {
      const from = row * uvStride;
      v128.store(TRANSPOSED + (row << 4), v128.load64_lane(v - above + from, v128.load64_zero(u - above + from), 1));
    }
    if (hasAbove) filterOuter(turned, 16, outerLimit, interiorLimit, variance);
    if (isInner) filterInner(turned + 64, 16, innerLimit, interiorLimit, variance);
    for (let row: usize = hasAbove ? 1 : 4; row < 12; row++) {
      const pixels = v128.load(TRANSPOSED + (row << 4));
      v128.store64_lane(u - above + row * uvStride, pixels, 0);
      v128.store64_lane(v - above + row * uvStride, pixels, 1);
    }
  }
}

function filterSimply(
  y: usize, stride: usize, outerLimit: v128, innerLimit: v128, isInner: bool, hasLeft: bool, hasAbove: bool,
): void {
  const turned: usize = TRANSPOSED + 64;
  if (hasLeft || isInner) {
    transposeColumns(y, stride, hasLeft);
    if (hasLeft) filterEdge(turned, 16, outerLimit);
    if (isInner) {
      filterEdge(turned + 64, 16, innerLimit);
      filterEdge(turned + 128, 16, innerLimit);
      filterEdge(turned + 192, 16, innerLimit);
    }
    turnColumnsBack(y, stride, hasLeft);
  }
  if (hasAbove) filterEdge(y, stride, outerLimit);
  if (isInner) {
    filterEdge(y + 4 * stride, stride, innerLimit);
    filterEdge(y + 8 * stride, stride, innerLimit);
    filterEdge(y + 12 * stride, stride, innerLimit);
  }
}

// ---- edges: `at` is the first row after one ----

// @ts-ignore: decorator
@inline function difference(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}
/** Pixels to signed numbers, and back. */
// @ts-ignore: decorator
@inline function signed(pixels: v128): v128 {
  return v128.xor(pixels, i8x16.splat(-128));
}
// @ts-ignore: decorator
@inline function isWithin(p1: v128, p0: v128, q0: v128, q1: v128, edgeLimit: v128): v128 {
  const inner = difference(p0, q0);
  const outer = v128.and(i16x8.shr_u(difference(p1, q1), 1), i8x16.splat(127));
  return i8x16.le_u(i8x16.add_sat_u(i8x16.add_sat_u(inner, inner), outer), edgeLimit);
}
/** Three times the step across the edge, plus `start`. */
// @ts-ignore: decorator
@inline function threeSteps(start: v128, p0: v128, q0: v128): v128 {
  const step = i8x16.sub_sat_s(q0, p0);
  return i8x16.add_sat_s(i8x16.add_sat_s(i8x16.add_sat_s(start, step), step), step);
}

/** The simple filter. */
function filterEdge(at: usize, stride: usize, edgeLimit: v128): void {
  const p1 = v128.load(at - 2 * stride);
  const p0 = v128.load(at - stride);
  const q0 = v128.load(at);
  const q1 = v128.load(at + stride);
  const mask = isWithin(p1, p0, q0, q1, edgeLimit);
  const a = v128.and(
    threeSteps(i8x16.sub_sat_s(signed(p1), signed(q1)), signed(p0), signed(q0)), mask,
  );
  v128.store(at - stride, signed(i8x16.add_sat_s(
    signed(p0), i8x16.shr_s(i8x16.add_sat_s(a, i8x16.splat(3)), 3),
  )));
  v128.store(at, signed(i8x16.sub_sat_s(
    signed(q0), i8x16.shr_s(i8x16.add_sat_s(a, i8x16.splat(4)), 3),
  )));
}

// @ts-ignore: decorator
@inline function isSmooth(at: usize, stride: usize, edgeLimit: v128, interiorLimit: v128): v128 {
  const p3 = v128.load(at - 4 * stride);
  const p2 = v128.load(at - 3 * stride);
  const p1 = v128.load(at - 2 * stride);
  const p0 = v128.load(at - stride);
  const q0 = v128.load(at);
  const q1 = v128.load(at + stride);
  const q2 = v128.load(at + 2 * stride);
  const q3 = v128.load(at + 3 * stride);
  const most = i8x16.max_u(
    i8x16.max_u(i8x16.max_u(difference(p3, p2), difference(p2, p1)), difference(p1, p0)),
    i8x16.max_u(i8x16.max_u(difference(q3, q2), difference(q2, q1)), difference(q1, q0)),
  );
  return v128.and(i8x16.le_u(most, interiorLimit), isWithin(p1, p0, q0, q1, edgeLimit));
}

// @ts-ignore: decorator
@inline function isVaried(p1: v128, p0: v128, q0: v128, q1: v128, variance: v128): v128 {
  return i8x16.gt_u(i8x16.max_u(difference(p1, p0), difference(q1, q0)), variance);
}

/** An edge between macroblocks. */
function filterOuter(at: usize, stride: usize, edgeLimit: v128, interiorLimit: v128, variance: v128): void {
  const mask = isSmooth(at, stride, edgeLimit, interiorLimit);
  if (!v128.any_true(mask)) return;
  let p1 = v128.load(at - 2 * stride);
  let p0 = v128.load(at - stride);
  let q0 = v128.load(at);
  let q1 = v128.load(at + stride);
  const varied = isVaried(p1, p0, q0, q1, variance);
  p1 = signed(p1);
  p0 = signed(p0);
  q0 = signed(q0);
  q1 = signed(q1);
  const p2 = signed(v128.load(at - 3 * stride));
  const q2 = signed(v128.load(at + 2 * stride));
  const a = v128.and(threeSteps(i8x16.sub_sat_s(p1, q1), p0, q0), mask);
  const strong = v128.and(a, varied);
  p0 = i8x16.add_sat_s(p0, i8x16.shr_s(i8x16.add_sat_s(strong, i8x16.splat(3)), 3));
  q0 = i8x16.sub_sat_s(q0, i8x16.shr_s(i8x16.add_sat_s(strong, i8x16.splat(4)), 3));
  const soft = v128.andnot(a, varied);
  const low = i16x8.mul(i16x8.extend_low_i8x16_s(soft), i16x8.splat(9));
  const high = i16x8.mul(i16x8.extend_high_i8x16_s(soft), i16x8.splat(9));
  let lowSum = i16x8.add(low, i16x8.splat(63));
  let highSum = i16x8.add(high, i16x8.splat(63));
  let by = i8x16.narrow_i16x8_s(i16x8.shr_s(lowSum, 7), i16x8.shr_s(highSum, 7));
  v128.store(at - 3 * stride, signed(i8x16.add_sat_s(p2, by)));
  v128.store(at + 2 * stride, signed(i8x16.sub_sat_s(q2, by)));
  lowSum = i16x8.add(lowSum, low);
  highSum = i16x8.add(highSum, high);
  by = i8x16.narrow_i16x8_s(i16x8.shr_s(lowSum, 7), i16x8.shr_s(highSum, 7));
  v128.store(at - 2 * stride, signed(i8x16.add_sat_s(p1, by)));
  v128.store(at + stride, signed(i8x16.sub_sat_s(q1, by)));
  lowSum = i16x8.add(lowSum, low);
  highSum = i16x8.add(highSum, high);
  by = i8x16.narrow_i16x8_s(i16x8.shr_s(lowSum, 7), i16x8.shr_s(highSum, 7));
  v128.store(at - stride, signed(i8x16.add_sat_s(p0, by)));
  v128.store(at, signed(i8x16.sub_sat_s(q0, by)));
}

/** An edge inside a macroblock. */
function filterInner(at: usize, stride: usize, edgeLimit: v128, interiorLimit: v128, variance: v128): void {
  const mask = isSmooth(at, stride, edgeLimit, interiorLimit);
  if (!v128.any_true(mask)) return;
  let p1 = v128.load(at - 2 * stride);
  let p0 = v128.load(at - stride);
  let q0 = v128.load(at);
  let q1 = v128.load(at + stride);
  const varied = isVaried(p1, p0, q0, q1, variance);
  p1 = signed(p1);
  p0 = signed(p0);
  q0 = signed(q0);
  q1 = signed(q1);
  const a = v128.and(threeSteps(v128.and(i8x16.sub_sat_s(p1, q1), varied), p0, q0), mask);
  const byQ = i8x16.shr_s(i8x16.add_sat_s(a, i8x16.splat(4)), 3);
  const byP = i8x16.shr_s(i8x16.add_sat_s(a, i8x16.splat(3)), 3);
  const half = v128.andnot(i8x16.shr_s(i8x16.add(byQ, i8x16.splat(1)), 1), varied);
  v128.store(at - 2 * stride, signed(i8x16.add_sat_s(p1, half)));
  v128.store(at - stride, signed(i8x16.add_sat_s(p0, byP)));
  v128.store(at, signed(i8x16.sub_sat_s(q0, byQ)));
  v128.store(at + stride, signed(i8x16.sub_sat_s(q1, half)));
}

// ---- columns to rows ----

/** Transposes the macroblock at y, and four columns to its left if they are filtered, to TRANSPOSED. */
function transposeColumns(y: usize, stride: usize, hasLeft: bool): void {
  transpose16(y, y + 8 * stride, stride, TRANSPOSED + 64, TRANSPOSED + 192, 16);
  if (!hasLeft) return;
  const left = y - 4;
  const rows0 = transpose4(loadFour(left, stride));
  const rows1 = transpose4(loadFour(left + 4 * stride, stride));
  const rows2 = transpose4(loadFour(left + 8 * stride, stride));
  const rows3 = transpose4(loadFour(left + 12 * stride, stride));
  const low01 = i32x4.shuffle(rows0, rows1, 0, 4, 1, 5);
  const high01 = i32x4.shuffle(rows0, rows1, 2, 6, 3, 7);
  const low23 = i32x4.shuffle(rows2, rows3, 0, 4, 1, 5);
  const high23 = i32x4.shuffle(rows2, rows3, 2, 6, 3, 7);
  v128.store(TRANSPOSED, i64x2.shuffle(low01, low23, 0, 2));
  v128.store(TRANSPOSED, i64x2.shuffle(low01, low23, 1, 3), 16);
  v128.store(TRANSPOSED, i64x2.shuffle(high01, high23, 0, 2), 32);
  v128.store(TRANSPOSED, i64x2.shuffle(high01, high23, 1, 3), 48);
}

function turnColumnsBack(y: usize, stride: usize, hasLeft: bool): void {
  transpose16(TRANSPOSED + 64, TRANSPOSED + 192, 16, y, y + 8 * stride, stride);
  if (!hasLeft) return;
  const column0 = v128.load(TRANSPOSED);
  const column1 = v128.load(TRANSPOSED, 16);
  const column2 = v128.load(TRANSPOSED, 32);
  const column3 = v128.load(TRANSPOSED, 48);
  const low01 = i32x4.shuffle(column0, column1, 0, 4, 1, 5);
  const high01 = i32x4.shuffle(column0, column1, 2, 6, 3, 7);
  const low23 = i32x4.shuffle(column2, column3, 0, 4, 1, 5);
  const high23 = i32x4.shuffle(column2, column3, 2, 6, 3, 7);
  const left = y - 4;
  storeFour(left, stride, transpose4(i64x2.shuffle(low01, low23, 0, 2)));
  storeFour(left + 4 * stride, stride, transpose4(i64x2.shuffle(low01, low23, 1, 3)));
  storeFour(left + 8 * stride, stride, transpose4(i64x2.shuffle(high01, high23, 0, 2)));
  storeFour(left + 12 * stride, stride, transpose4(i64x2.shuffle(high01, high23, 1, 3)));
}

// @ts-ignore: decorator
@inline function loadFour(at: usize, stride: usize): v128 {
  let rows = v128.load32_zero(at);
  rows = v128.load32_lane(at + stride, rows, 1);
  rows = v128.load32_lane(at + 2 * stride, rows, 2);
  return v128.load32_lane(at + 3 * stride, rows, 3);
}
// @ts-ignore: decorator
@inline function storeFour(at: usize, stride: usize, rows: v128): void {
  v128.store32_lane(at, rows, 0);
  v128.store32_lane(at + stride, rows, 1);
  v128.store32_lane(at + 2 * stride, rows, 2);
  v128.store32_lane(at + 3 * stride, rows, 3);
}
// @ts-ignore: decorator
@inline function transpose4(rows: v128): v128 {
  return i8x16.shuffle(rows, rows, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}
// @ts-ignore: decorator
@inline function low(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
// @ts-ignore: decorator
@inline function high(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/** Transposes 16 x 16 bytes: eight rows from each of two addresses to columns at two others. */
function transpose16(from: usize, from8: usize, stride: usize, to: usize, to8: usize, toStride: usize): void {
  const r0 = v128.load(from);
  const r1 = v128.load(from + stride);
  const r2 = v128.load(from + 2 * stride);
  const r3 = v128.load(from + 3 * stride);
  const r4 = v128.load(from + 4 * stride);
  const r5 = v128.load(from + 5 * stride);
  const r6 = v128.load(from + 6 * stride);
  const r7 = v128.load(from + 7 * stride);
  const r8 = v128.load(from8);
  const r9 = v128.load(from8 + stride);
  const r10 = v128.load(from8 + 2 * stride);
  const r11 = v128.load(from8 + 3 * stride);
  const r12 = v128.load(from8 + 4 * stride);
  const r13 = v128.load(from8 + 5 * stride);
  const r14 = v128.load(from8 + 6 * stride);
  const r15 = v128.load(from8 + 7 * stride);
  const a0 = low(r0, r8);
  const a1 = high(r0, r8);
  const a2 = low(r1, r9);
  const a3 = high(r1, r9);
  const a4 = low(r2, r10);
  const a5 = high(r2, r10);
  const a6 = low(r3, r11);
  const a7 = high(r3, r11);
  const a8 = low(r4, r12);
  const a9 = high(r4, r12);
  const a10 = low(r5, r13);
  const a11 = high(r5, r13);
  const a12 = low(r6, r14);
  const a13 = high(r6, r14);
  const a14 = low(r7, r15);
  const a15 = high(r7, r15);
  const b0 = low(a0, a8);
  const b1 = high(a0, a8);
  const b2 = low(a1, a9);
  const b3 = high(a1, a9);
  const b4 = low(a2, a10);
  const b5 = high(a2, a10);
  const b6 = low(a3, a11);
  const b7 = high(a3, a11);
  const b8 = low(a4, a12);
  const b9 = high(a4, a12);
  const b10 = low(a5, a13);
  const b11 = high(a5, a13);
  const b12 = low(a6, a14);
  const b13 = high(a6, a14);
  const b14 = low(a7, a15);
  const b15 = high(a7, a15);
  const c0 = low(b0, b8);
  const c1 = high(b0, b8);
  const c2 = low(b1, b9);
  const c3 = high(b1, b9);
  const c4 = low(b2, b10);
  const c5 = high(b2, b10);
  const c6 = low(b3, b11);
  const c7 = high(b3, b11);
  const c8 = low(b4, b12);
  const c9 = high(b4, b12);
  const c10 = low(b5, b13);
  const c11 = high(b5, b13);
  const c12 = low(b6, b14);
  const c13 = high(b6, b14);
  const c14 = low(b7, b15);
  const c15 = high(b7, b15);
  const d0 = low(c0, c8);
  const d1 = high(c0, c8);
  const d2 = low(c1, c9);
  const d3 = high(c1, c9);
  const d4 = low(c2, c10);
  const d5 = high(c2, c10);
  const d6 = low(c3, c11);
  const d7 = high(c3, c11);
  const d8 = low(c4, c12);
  const d9 = high(c4, c12);
  const d10 = low(c5, c13);
  const d11 = high(c5, c13);
  const d12 = low(c6, c14);
  const d13 = high(c6, c14);
  const d14 = low(c7, c15);
  const d15 = high(c7, c15);
  v128.store(to, d0);
  v128.store(to + toStride, d1);
  v128.store(to + 2 * toStride, d2);
  v128.store(to + 3 * toStride, d3);
  v128.store(to + 4 * toStride, d4);
  v128.store(to + 5 * toStride, d5);
  v128.store(to + 6 * toStride, d6);
  v128.store(to + 7 * toStride, d7);
  v128.store(to8, d8);
  v128.store(to8 + toStride, d9);
  v128.store(to8 + 2 * toStride, d10);
  v128.store(to8 + 3 * toStride, d11);
  v128.store(to8 + 4 * toStride, d12);
  v128.store(to8 + 5 * toStride, d13);
  v128.store(to8 + 6 * toStride, d14);
  v128.store(to8 + 7 * toStride, d15);
}
