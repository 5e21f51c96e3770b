// Prediction of a macroblock from its neighbours (RFC 6386, section 12) and its residue (section 14), in a
// small buffer that stays in the cache.

import { CHROMA_FACTORS, REST_FACTORS, SECOND_FACTORS } from './header';
import { BLOCK_MODES, chromaMode, DC, HORIZONTAL, isOfBlocks, lumaMode, TRUE_MOTION, VERTICAL } from './modes';
import { COEFFICIENTS, KINDS, MOST_COEFFICIENT, SECOND_BLOCK } from './tokens';

/** bytes between rows of the buffer */
// @ts-ignore: decorator
@inline export const STRIDE: usize = 32;
const BUFFER = memory.data(26 * 32, 16);
// A row above, 8 bytes to the left of which the last one is used, 4 to the right: then Y. U and V follow
// below.
// @ts-ignore: decorator
@inline const Y_AT: usize = 32 + 8;
// @ts-ignore: decorator
@inline const U_AT: usize = 18 * 32 + 8;
// @ts-ignore: decorator
@inline const V_AT: usize = 18 * 32 + 24;

/**
 * Where the pixels of a 4 x 4 block's modes from 2 on are, by columns: of means of two neighbours on its
 * edge, and of three. The edge goes from L L L (lowest at the left) up to K J I, X (the corner), and A to H H
 */
const PLACES = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  5, 4, 3, 2, 5, 4, 3, 2, 5, 4, 3, 2, 5, 4, 3, 2,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  6, 5, 4, 3, 7, 6, 5, 4, 8, 7, 6, 5, 9, 8, 7, 6,
  6, 255, 255, 255, 7, 255, 6, 255, 8, 255, 7, 255, 9, 255, 8, 255,
  255, 6, 5, 4, 255, 7, 255, 6, 255, 8, 255, 7, 255, 9, 255, 8,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  8, 9, 10, 11, 9, 10, 11, 12, 10, 11, 12, 13, 11, 12, 13, 14,
  7, 255, 8, 255, 8, 255, 9, 255, 9, 255, 10, 255, 10, 255, 255, 255,
  255, 8, 255, 9, 255, 9, 255, 10, 255, 10, 255, 11, 255, 11, 12, 13,
  5, 4, 3, 2, 255, 255, 255, 255, 255, 5, 4, 3, 255, 255, 255, 255,
  255, 255, 255, 255, 6, 5, 4, 3, 7, 255, 255, 255, 8, 6, 5, 4,
  4, 3, 2, 255, 255, 255, 255, 255, 3, 2, 255, 255, 255, 255, 255, 255,
  255, 255, 255, 1, 4, 3, 2, 1, 255, 255, 1, 1, 3, 2, 1, 1,
]);

const NO_DC = 0x80;

/** Before the first macroblock of a row. */
export function beginRow(isFirstRow: bool): void {
  for (let y: usize = 0; y < 16; y++) store<u8>(BUFFER + Y_AT - 1 + y * STRIDE, 129);
  for (let y: usize = 0; y < 8; y++) {
    store<u8>(BUFFER + U_AT - 1 + y * STRIDE, 129);
    store<u8>(BUFFER + V_AT - 1 + y * STRIDE, 129);
  }
  if (isFirstRow) {
    memory.fill(BUFFER, 127, STRIDE);
    memory.fill(BUFFER + U_AT - 8 - STRIDE, 127, STRIDE);
  } else {
    store<u8>(BUFFER + Y_AT - 1 - STRIDE, 129);
    store<u8>(BUFFER + U_AT - 1 - STRIDE, 129);
    store<u8>(BUFFER + V_AT - 1 - STRIDE, 129);
  }
}

/**
 * Writes the macroblock's pixels to rows at `y`, `u`, `v`, and its last rows to `tops`, which has those of
 * the macroblock above, then the next one's. `factors`: of its segment. False if a coefficient is too large.
 */
