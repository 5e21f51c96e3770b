// Filters each pixel's 4 x 4 texels: vertically, then horizontally, in integers.
import { CHUNK_PIXELS, COLOR, FILTERED, STRIDE, TEXEL, WEIGHT_X, WEIGHT_Y } from './layout.ts';

// V8 builds vector constants again wherever they are used, through the port that shuffles need; loaded before
// a loop they stay in registers.
/**
 * Taken off the odd channels so that they fit 16 bits, and 256 times it, modulo 2^16, is 2^16 - 16384: so the
 * even ones, from which that many of the odd ones are taken, have 16384 taken off as well.
 */
const OFFSET = memory.data<i16>([16320, 16320, 16320, 16320, 16320, 16320, 16320, 16320]);
/** For red, green, blue and alpha: 16384 times what was taken off, and half a step. */
const ROUNDING = memory.data<i32>([269484032, 268435456, 269484032, 268435456]);
const ALPHAS = memory.data<u8>([3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15]);

// Four texels of a row are 16 bytes, read as eight numbers of 16 bits: an even channel (red, blue) + 256
// times an odd one (green, alpha). The odd ones alone are these shifted down; weighted, they are taken off
// the weighted whole, which leaves the even ones. Everything is modulo 2^16, and what is left fits, less some
// 128 times 128. Stored one by one as i32 a channel, rounded, because V8 would otherwise work at four pixels
// at once and run out of registers.
// @ts-ignore: decorator
@inline function filterPixel(p: usize, stride: usize, to: usize, offset: v128, rounding: v128): void {
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
  const odds = i16x8.sub(odd, offset), evens = i16x8.sub(whole, i16x8.shl(odds, 8));
  // Columns 0 and 1, and 2 and 3, channel by channel; then 0 next to 2, and 1 next to 3.
  const low = i16x8.shuffle(evens, odds, 0, 8, 1, 9, 2, 10, 3, 11), high = i16x8.shuffle(evens, odds, 4, 12, 5, 13, 6, 14, 7, 15);
  const outer = i16x8.shuffle(low, high, 0, 8, 1, 9, 2, 10, 3, 11), inner = i16x8.shuffle(low, high, 4, 12, 5, 13, 6, 14, 7, 15);
  const sum = i32x4.add(i32x4.dot_i16x8_s(outer, v128.load32_splat(x)), i32x4.dot_i16x8_s(inner, v128.load32_splat(x, 4)));
  v128.store(to, i32x4.shr_s(i32x4.add(sum, rounding), 21));
}

// @ts-ignore: decorator
@inline function filterFour(p: usize, stride: usize, block: usize, offset: v128, rounding: v128): v128 {
  filterPixel(p, stride, block + FILTERED, offset, rounding);
  filterPixel(p + 4, stride, block + (FILTERED + 16), offset, rounding);
  filterPixel(p + 8, stride, block + (FILTERED + 32), offset, rounding);
  filterPixel(p + 12, stride, block + (FILTERED + 48), offset, rounding);
  const low = i16x8.narrow_i32x4_s(v128.load(block, FILTERED), v128.load(block, FILTERED + 16));
  const high = i16x8.narrow_i32x4_s(v128.load(block, FILTERED + 32), v128.load(block, FILTERED + 48));
  return i8x16.narrow_i16x8_u(low, high);
}

// Prevents the prefetching loads from being optimised away.
let fetched: u32 = 0;
export function fetchedBytes(): u32 {
  return fetched;
}

export function filterChunk(block: usize, chunk: usize, isOpaque: i32): void {
  const length = <usize>load<u32>(chunk, CHUNK_PIXELS), stride = <usize>load<u32>(chunk, STRIDE);
  const end = block + (length << 2);
  // Prefetching texels of later rows, once in 8 pixels, saves a fifth to a quarter of a rotated frame.
  let ahead: u32 = 0;
  for (let p = block; p < end; p += 32) {
    const next = <usize>load<u32>(p, TEXEL) + (stride << 2);
    ahead |= load<u8>(next) | load<u8>(next + stride);
  }
  fetched |= ahead;
  const offset = v128.load(OFFSET), rounding = v128.load(ROUNDING);
  if (isOpaque) {
    for (let p = block; p < end; p += 16) v128.store(p, filterFour(p, stride, block, offset, rounding), COLOR);
    return;
  }
  const alphas = v128.load(ALPHAS);
  for (let p = block; p < end; p += 16) {
    const bytes = filterFour(p, stride, block, offset, rounding);
    // Clamps channels to alpha: the kernels overshoot.
    v128.store(p, i8x16.min_u(bytes, i8x16.swizzle(bytes, alphas)), COLOR);
  }
}
