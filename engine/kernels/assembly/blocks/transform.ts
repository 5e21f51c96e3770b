// Samples to quantised coefficients: jfdctint.c of libjpeg, 13-bit constants, two more bits after pass 1;
// exact rounded division.
import { ZIGZAG_MASKS } from './layout.ts';

// @ts-ignore: decorator
@inline function low16(a: v128, b: v128): v128 { return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
// @ts-ignore: decorator
@inline function high16(a: v128, b: v128): v128 { return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
// @ts-ignore: decorator
@inline function low32(a: v128, b: v128): v128 { return i32x4.shuffle(a, b, 0, 4, 1, 5); }
// @ts-ignore: decorator
@inline function high32(a: v128, b: v128): v128 { return i32x4.shuffle(a, b, 2, 6, 3, 7); }
// @ts-ignore: decorator
@inline function low64(a: v128, b: v128): v128 { return i64x2.shuffle(a, b, 0, 2); }
// @ts-ignore: decorator
@inline function high64(a: v128, b: v128): v128 { return i64x2.shuffle(a, b, 1, 3); }
// Pairs of factors for interleaved values, and the roundings of both passes; loaded as in convert.ts.
const FACTORS = memory.data<i16>([
  10703, 4433, 10703, 4433, 10703, 4433, 10703, 4433,
  4433, -10704, 4433, -10704, 4433, -10704, 4433, -10704,
  2260, 6437, 2260, 6437, 2260, 6437, 2260, 6437,
  9633, 11363, 9633, 11363, 9633, 11363, 9633, 11363,
  -6436, -11362, -6436, -11362, -6436, -11362, -6436, -11362,
  -2259, 9633, -2259, 9633, -2259, 9633, -2259, 9633,
  9633, 2261, 9633, 2261, 9633, 2261, 9633, 2261,
  -11362, 6437, -11362, 6437, -11362, 6437, -11362, 6437,
  -11363, 9633, -11363, 9633, -11363, 9633, -11363, 9633,
  -6436, 2260, -6436, 2260, -6436, 2260, -6436, 2260,
]);
const ROUNDINGS = memory.data<i32>([1024, 1024, 1024, 1024, 16384, 16384, 16384, 16384]);
const TWOS = memory.data<i16>([2, 2, 2, 2, 2, 2, 2, 2]);

// (a * first + b * second, rounded) >> shift for interleaved a, b
// @ts-ignore: decorator
@inline function rotate(low: v128, high: v128, factors: v128, round: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, factors), round), shift),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, factors), round), shift),
  );
}
// (a * fa + b * fb + c * fc + d * fd, rounded) >> shift
// @ts-ignore: decorator
@inline function combine(abLow: v128, abHigh: v128, cdLow: v128, cdHigh: v128, ab: v128, cd: v128, round: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.add(i32x4.dot_i16x8_s(abLow, ab), i32x4.dot_i16x8_s(cdLow, cd)), round), shift),
    i32x4.shr_s(i32x4.add(i32x4.add(i32x4.dot_i16x8_s(abHigh, ab), i32x4.dot_i16x8_s(cdHigh, cd)), round), shift),
  );
}