export function reconstruct(
  factors: usize, tops: usize, isFirstRow: bool, isFirst: bool, isLast: bool,
  y: usize, u: usize, v: usize, yStride: usize, uvStride: usize,
): bool {
  const luma = BUFFER + Y_AT;
  if (!isFirst) {
    for (let row: usize = 0; row < 17; row++) {
      const at = luma - STRIDE + row * STRIDE;
      store<u32>(at - 4, load<u32>(at + 12));
    }
    for (let row: usize = 0; row < 9; row++) {
      const at = BUFFER + U_AT - STRIDE + row * STRIDE;
      store<u32>(at - 4, load<u32>(at + 4));
      store<u32>(at + 12, load<u32>(at + 20));
    }
  }
  if (!isFirstRow) {
    v128.store(luma - STRIDE, v128.load(tops));
    store<u64>(BUFFER + U_AT - STRIDE, load<u64>(tops, 16));
    store<u64>(BUFFER + V_AT - STRIDE, load<u64>(tops, 24));
  }
  if (isOfBlocks) {
    if (!isFirstRow) {
      store<u32>(luma - STRIDE + 16, isLast ? <u32>load<u8>(tops, 15) * 0x01010101 : load<u32>(tops, 32));
    }
    const right = load<u32>(luma - STRIDE + 16);
    store<u32>(luma + 3 * STRIDE + 16, right);
    store<u32>(luma + 7 * STRIDE + 16, right);
    store<u32>(luma + 11 * STRIDE + 16, right);
    for (let block: usize = 0; block < 16; block++) {
      predictBlock(block, factors, luma + (block & 3) * 4 + (block >> 2) * 4 * STRIDE);
    }
  } else {
    if (!transformSecond(factors)) return false;
    predictLuma(luma, isFirstRow, isFirst);
    for (let block: usize = 0; block < 16; block++) {
      addResidue(block, factors + REST_FACTORS, luma + (block & 3) * 4 + (block >> 2) * 4 * STRIDE);
    }
  }
  predictChroma(BUFFER + U_AT, isFirstRow, isFirst);
  predictChroma(BUFFER + V_AT, isFirstRow, isFirst);
  if (load<u64>(KINDS, 16)) {
    for (let block: usize = 0; block < 8; block++) {
      addResidue(
        16 + block, factors + CHROMA_FACTORS, BUFFER + U_AT + (block >> 2) * 16 + (block & 1) * 4 + (block >> 1 & 1) * 4 * STRIDE,
      );
    }
  }
  v128.store(tops, v128.load(luma + 15 * STRIDE));
  store<u64>(tops, load<u64>(BUFFER + U_AT + 7 * STRIDE), 16);
  store<u64>(tops, load<u64>(BUFFER + V_AT + 7 * STRIDE), 24);
  for (let row: usize = 0; row < 16; row++) v128.store(y + row * yStride, v128.load(luma + row * STRIDE));
  for (let row: usize = 0; row < 8; row++) {
    store<u64>(u + row * uvStride, load<u64>(BUFFER + U_AT + row * STRIDE));
    store<u64>(v + row * uvStride, load<u64>(BUFFER + V_AT + row * STRIDE));
  }
  return true;
}

// ---- prediction ----

function predictLuma(to: usize, isFirstRow: bool, isFirst: bool): void {
  if (lumaMode == DC) {
    let sum: u32 = 0;
    let shift: u32 = 3;
    if (!isFirstRow) {
      sum += sumOf16(v128.load(to - STRIDE));
      shift++;
    }
    if (!isFirst) {
      for (let y: usize = 0; y < 16; y++) sum += load<u8>(to - 1 + y * STRIDE);
      shift++;
    }
    const mean = shift == 3 ? NO_DC : (sum + (1 << (shift - 1))) >> shift;
    const pixels = i8x16.splat(<i8>mean);
    for (let y: usize = 0; y < 16; y++) v128.store(to + y * STRIDE, pixels);
  } else if (lumaMode == TRUE_MOTION) {
    const above = v128.load(to - STRIDE);
    const corner = i16x8.splat(load<u8>(to - STRIDE - 1));
    const low = i16x8.sub(i16x8.extend_low_i8x16_u(above), corner);
    const high = i16x8.sub(i16x8.extend_high_i8x16_u(above), corner);
    for (let y: usize = 0; y < 16; y++) {
      const beside = i16x8.splat(load<u8>(to + y * STRIDE - 1));
      v128.store(to + y * STRIDE, i8x16.narrow_i16x8_u(i16x8.add(low, beside), i16x8.add(high, beside)));
    }
  } else if (lumaMode == VERTICAL) {
    const above = v128.load(to - STRIDE);
    for (let y: usize = 0; y < 16; y++) v128.store(to + y * STRIDE, above);
  } else {
    for (let y: usize = 0; y < 16; y++) v128.store(to + y * STRIDE, v128.load8_splat(to + y * STRIDE - 1));
  }
}

