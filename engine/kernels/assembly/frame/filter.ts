// Each pixel's 4 x 4 texels weighted: down first, then across, in whole numbers.
import { CHUNK_PIXELS, COLOR, FILTERED, STRIDE, TEXEL, WEIGHT_X, WEIGHT_Y } from './layout';

// V8 makes vector constants anew wherever they are used, through the port that shuffles need; loaded before a loop they stay in registers.
const OFFSET = memory.data<i16>([16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384]);
const ROUNDING = memory.data<i32>([269484032, 269484032, 269484032, 269484032]); // 16384 * 16384 + 2^20
/** Texels 0 1 0 1 2 3 2 3 of two channels beside one another. */
const PAIRS = memory.data<u8>([0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]);
/** Red, blue, green, alpha to red, green, blue, alpha. */
const ORDER = memory.data<u8>([0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15]);
const ALPHAS = memory.data<u8>([3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15]);

// Four texels of a row are 16 bytes, read as eight numbers of 16 bits: an even channel (red, blue) + 256 times an odd one (green, alpha). The odd
// ones alone are these shifted down; weighted, they are taken off the weighted whole, which leaves the even ones. Everything is modulo 2^16, and
// what is left fits, less 128 times 128.
// Stores one pixel's four channels in the order red, blue, green, alpha, rounded, as i32: stored, because V8 would otherwise work at four pixels
// at once and run out of registers.
// @ts-ignore: decorator
@inline function filterPixel(p: usize, stride: usize, to: usize, offset: v128, rounding: v128, pairs: v128): void {
  const texel = <usize>load<u32>(p, TEXEL), x = <usize>load<u32>(p, WEIGHT_X), y = <usize>load<u32>(p, WEIGHT_Y);
  const below = texel + stride + stride;
  const r0 = v128.load(texel), r1 = v128.load(texel + stride), r2 = v128.load(below), r3 = v128.load(below + stride);
  const w0 = v128.load32_splat(y), w1 = v128.load32_splat(y, 4), w2 = v128.load32_splat(y, 8), w3 = v128.load32_splat(y, 12);
  const odd = i16x8.add(
    i16x8.add(i16x8.mul(i16x8.shr_u(r0, 8), w0), i16x8.mul(i16x8.shr_u(r1, 8), w1)),
    i16x8.add(i16x8.mul(i16x8.shr_u(r2, 8), w2), i16x8.mul(i16x8.shr_u(r3, 8), w3)),
  );
  const whole = i16x8.add(
    i16x8.add(i16x8.mul(r0, w0), i16x8.mul(r1, w1)),
    i16x8.add(i16x8.mul(r2, w2), i16x8.mul(r3, w3)),
  );
  const even = i16x8.sub(i16x8.sub(whole, i16x8.shl(odd, 8)), offset);
  const weights = v128.load(x);
  const evens = i32x4.dot_i16x8_s(i8x16.swizzle(even, pairs), weights);
  const odds = i32x4.dot_i16x8_s(i8x16.swizzle(i16x8.sub(odd, offset), pairs), weights);
  const sum = i32x4.add(i64x2.shuffle(evens, odds, 0, 2), i64x2.shuffle(evens, odds, 1, 3));
  v128.store(to, i32x4.shr_s(i32x4.add(sum, rounding), 21));
}

// @ts-ignore: decorator
@inline function filterFour(p: usize, stride: usize, block: usize, offset: v128, rounding: v128, pairs: v128, order: v128): v128 {
  filterPixel(p, stride, block + FILTERED, offset, rounding, pairs);
  filterPixel(p + 4, stride, block + (FILTERED + 16), offset, rounding, pairs);
  filterPixel(p + 8, stride, block + (FILTERED + 32), offset, rounding, pairs);
  filterPixel(p + 12, stride, block + (FILTERED + 48), offset, rounding, pairs);
  const low = i16x8.narrow_i32x4_s(v128.load(block, FILTERED), v128.load(block, FILTERED + 16));
  const high = i16x8.narrow_i32x4_s(v128.load(block, FILTERED + 32), v128.load(block, FILTERED + 48));
  return i8x16.swizzle(i8x16.narrow_i16x8_u(low, high), order);
}

// Keeps the loads that fetch texels ahead from being optimised away.
let fetched: u32 = 0;
export function fetchedBytes(): u32 {
  return fetched;
}

export function filterChunk(block: usize, chunk: usize, isOpaque: i32): void {
  const length = <usize>load<u32>(chunk, CHUNK_PIXELS), stride = <usize>load<u32>(chunk, STRIDE);
  const end = block + (length << 2);
  // Touching texels of rows to come, once in 8 pixels, saves a fifth to a quarter of a rotated frame.
  let ahead: u32 = 0;
  for (let p = block; p < end; p += 32) {
    const next = <usize>load<u32>(p, TEXEL) + (stride << 2);
    ahead |= load<u8>(next) | load<u8>(next + stride);
  }
  fetched |= ahead;
  const offset = v128.load(OFFSET), rounding = v128.load(ROUNDING), pairs = v128.load(PAIRS), order = v128.load(ORDER);
  if (isOpaque) {
    for (let p = block; p < end; p += 16) v128.store(p, filterFour(p, stride, block, offset, rounding, pairs, order), COLOR);
    return;
  }
  const alphas = v128.load(ALPHAS);
  for (let p = block; p < end; p += 16) {
    const bytes = filterFour(p, stride, block, offset, rounding, pairs, order);
    // No channel may exceed alpha: the kernels overshoot.
    v128.store(p, i8x16.min_u(bytes, i8x16.swizzle(bytes, alphas)), COLOR);
  }
}
