// Three vector instructions that processors answer differently in rare cases. WebAssembly prescribes one
// answer, which costs V8 two to four instructions more; the relaxed ones leave it open, and not every
// browser has them. Here the cases never come, so both builds of the kernel give the same bytes.

/** Rounded a * b / 32768. Never of two numbers of -32768. */
// @ts-ignore: decorator
@inline export function multiply(a: v128, b: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i16x8.relaxed_q15mulr_s(a, b);
  return i16x8.q15mulr_sat_s(a, b);
}

/** The bytes of `bytes` at `places`, each below 16 or above 127; 0 for these. */
// @ts-ignore: decorator
@inline export function swizzle(bytes: v128, places: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i8x16.relaxed_swizzle(bytes, places);
  return i8x16.swizzle(bytes, places);
}

/** Bytes of `a` where `mask` has ones, of `b` where it has zeros. For the relaxed build alone. */
// @ts-ignore: decorator
@inline export function laneselect(a: v128, b: v128, mask: v128): v128 {
  return i8x16.relaxed_laneselect(a, b, mask);
}
