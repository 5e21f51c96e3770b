// Four pixels at once: three-byte scene pixels in lanes of four bytes, premultiplied artwork, and mixing by
// partial coverage.

// V8 rebuilds vector constants at each use, in three instructions; loading takes one.
const SPREAD = memory.data<u8>([0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255]);
const GATHER = memory.data<u8>([0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255]);
const SPREAD_COVERAGE = memory.data<u8>([0, 255, 255, 255, 1, 255, 255, 255, 2, 255, 255, 255, 3, 255, 255, 255]);
const BYTE = memory.data<i32>([255, 255, 255, 255]);
const ROUNDING = memory.data<i32>([32768, 32768, 32768, 32768]);
const HALF = memory.data<f64>([0.5, 0.5]);
/**
 * 255 and a quarter as 32-bit floats, 2^23; 2^52 as 64-bit ones: added to a whole number they leave it in the
 * lowest bits.
 */
const WHITE = memory.data<f32>([255, 255, 255, 255]);
const QUARTER = memory.data<f32>([0.25, 0.25, 0.25, 0.25]);
const ONE = memory.data<f32>([1, 1, 1, 1]);
const WHOLE = memory.data<f32>([8388608, 8388608, 8388608, 8388608]);
const WHOLE_WIDE = memory.data<f64>([4503599627370496, 4503599627370496]);
const LAST = memory.data(16);

/** Four scene pixels, one a lane of 32 bits, the highest byte 0. Reads 16 bytes. */
// @ts-ignore: decorator
@inline export function loadFour(scene: usize): v128 {
  return i8x16.swizzle(v128.load(scene), v128.load(SPREAD));
}

/** Stores the first `count` of four pixels; writes nothing after them. */
// @ts-ignore: decorator
@inline export function storePixels(scene: usize, pixels: v128, count: usize): void {
  const bytes = i8x16.swizzle(pixels, v128.load(GATHER));
  if (count >= 4) {
    v128.store64_lane(scene, bytes, 0);
    v128.store32_lane(scene, bytes, 2, 8);
  } else {
    v128.store(LAST, bytes);
    memory.copy(scene, LAST, count * 3);
  }
}

/** One channel of four pixels, 0 to 255. */
// @ts-ignore: decorator
@inline export function channelOf(pixels: v128, shift: i32): v128 {
  return v128.and(shift ? i32x4.shr_u(pixels, shift) : pixels, v128.load(BYTE));
}
/** Four pixels of channels that are within 0 to 255. */
// @ts-ignore: decorator
@inline export function joinChannels(r: v128, g: v128, b: v128): v128 {
  return v128.or(v128.or(r, i32x4.shl(g, 8)), i32x4.shl(b, 16));
}

// Of a channel times 255 plus half of alpha the quotient by alpha, rounded down, as `unmultiply` has it.
// Whole numbers below 2^17 over at most 255: a quarter more parts every quotient from the whole ones by more
// than the product with the rounded reciprocal errs.
// @ts-ignore: decorator
@inline function unmultiplyChannel(channel: v128, reciprocal: v128, half: v128): v128 {
  const product = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(channel), v128.load(WHITE)), half);
  const quotient = f32x4.floor(f32x4.pmin(v128.load(WHITE), f32x4.mul(product, reciprocal)));
  return f32x4.add(quotient, v128.load(WHOLE));
}

/** Unpremultiplies four colours, rounded. Fourth bytes are undefined, and so are pixels without alpha. */
// @ts-ignore: decorator
@inline export function unmultiplyFour(color: v128): v128 {
  const alpha = i32x4.shr_u(color, 24);
  const reciprocal = f32x4.div(v128.load(ONE), f32x4.convert_i32x4_s(alpha));
  const half = f32x4.add(f32x4.convert_i32x4_s(i32x4.shr_u(alpha, 1)), v128.load(QUARTER));
  const byte = v128.load(BYTE);
  return joinChannels(
    v128.and(unmultiplyChannel(channelOf(color, 0), reciprocal, half), byte),
    v128.and(unmultiplyChannel(channelOf(color, 8), reciprocal, half), byte),
    unmultiplyChannel(channelOf(color, 16), reciprocal, half),
  );
}

// @ts-ignore: decorator
@inline function weighTwo(product: v128, scale: v128): v128 {
  const weight = f64x2.floor(f64x2.add(f64x2.mul(f64x2.convert_low_i32x4_s(product), scale), v128.load(HALF)));
  return f64x2.add(weight, v128.load(WHOLE_WIDE));
}

/** Weights of four pixels in parts of 65536, from their alpha and coverage bytes. */
// @ts-ignore: decorator
@inline export function weighFour(color: v128, covered: u32, scale: f64): v128 {
  const coverage = i8x16.swizzle(i32x4.splat(covered), v128.load(SPREAD_COVERAGE));
  // Below 2^16, so that the upper halves stay empty.
  const product = i16x8.mul(coverage, i32x4.shr_u(color, 24)), scales = f64x2.splat(scale);
  return i32x4.shuffle(weighTwo(product, scales), weighTwo(i32x4.shuffle(product, product, 2, 3, 2, 3), scales), 0, 2, 4, 6);
}

// @ts-ignore: decorator
@inline function mixChannel(back: v128, blended: v128, weight: v128): v128 {
  return i32x4.add(i32x4.mul(i32x4.sub(blended, back), weight), v128.load(ROUNDING));
}

/** back + (blended - back) * weight, rounded. */
// @ts-ignore: decorator
@inline export function mixFour(back: v128, blended: v128, weight: v128): v128 {
  const byte = v128.load(BYTE);
  const r = channelOf(back, 0), g = channelOf(back, 8), b = channelOf(back, 16);
  const red = i32x4.add(r, i32x4.shr_s(mixChannel(r, v128.and(blended, byte), weight), 16));
  const green = i32x4.add(g, i32x4.shr_s(mixChannel(g, v128.and(i32x4.shr_u(blended, 8), byte), weight), 16));
  const blue = i32x4.add(b, i32x4.shr_s(mixChannel(b, v128.and(i32x4.shr_u(blended, 16), byte), weight), 16));
  return joinChannels(red, green, blue);
}
