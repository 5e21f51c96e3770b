// The numbers of the blend modes, and the separable modes on four floats at once. Names that begin with $ are
// expanded by engine/kernels/blend-macros.ts, from engine/src/blending/blend-modes.ts.
$modeNumbers;
$numbers;

/** Not clamped. `mode` is constant at each call. */
// @ts-ignore: decorator
@inline export function blendChannel(mode: i32, b: v128, s: v128): v128 {
  const zero = f32x4.splat(0);
  $separableFormulas;
  return unreachable();
}

/** The source of a mode at a fill below 1. `mode` is constant at each call. */
// @ts-ignore: decorator
@inline export function fillSource(mode: i32, s: v128, fill: f32): v128 {
  $filledSources;
  return s;
}
