// Three vector instructions whose results differ between processors in rare cases. Standard WebAssembly
// prescribes one result, which costs V8 two to four more instructions; relaxed SIMD does not, and not every
// browser has it. These cases never occur here, so both builds of a kernel give the same bytes.

/** Rounded a * b / 32768. Never used with both -32768. */
// @ts-ignore: decorator
@inline export function multiply(a: v128, b: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i16x8.relaxed_q15mulr_s(a, b);
  return i16x8.q15mulr_sat_s(a, b);
}

/** The bytes of `bytes` at `places`, which are below 16, or above 127 for 0. */
// @ts-ignore: decorator
@inline export function swizzle(bytes: v128, places: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i8x16.relaxed_swizzle(bytes, places);
  return i8x16.swizzle(bytes, places);
}

/** Bytes of `a` where `mask` has ones, of `b` where it has zeros. Only for the relaxed build. */
// @ts-ignore: decorator
@inline export function laneselect(a: v128, b: v128, mask: v128): v128 {
  return i8x16.relaxed_laneselect(a, b, mask);
}
