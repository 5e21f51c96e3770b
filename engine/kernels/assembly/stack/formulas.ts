// Non-separable blend modes on four floats at once: like engine/src/stack/float-formulas.ts, bit for bit.
import { COLOR, DARKER_COLOR, HUE, LIGHTER_COLOR, LUMINOSITY, SATURATION } from './modes';
import { blueLum, greenLum, one, redLum } from './vectors';

// pmin and pmax are one instruction each; min and max are ten, because of NaN.

// @ts-ignore: decorator
@inline function all(value: f32): v128 { return f32x4.splat(value); }
// @ts-ignore: decorator
@inline function select(ifTrue: v128, ifFalse: v128, which: v128): v128 { return v128.bitselect(ifTrue, ifFalse, which); }

/** Clamps to 0..1. */
// @ts-ignore: decorator
@inline export function clampFour(value: v128): v128 {
  return f32x4.pmax(all(0), f32x4.pmin(one(), value));
}

/** Hard mix at a fill below 1; not clamped. */
// @ts-ignore: decorator
@inline export function hardMixFilledFour(b: v128, s: v128, fill: f32): v128 {
  const reached = f32x4.sub(b, f32x4.mul(all(fill), f32x4.sub(one(), s)));
  return f32x4.div(reached, all(1 - fill));
}

// ---- non-separable modes; each leaves its result in `red`, `green` and `blue` ----

const RED = memory.data(16);
const GREEN = memory.data(16);
const BLUE = memory.data(16);

// @ts-ignore: decorator
@inline export function blendedRed(): v128 { return v128.load(RED); }
// @ts-ignore: decorator
@inline export function blendedGreen(): v128 { return v128.load(GREEN); }
// @ts-ignore: decorator
@inline export function blendedBlue(): v128 { return v128.load(BLUE); }

// @ts-ignore: decorator
@inline function put(r: v128, g: v128, b: v128): void {
  v128.store(RED, r);
  v128.store(GREEN, g);
  v128.store(BLUE, b);
}

// @ts-ignore: decorator
@inline export function lumFour(r: v128, g: v128, b: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(redLum(), r), f32x4.mul(greenLum(), g)), f32x4.mul(blueLum(), b));
}
// @ts-ignore: decorator
@inline function leastOf(r: v128, g: v128, b: v128): v128 { return f32x4.pmin(f32x4.pmin(r, g), b); }
// @ts-ignore: decorator
@inline function greatestOf(r: v128, g: v128, b: v128): v128 { return f32x4.pmax(f32x4.pmax(r, g), b); }
// @ts-ignore: decorator
@inline function rangeOf(r: v128, g: v128, b: v128): v128 { return f32x4.sub(greatestOf(r, g, b), leastOf(r, g, b)); }

function putWithLum(r: v128, g: v128, b: v128, l: v128): void {
  const d = f32x4.sub(l, lumFour(r, g, b));
  const red = f32x4.add(r, d), green = f32x4.add(g, d), blue = f32x4.add(b, d);
  const least = leastOf(red, green, blue), greatest = greatestOf(red, green, blue);
  const isBelow = f32x4.lt(least, all(0));
  const up = f32x4.div(l, f32x4.sub(l, least)), down = f32x4.div(f32x4.sub(one(), l), f32x4.sub(greatest, l));
  const scale = select(up, select(down, one(), f32x4.gt(greatest, one())), isBelow);
  put(
    f32x4.add(l, f32x4.mul(f32x4.sub(red, l), scale)),
    f32x4.add(l, f32x4.mul(f32x4.sub(green, l), scale)),
    f32x4.add(l, f32x4.mul(f32x4.sub(blue, l), scale)),
  );
}

function putWithSatAndLum(r: v128, g: v128, b: v128, s: v128, l: v128): void {
  const least = leastOf(r, g, b), spread = rangeOf(r, g, b);
  const stretch = v128.and(f32x4.div(s, spread), f32x4.gt(spread, all(0)));
  putWithLum(
    f32x4.mul(f32x4.sub(r, least), stretch),
    f32x4.mul(f32x4.sub(g, least), stretch),
    f32x4.mul(f32x4.sub(b, least), stretch),
    l,
  );
}

/** Not clamped. */
export function blendColors(mode: i32, br: v128, bg: v128, bb: v128, sr: v128, sg: v128, sb: v128): void {
  switch (mode) {
    case HUE: putWithSatAndLum(sr, sg, sb, rangeOf(br, bg, bb), lumFour(br, bg, bb)); break;
    case SATURATION: putWithSatAndLum(br, bg, bb, rangeOf(sr, sg, sb), lumFour(br, bg, bb)); break;
    case COLOR: putWithLum(sr, sg, sb, lumFour(br, bg, bb)); break;
    case LUMINOSITY: putWithLum(br, bg, bb, lumFour(sr, sg, sb)); break;
    case DARKER_COLOR: {
      const isSource = f32x4.lt(lumFour(sr, sg, sb), lumFour(br, bg, bb));
      put(select(sr, br, isSource), select(sg, bg, isSource), select(sb, bb, isSource));
      break;
    }
    case LIGHTER_COLOR: {
      const isSource = f32x4.gt(lumFour(sr, sg, sb), lumFour(br, bg, bb));
      put(select(sr, br, isSource), select(sg, bg, isSource), select(sb, bb, isSource));
      break;
    }
    default: unreachable();
  }
}