/** One of the two passes: transposes the block, then transforms its columns. `first` is a constant. */
// @ts-ignore: decorator
@inline function transformPass(block: usize, first: bool): void {
  const r0 = v128.load(block), r1 = v128.load(block, 16), r2 = v128.load(block, 32), r3 = v128.load(block, 48);
  const r4 = v128.load(block, 64), r5 = v128.load(block, 80), r6 = v128.load(block, 96), r7 = v128.load(block, 112);
  const a0 = low16(r0, r1), a1 = high16(r0, r1), a2 = low16(r2, r3), a3 = high16(r2, r3);
  const a4 = low16(r4, r5), a5 = high16(r4, r5), a6 = low16(r6, r7), a7 = high16(r6, r7);
  const b0 = low32(a0, a2), b1 = high32(a0, a2), b2 = low32(a1, a3), b3 = high32(a1, a3);
  const b4 = low32(a4, a6), b5 = high32(a4, a6), b6 = low32(a5, a7), b7 = high32(a5, a7);
  const d0 = low64(b0, b4), d1 = high64(b0, b4), d2 = low64(b1, b5), d3 = high64(b1, b5);
  const d4 = low64(b2, b6), d5 = high64(b2, b6), d6 = low64(b3, b7), d7 = high64(b3, b7);

  const s0 = i16x8.add(d0, d7), s7 = i16x8.sub(d0, d7), s1 = i16x8.add(d1, d6), s6 = i16x8.sub(d1, d6);
  const s2 = i16x8.add(d2, d5), s5 = i16x8.sub(d2, d5), s3 = i16x8.add(d3, d4), s4 = i16x8.sub(d3, d4);
  const e0 = i16x8.add(s0, s3), e3 = i16x8.sub(s0, s3), e1 = i16x8.add(s1, s2), e2 = i16x8.sub(s1, s2);
  const shift = first ? 11 : 15;
  const sum = i16x8.add(e0, e1), difference = i16x8.sub(e0, e1);
  if (first) {
    v128.store(block, i16x8.shl(sum, 2));
    v128.store(block, i16x8.shl(difference, 2), 64);
  } else {
    v128.store(block, i16x8.shr_s(i16x8.add(sum, v128.load(TWOS)), 2));
    v128.store(block, i16x8.shr_s(i16x8.add(difference, v128.load(TWOS)), 2), 64);
  }
  const e32Low = low16(e3, e2), e32High = high16(e3, e2);
  const round = v128.load(first ? ROUNDINGS : ROUNDINGS + 16);
  v128.store(block, rotate(e32Low, e32High, v128.load(FACTORS), round, shift), 32);
  v128.store(block, rotate(e32Low, e32High, v128.load(FACTORS + 16), round, shift), 96);
  // The odd half of jfdctint.c expanded: its products are exact in 32 bits, so regrouping changes nothing.
  const s45Low = low16(s4, s5), s45High = high16(s4, s5), s67Low = low16(s6, s7), s67High = high16(s6, s7);
  v128.store(block, combine(s45Low, s45High, s67Low, s67High, v128.load(FACTORS + 32), v128.load(FACTORS + 48), round, shift), 16);
  v128.store(block, combine(s45Low, s45High, s67Low, s67High, v128.load(FACTORS + 64), v128.load(FACTORS + 80), round, shift), 48);
  v128.store(block, combine(s45Low, s45High, s67Low, s67High, v128.load(FACTORS + 96), v128.load(FACTORS + 112), round, shift), 80);
  v128.store(block, combine(s45Low, s45High, s67Low, s67High, v128.load(FACTORS + 128), v128.load(FACTORS + 144), round, shift), 112);
}

/**
 * Divides by eight times the step, rounded to nearest, halves away from zero: two rounding multiplications
 * that quantiser.ts proves exact.
 */
// @ts-ignore: decorator
@inline function quantise(at: usize, quantiser: usize): v128 {
  const value = v128.load(at), sign = i16x8.shr_s(value, 15);
  const scaled = i16x8.q15mulr_sat_s(i16x8.q15mulr_sat_s(i16x8.abs(value), v128.load(quantiser)), v128.load(quantiser, 128));
  const signed = i16x8.sub(v128.xor(scaled, sign), sign);
  v128.store(at, signed);
  return signed;
}
// @ts-ignore: decorator
@inline function quantisePair(at: usize, quantiser: usize): u32 {
  const packed = i8x16.narrow_i16x8_s(quantise(at, quantiser), quantise(at + 16, quantiser + 16));
  return ~i8x16.bitmask(i8x16.eq(packed, i8x16.splat(0))) & 0xffff;
}

/** Samples to quantised coefficients in natural order; returns the mask of non-zero ones in zigzag order. */
export function transformBlock(tables: usize, block: usize, quantiser: usize): u64 {
  transformPass(block, true);
  transformPass(block, false);
  const m0 = quantisePair(block, quantiser), m1 = quantisePair(block + 32, quantiser + 32);
  const m2 = quantisePair(block + 64, quantiser + 64), m3 = quantisePair(block + 96, quantiser + 96);
  const masks = tables + ZIGZAG_MASKS;
  return load<u64>(masks + <usize>((m0 & 255) << 3))
    | load<u64>(masks + <usize>((m0 >> 8) << 3), 2048)
    | load<u64>(masks + <usize>((m1 & 255) << 3), 4096)
    | load<u64>(masks + <usize>((m1 >> 8) << 3), 6144)
    | load<u64>(masks + <usize>((m2 & 255) << 3), 8192)
    | load<u64>(masks + <usize>((m2 >> 8) << 3), 10240)
    | load<u64>(masks + <usize>((m3 & 255) << 3), 12288)
    | load<u64>(masks + <usize>((m3 >> 8) << 3), 14336);
}