function predictChroma(to: usize, isFirstRow: bool, isFirst: bool): void {
  if (chromaMode == DC) {
    let sum: u32 = 0;
    let shift: u32 = 2;
    if (!isFirstRow) {
      sum += sumOf16(v128.load64_zero(to - STRIDE));
      shift++;
    }
    if (!isFirst) {
      for (let y: usize = 0; y < 8; y++) sum += load<u8>(to - 1 + y * STRIDE);
      shift++;
    }
    const mean: u64 = shift == 2 ? NO_DC : (sum + (1 << (shift - 1))) >> shift;
    for (let y: usize = 0; y < 8; y++) store<u64>(to + y * STRIDE, mean * 0x0101010101010101);
  } else if (chromaMode == TRUE_MOTION) {
    const corner = i16x8.splat(load<u8>(to - STRIDE - 1));
    const above = i16x8.sub(v128.load8x8_u(to - STRIDE), corner);
    for (let y: usize = 0; y < 8; y++) {
      const pixels = i16x8.add(above, i16x8.splat(load<u8>(to + y * STRIDE - 1)));
      v128.store64_lane(to + y * STRIDE, i8x16.narrow_i16x8_u(pixels, pixels), 0);
    }
  } else if (chromaMode == HORIZONTAL) {
    for (let y: usize = 0; y < 8; y++) {
      store<u64>(to + y * STRIDE, <u64>load<u8>(to + y * STRIDE - 1) * 0x0101010101010101);
    }
  } else {
    const above = load<u64>(to - STRIDE);
    for (let y: usize = 0; y < 8; y++) store<u64>(to + y * STRIDE, above);
  }
}

function sumOf16(pixels: v128): u32 {
  const pairs = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(pixels));
  const halves = i32x4.add(pairs, i32x4.shuffle(pairs, pairs, 2, 3, 2, 3));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

