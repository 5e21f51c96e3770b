// The blending modes on four floats at once: as engine/src/stack/float-formulas.ts defines them, bit by bit.
import {
  COLOR, COLOR_BURN, COLOR_DODGE, DARKEN, DARKER_COLOR, DIFFERENCE, DIVIDE, EXCLUSION, HARD_LIGHT, HARD_MIX, HARD_MIX_LEAST, HUE,
  LIGHTEN, LINEAR_BURN, LINEAR_DODGE, LINEAR_LIGHT, LIGHTER_COLOR, LUMINOSITY, MULTIPLY, OVERLAY, PIN_LIGHT, SATURATION, SCREEN,
  SOFT_LIGHT, SUBTRACT, VIVID_LIGHT,
} from './constants.ts';
import { blueLum, four, greenLum, half, one, quarter, redLum, sixteen, twelve } from './vectors';

// Of numbers pmin and pmax are one instruction each; min and max are ten, for what is not a number.

// @ts-ignore: decorator
@inline function all(value: f32): v128 { return f32x4.splat(value); }
// @ts-ignore: decorator
@inline function select(ifTrue: v128, ifFalse: v128, which: v128): v128 { return v128.bitselect(ifTrue, ifFalse, which); }
// @ts-ignore: decorator
@inline function twice(s: v128): v128 { return f32x4.add(s, s); }

/** Within 0 to 1. */
// @ts-ignore: decorator
@inline export function clampFour(value: v128): v128 {
  return f32x4.pmax(all(0), f32x4.pmin(one(), value));
}

// @ts-ignore: decorator
@inline function screenFour(b: v128, s: v128): v128 {
  return f32x4.sub(one(), f32x4.mul(f32x4.sub(one(), b), f32x4.sub(one(), s)));
}
// @ts-ignore: decorator
@inline function hardLightFour(b: v128, s: v128): v128 {
  const light = screenFour(b, f32x4.sub(twice(s), one()));
  return select(f32x4.mul(b, twice(s)), light, f32x4.le(s, half()));
}
// @ts-ignore: decorator
@inline function dodgeFour(b: v128, s: v128): v128 {
  const quotient = select(one(), f32x4.div(b, f32x4.sub(one(), s)), f32x4.ge(s, one()));
  return v128.andnot(quotient, f32x4.le(b, all(0)));
}
// @ts-ignore: decorator
@inline function burnFour(b: v128, s: v128): v128 {
  const quotient = f32x4.sub(one(), f32x4.div(f32x4.sub(one(), b), s));
  return select(one(), v128.andnot(quotient, f32x4.le(s, all(0))), f32x4.ge(b, one()));
}
// @ts-ignore: decorator
@inline function softLightFour(b: v128, s: v128): v128 {
  const dark = f32x4.sub(b, f32x4.mul(f32x4.mul(f32x4.sub(one(), twice(s)), b), f32x4.sub(one(), b)));
  const near = f32x4.mul(f32x4.add(f32x4.mul(f32x4.sub(f32x4.mul(sixteen(), b), twelve()), b), four()), b);
  const d = select(near, f32x4.sqrt(b), f32x4.le(b, quarter()));
  const light = f32x4.add(b, f32x4.mul(f32x4.sub(twice(s), one()), f32x4.sub(d, b)));
  return select(dark, light, f32x4.le(s, half()));
}
// @ts-ignore: decorator
@inline function vividLightFour(b: v128, s: v128): v128 {
  const both = select(burnFour(b, twice(s)), dodgeFour(b, f32x4.sub(twice(s), one())), f32x4.le(s, half()));
  return v128.andnot(select(one(), both, f32x4.ge(s, one())), f32x4.le(s, all(0)));
}
// @ts-ignore: decorator
@inline function pinLightFour(b: v128, s: v128): v128 {
  const light = f32x4.pmax(b, f32x4.sub(twice(s), one()));
  return select(f32x4.pmin(b, twice(s)), light, f32x4.le(s, half()));
}
// @ts-ignore: decorator
@inline function divideFour(b: v128, s: v128): v128 {
  return v128.andnot(select(one(), f32x4.div(b, s), f32x4.le(s, all(0))), f32x4.le(b, all(0)));
}

/** A mode that blends each channel by itself; not clamped. `mode` is a constant at each call. */
// @ts-ignore: decorator
@inline export function blendChannel(mode: i32, b: v128, s: v128): v128 {
  if (mode == MULTIPLY) return f32x4.mul(b, s);
  if (mode == SCREEN) return screenFour(b, s);
  if (mode == OVERLAY) return hardLightFour(s, b);
  if (mode == DARKEN) return f32x4.pmin(b, s);
  if (mode == LIGHTEN) return f32x4.pmax(b, s);
  if (mode == COLOR_DODGE) return dodgeFour(b, s);
  if (mode == COLOR_BURN) return burnFour(b, s);
  if (mode == HARD_LIGHT) return hardLightFour(b, s);
  if (mode == SOFT_LIGHT) return softLightFour(b, s);
  if (mode == DIFFERENCE) return f32x4.abs(f32x4.sub(b, s));
  if (mode == EXCLUSION) return f32x4.sub(f32x4.add(b, s), f32x4.mul(twice(b), s));
  if (mode == LINEAR_BURN) return f32x4.sub(f32x4.add(b, s), one());
  if (mode == LINEAR_DODGE) return f32x4.add(b, s);
  if (mode == VIVID_LIGHT) return vividLightFour(b, s);
  if (mode == LINEAR_LIGHT) return f32x4.sub(f32x4.add(b, twice(s)), all(<f32>(256.0 / 255.0)));
  if (mode == PIN_LIGHT) return pinLightFour(b, s);
  if (mode == HARD_MIX) {
    const isLight = v128.or(f32x4.ge(b, one()), f32x4.gt(f32x4.add(b, s), all(<f32>HARD_MIX_LEAST)));
    return v128.and(one(), isLight);
  }
  if (mode == SUBTRACT) return f32x4.sub(b, s);
  if (mode == DIVIDE) return divideFour(b, s);
  return unreachable();
}

/** Hard mix at a fill opacity below 1; not clamped. */
// @ts-ignore: decorator
@inline export function hardMixFilledFour(b: v128, s: v128, fill: f32): v128 {
  const reached = f32x4.sub(b, f32x4.mul(all(fill), f32x4.sub(one(), s)));
  return f32x4.div(reached, all(1 - fill));
}

/** The source of a mode at a fill opacity below 1. */
// @ts-ignore: decorator
@inline export function fillSource(mode: i32, s: v128, fill: f32): v128 {
  if (mode == COLOR_BURN || mode == LINEAR_BURN) return f32x4.sub(one(), f32x4.mul(all(fill), f32x4.sub(one(), s)));
  if (mode == COLOR_DODGE || mode == LINEAR_DODGE || mode == DIFFERENCE) return f32x4.mul(all(fill), s);
  if (mode == VIVID_LIGHT || mode == LINEAR_LIGHT) return f32x4.add(half(), f32x4.mul(all(fill), f32x4.sub(s, half())));
  return s;
}

// ---- modes that look at all three channels; each leaves its result in `red`, `green` and `blue` ----

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
