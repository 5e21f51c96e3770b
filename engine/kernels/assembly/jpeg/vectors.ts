// Operations on vectors of 16-bit and 32-bit numbers, for the transforms and the colour conversion.

/** Rounding after the first pass of a transform: half a step. */
export const FIRST_ROUNDING: i32 = 1024;
/** After the second pass: half a step, and 128, because samples are centred on zero. */
export const SECOND_ROUNDING: i32 = (128 << 18) + (1 << 17);

/** Interleaves lanes of two vectors: the lower four of each, the upper four of each. */
// @ts-ignore: decorator
@inline export function lower(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
// @ts-ignore: decorator
@inline export function upper(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
/** Products of 16-bit pairs, summed in 32 bits. */
// @ts-ignore: decorator
@inline export function dot(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}
// @ts-ignore: decorator
@inline export function add(a: v128, b: v128): v128 {
  return i32x4.add(a, b);
}
// @ts-ignore: decorator
@inline export function sub(a: v128, b: v128): v128 {
  return i32x4.sub(a, b);
}
// @ts-ignore: decorator
@inline export function dequantised(coefficients: usize, quantiser: usize, row: usize): v128 {
  return i16x8.mul(v128.load(coefficients + (row << 4)), v128.load(quantiser + (row << 4)));
}