/** A 4 x 4 block: predicts it and adds its residue. */
function predictBlock(block: usize, factors: usize, to: usize): void {
  const mode = <usize>load<u8>(BLOCK_MODES + block);
  const above = load<u32>(to - STRIDE);
  const corner = <u32>load<u8>(to - STRIDE - 1);
  const i = <u32>load<u8>(to - 1);
  const j = <u32>load<u8>(to - 1 + STRIDE);
  const k = <u32>load<u8>(to - 1 + 2 * STRIDE);
  const l = <u32>load<u8>(to - 1 + 3 * STRIDE);
  let pixels: v128;
  if (mode == <usize>DC) {
    const beside = i | (j << 8) | (k << 16) | (l << 24);
    let sum = (above & 0xff00ff) + ((above >>> 8) & 0xff00ff) + (beside & 0xff00ff) + ((beside >>> 8) & 0xff00ff);
    sum = ((sum + (sum >>> 16)) & 0xffff) + 4;
    pixels = i8x16.splat(<i8>(sum >>> 3));
  } else if (mode == <usize>TRUE_MOTION) {
    const beside = i32x4.splat(i | (j << 8) | (k << 16) | (l << 24));
    const difference = i16x8.sub(i16x8.extend_low_i8x16_u(beside), i16x8.splat(<i16>corner));
    const columns = i8x16.shuffle(
      i32x4.splat(above), i32x4.splat(above), 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
    );
    pixels = i8x16.narrow_i16x8_u(
      i16x8.add(i16x8.extend_low_i8x16_u(columns), difference),
      i16x8.add(i16x8.extend_high_i8x16_u(columns), difference),
    );
  } else {
    const behind = load<u32>(to - STRIDE + 4);
    const low = <u64>((l * 0x010101) | (k << 24)) | (<u64>(j | (i << 8) | (corner << 16) | (above << 24)) << 32);
    const high = <u64>(above >>> 8) | (<u64>behind << 24) | (<u64>(behind >>> 24) << 56);
    const edge = i64x2.replace_lane(i64x2.splat(low), 1, high);
    const next = i8x16.shuffle(edge, edge, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15);
    const before = i8x16.shuffle(edge, edge, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    const twos = i8x16.avgr_u(edge, next);
    const odd = v128.and(v128.xor(before, next), i8x16.splat(1));
    const threes = i8x16.avgr_u(edge, i8x16.sub(i8x16.avgr_u(before, next), odd));
    const places = PLACES + ((mode - 2) << 5);
    pixels = v128.or(i8x16.swizzle(twos, v128.load(places)), i8x16.swizzle(threes, v128.load(places, 16)));
  }
  const kind = load<u8>(KINDS + block);
  if (kind == 2) pixels = addTransformed(COEFFICIENTS + (block << 5), factors, pixels);
  else {
    if (kind == 1) pixels = addFlat(COEFFICIENTS + (block << 5), factors, pixels);
    pixels = transpose(pixels);
  }
  v128.store32_lane(to, pixels, 0);
  v128.store32_lane(to + STRIDE, pixels, 1);
  v128.store32_lane(to + 2 * STRIDE, pixels, 2);
  v128.store32_lane(to + 3 * STRIDE, pixels, 3);
}

// ---- residues ----

/** Adds a block's residue to its predicted pixels. */
function addResidue(block: usize, factors: usize, to: usize): void {
  const kind = load<u8>(KINDS + block);
  if (kind == 0) return;
  let pixels = v128.load32_zero(to);
  pixels = v128.load32_lane(to + STRIDE, pixels, 1);
  pixels = v128.load32_lane(to + 2 * STRIDE, pixels, 2);
  pixels = v128.load32_lane(to + 3 * STRIDE, pixels, 3);
  const coefficients = COEFFICIENTS + (block << 5);
  pixels = kind == 1 ? addFlat(coefficients, factors, pixels) : addTransformed(coefficients, factors, transpose(pixels));
  v128.store32_lane(to, pixels, 0);
  v128.store32_lane(to + STRIDE, pixels, 1);
  v128.store32_lane(to + 2 * STRIDE, pixels, 2);
  v128.store32_lane(to + 3 * STRIDE, pixels, 3);
}

/** Transposes rows and columns. */
// @ts-ignore: decorator
@inline function transpose(pixels: v128): v128 {
  return i8x16.shuffle(pixels, pixels, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}

/** Adds a residue with only a first coefficient, and clears it. */
// @ts-ignore: decorator
@inline function addFlat(coefficients: usize, factors: usize, pixels: v128): v128 {
  const residue = i16x8.splat(<i16>((<i32>load<i16>(coefficients) * <i32>load<u16>(factors) + 4) >> 3));
  store<u16>(coefficients, 0);
  return i8x16.narrow_i16x8_u(
    i16x8.add(i16x8.extend_low_i8x16_u(pixels), residue),
    i16x8.add(i16x8.extend_high_i8x16_u(pixels), residue),
  );
}

// @ts-ignore: decorator
@inline function sine(x: v128): v128 {
  return i32x4.shr_s(i32x4.mul(x, i32x4.splat(35468)), 16);
}
// @ts-ignore: decorator
@inline function cosine(x: v128): v128 {
  return i32x4.add(i32x4.shr_s(i32x4.mul(x, i32x4.splat(20091)), 16), x);
}

/** Adds the transformed coefficients to pixels in columns, and clears them. The result is in rows. */
// @ts-ignore: decorator
@inline function addTransformed(coefficients: usize, factors: usize, pixels: v128): v128 {
  const low = i16x8.mul(v128.load(coefficients), v128.load(factors));
  const high = i16x8.mul(v128.load(coefficients, 16), v128.load(factors, 16));
  const in0 = i32x4.extend_low_i16x8_s(low);
  const in1 = i32x4.extend_high_i16x8_s(low);
  const in2 = i32x4.extend_low_i16x8_s(high);
  const in3 = i32x4.extend_high_i16x8_s(high);
  v128.store(coefficients, i64x2.splat(0));
  v128.store(coefficients, i64x2.splat(0), 16);
  let a = i32x4.add(in0, in2);
  let b = i32x4.sub(in0, in2);
  let c = i32x4.sub(sine(in1), cosine(in3));
  let d = i32x4.add(cosine(in1), sine(in3));
  const row0 = i32x4.add(a, d);
  const row1 = i32x4.add(b, c);
  const row2 = i32x4.sub(b, c);
  const row3 = i32x4.sub(a, d);
  const low01 = i32x4.shuffle(row0, row1, 0, 4, 1, 5);
  const high01 = i32x4.shuffle(row0, row1, 2, 6, 3, 7);
  const low23 = i32x4.shuffle(row2, row3, 0, 4, 1, 5);
  const high23 = i32x4.shuffle(row2, row3, 2, 6, 3, 7);
  const column0 = i32x4.add(i64x2.shuffle(low01, low23, 0, 2), i32x4.splat(4));
  const column1 = i64x2.shuffle(low01, low23, 1, 3);
  const column2 = i64x2.shuffle(high01, high23, 0, 2);
  const column3 = i64x2.shuffle(high01, high23, 1, 3);
  a = i32x4.add(column0, column2);
  b = i32x4.sub(column0, column2);
  c = i32x4.sub(sine(column1), cosine(column3));
  d = i32x4.add(cosine(column1), sine(column3));
  const left = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(a, d), 3), i32x4.shr_s(i32x4.add(b, c), 3));
  const right = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.sub(b, c), 3), i32x4.shr_s(i32x4.sub(a, d), 3));
  return transpose(i8x16.narrow_i16x8_u(
    i16x8.add(i16x8.extend_low_i8x16_u(pixels), left),
    i16x8.add(i16x8.extend_high_i8x16_u(pixels), right),
  ));
}

