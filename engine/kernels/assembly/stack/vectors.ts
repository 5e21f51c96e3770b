// Constants of four lanes. V8 rebuilds them at each use, in three instructions; loading takes one.

const ONE = memory.data<f32>([1, 1, 1, 1]);
const HALF = memory.data<f32>([0.5, 0.5, 0.5, 0.5]);
const WHITE = memory.data<f32>([255, 255, 255, 255]);
const LAST_ENTRY = memory.data<f32>([254, 254, 254, 254]);
const RED_LUM = memory.data<f32>([0.3, 0.3, 0.3, 0.3]);
const GREEN_LUM = memory.data<f32>([0.59, 0.59, 0.59, 0.59]);
const BLUE_LUM = memory.data<f32>([0.11, 0.11, 0.11, 0.11]);
const SHARE_OF_BYTE = memory.data<f32>([1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0]);
const SHARE_OF_WIDE = memory.data<f32>([1.0 / 65535.0, 1.0 / 65535.0, 1.0 / 65535.0, 1.0 / 65535.0]);
/** 2^23: adding it leaves an integer in the lowest bits. */
const WHOLE = memory.data<f32>([8388608, 8388608, 8388608, 8388608]);

// @ts-ignore: decorator
@inline export function one(): v128 { return v128.load(ONE); }
// @ts-ignore: decorator
@inline export function half(): v128 { return v128.load(HALF); }
// @ts-ignore: decorator
@inline export function white(): v128 { return v128.load(WHITE); }
/** The weight of a channel in the luminosity. */
// @ts-ignore: decorator
@inline export function redLum(): v128 { return v128.load(RED_LUM); }
// @ts-ignore: decorator
@inline export function greenLum(): v128 { return v128.load(GREEN_LUM); }
// @ts-ignore: decorator
@inline export function blueLum(): v128 { return v128.load(BLUE_LUM); }
/** The last entry of a table that has another one after it. */
// @ts-ignore: decorator
@inline export function lastEntry(): v128 { return v128.load(LAST_ENTRY); }
// @ts-ignore: decorator
@inline export function shareOfByte(): v128 { return v128.load(SHARE_OF_BYTE); }
// @ts-ignore: decorator
@inline export function shareOfWide(): v128 { return v128.load(SHARE_OF_WIDE); }

/** Integers from 0 to below 2^23, without the ten instructions that handle all other values. */
// @ts-ignore: decorator
@inline export function wholeOf(numbers: v128): v128 {
  return v128.xor(f32x4.add(numbers, v128.load(WHOLE)), v128.load(WHOLE));
}
