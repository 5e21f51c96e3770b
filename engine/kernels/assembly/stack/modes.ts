// The numbers of the blend modes, and those that look at each channel by itself, on four floats at once.
// What begins with $ is written by engine/kernels/blend-macros.ts, from engine/src/blending/blend-modes.ts.
$modeNumbers;
$numbers;

/** Not clamped. `mode` is a constant at each call. */
// @ts-ignore: decorator
@inline export function blendChannel(mode: i32, b: v128, s: v128): v128 {
  const zero = f32x4.splat(0);
  $separableFormulas;
  return unreachable();
}

/** The source of a mode at a fill opacity below 1. `mode` is a constant at each call. */
// @ts-ignore: decorator
@inline export function fillSource(mode: i32, s: v128, fill: f32): v128 {
  $filledSources;
  return s;
}