/** Transforms Y2 to the first coefficients of the luma blocks. False if one is too large. */
export function transformSecond(factors: usize): bool {
  const from = COEFFICIENTS + (SECOND_BLOCK << 5);
  if (load<u8>(KINDS + SECOND_BLOCK) == 0) return true;
  const low = i16x8.mul(v128.load(from), v128.load(factors, SECOND_FACTORS));
  const high = i16x8.mul(v128.load(from, 16), v128.load(factors, SECOND_FACTORS + 16));
  const in0 = i32x4.extend_low_i16x8_s(low);
  const in1 = i32x4.extend_high_i16x8_s(low);
  const in2 = i32x4.extend_low_i16x8_s(high);
  const in3 = i32x4.extend_high_i16x8_s(high);
  v128.store(from, i64x2.splat(0));
  v128.store(from, i64x2.splat(0), 16);
  let a0 = i32x4.add(in0, in3);
  let a1 = i32x4.add(in1, in2);
  let a2 = i32x4.sub(in1, in2);
  let a3 = i32x4.sub(in0, in3);
  const row0 = i32x4.add(a0, a1);
  const row1 = i32x4.add(a3, a2);
  const row2 = i32x4.sub(a0, a1);
  const row3 = i32x4.sub(a3, a2);
  const low01 = i32x4.shuffle(row0, row1, 0, 4, 1, 5);
  const high01 = i32x4.shuffle(row0, row1, 2, 6, 3, 7);
  const low23 = i32x4.shuffle(row2, row3, 0, 4, 1, 5);
  const high23 = i32x4.shuffle(row2, row3, 2, 6, 3, 7);
  const column0 = i32x4.add(i64x2.shuffle(low01, low23, 0, 2), i32x4.splat(3));
  const column1 = i64x2.shuffle(low01, low23, 1, 3);
  const column2 = i64x2.shuffle(high01, high23, 0, 2);
  const column3 = i64x2.shuffle(high01, high23, 1, 3);
  a0 = i32x4.add(column0, column3);
  a1 = i32x4.add(column1, column2);
  a2 = i32x4.sub(column1, column2);
  a3 = i32x4.sub(column0, column3);
  // blocks of the first column, top to bottom
  const out0 = i32x4.shr_s(i32x4.add(a0, a1), 3);
  const out1 = i32x4.shr_s(i32x4.add(a3, a2), 3);
  const out2 = i32x4.shr_s(i32x4.sub(a0, a1), 3);
  const out3 = i32x4.shr_s(i32x4.sub(a3, a2), 3);
  const most = i32x4.max_s(
    i32x4.max_s(i32x4.abs(out0), i32x4.abs(out1)), i32x4.max_s(i32x4.abs(out2), i32x4.abs(out3)),
  );
  if (v128.any_true(i32x4.gt_s(most, i32x4.splat(MOST_COEFFICIENT)))) return false;
  storeFirsts(out0, 0);
  storeFirsts(out1, 1);
  storeFirsts(out2, 2);
  storeFirsts(out3, 3);
  for (let block: usize = 0; block < 16; block++) {
    const kind = KINDS + block;
    store<u8>(kind, max<u32>(load<u8>(kind), <u32>(load<i16>(COEFFICIENTS + (block << 5)) != 0)));
  }
  return true;
}

// @ts-ignore: decorator
@inline function storeFirsts(firsts: v128, column: usize): void {
  const to = COEFFICIENTS + (column << 5);
  store<i16>(to, <i16>i32x4.extract_lane(firsts, 0));
  store<i16>(to, <i16>i32x4.extract_lane(firsts, 1), 4 * 32);
  store<i16>(to, <i16>i32x4.extract_lane(firsts, 2), 8 * 32);
  store<i16>(to, <i16>i32x4.extract_lane(firsts, 3), 12 * 32);
}
