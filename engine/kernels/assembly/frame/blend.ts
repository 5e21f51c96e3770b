// Blends pixels into the scene, four at a time: like engine/src/blending, byte for byte.
import { TABLE_MODE } from './layout.ts';
import { channelOf, joinChannels, loadFour, mixFour, storePixels, unmultiplyFour, weighFour } from './pixels';

// The modes with a formula here. The host finds them by name among the module's exports; it blends other
// modes by their table, and refuses to start if a non-separable mode, for which there is no table, is
// missing.
export const MODE_NORMAL: i32 = 1;
export const MODE_MULTIPLY: i32 = 2;
export const MODE_SCREEN: i32 = 3;
export const MODE_DARKEN: i32 = 4;
export const MODE_LIGHTEN: i32 = 5;
export const MODE_OVERLAY: i32 = 6;
export const MODE_HARD_LIGHT: i32 = 7;
export const MODE_DIFFERENCE: i32 = 8;
export const MODE_LINEAR_DODGE: i32 = 9;
export const MODE_LINEAR_BURN: i32 = 10;
export const MODE_SUBTRACT: i32 = 11;
export const MODE_HUE: i32 = 12;
export const MODE_SATURATION: i32 = 13;
export const MODE_COLOR: i32 = 14;
export const MODE_LUMINOSITY: i32 = 15;
export const MODE_DARKER_COLOR: i32 = 16;
export const MODE_LIGHTER_COLOR: i32 = 17;

// V8 rebuilds vector constants at each use, in three instructions; loading takes one.
const HALF = memory.data<i16>([128, 128, 128, 128, 128, 128, 128, 128]);
const RED_SHARE = memory.data<f32>([30, 30, 30, 30]);
const GREEN_SHARE = memory.data<f32>([59, 59, 59, 59]);
const BLUE_SHARE = memory.data<f32>([11, 11, 11, 11]);
const HUNDRED = memory.data<f32>([100, 100, 100, 100]);
const HUNDREDTH = memory.data<f32>([0.01, 0.01, 0.01, 0.01]);
const ONE = memory.data<f32>([1, 1, 1, 1]);
const WHITE = memory.data<f32>([25500, 25500, 25500, 25500]);
const NO_FRACTION = memory.data<f32>([12582912, 12582912, 12582912, 12582912]);
const BYTE = memory.data<i32>([255, 255, 255, 255]);

// ---- separable modes: equal to their tables for all bytes; others need divisions, roots or 17 bits ----

// Product of bytes / 255, rounded.
// @ts-ignore: decorator
@inline function product(a: v128, b: v128): v128 {
  const half = v128.load(HALF);
  const low = i16x8.add(i16x8.extmul_low_i8x16_u(a, b), half), high = i16x8.add(i16x8.extmul_high_i8x16_u(a, b), half);
  return i8x16.narrow_i16x8_u(
    i16x8.shr_u(i16x8.add(low, i16x8.shr_u(low, 8)), 8),
    i16x8.shr_u(i16x8.add(high, i16x8.shr_u(high, 8)), 8),
  );
}
// Multiply where `which` is below 128, otherwise screen; by twice the distance to the nearer end.
// @ts-ignore: decorator
@inline function hardLight(other: v128, which: v128): v128 {
  const isLight = i8x16.shr_s(which, 7);
  const near = v128.xor(which, isLight);
  return v128.xor(product(v128.xor(other, isLight), i8x16.add(near, near)), isLight);
}

// ---- non-separable modes: 32-bit floats, in the order of engine/src/blending/blend-modes.ts ----

// @ts-ignore: decorator
@inline function floatOf(pixels: v128, shift: i32): v128 {
  return f32x4.convert_i32x4_s(channelOf(pixels, shift));
}
// @ts-ignore: decorator
@inline function lumOf(r: v128, g: v128, b: v128): v128 {
  const sum = f32x4.add(f32x4.mul(v128.load(RED_SHARE), r), f32x4.mul(v128.load(GREEN_SHARE), g));
  return f32x4.add(sum, f32x4.mul(v128.load(BLUE_SHARE), b));
}
// @ts-ignore: decorator
@inline function least(r: v128, g: v128, b: v128): v128 { return f32x4.pmin(f32x4.pmin(r, g), b); }
// @ts-ignore: decorator
@inline function greatest(r: v128, g: v128, b: v128): v128 { return f32x4.pmax(f32x4.pmax(r, g), b); }

// Hundredths to bytes: after adding 1.5 * 2^23, the integer is in the lowest bits.
// @ts-ignore: decorator
@inline function drawTowards(channel: v128, l: v128, scale: v128): v128 {
  const value = f32x4.mul(f32x4.add(l, f32x4.mul(f32x4.sub(channel, l), scale)), v128.load(HUNDREDTH));
  return v128.and(f32x4.add(value, v128.load(NO_FRACTION)), v128.load(BYTE));
}

// @ts-ignore: decorator
@inline function withLum(r: v128, g: v128, b: v128, l: v128): v128 {
  const hundred = v128.load(HUNDRED), one = v128.load(ONE), white = v128.load(WHITE);
  const d = f32x4.sub(l, lumOf(r, g, b));
  const red = f32x4.add(f32x4.mul(hundred, r), d), green = f32x4.add(f32x4.mul(hundred, g), d), blue = f32x4.add(f32x4.mul(hundred, b), d);
  const low = least(red, green, blue), high = greatest(red, green, blue);
  const isBelow = f32x4.lt(low, f32x4.splat(0));
  const towards = f32x4.div(
    v128.bitselect(l, f32x4.sub(white, l), isBelow),
    v128.bitselect(f32x4.sub(l, low), f32x4.sub(high, l), isBelow),
  );
  const scale = v128.bitselect(towards, one, v128.or(isBelow, f32x4.gt(high, white)));
  return joinChannels(drawTowards(red, l, scale), drawTowards(green, l, scale), drawTowards(blue, l, scale));
}
// @ts-ignore: decorator
@inline function withSatAndLum(pixels: v128, sat: v128, l: v128): v128 {
  const r = floatOf(pixels, 0), g = floatOf(pixels, 8), b = floatOf(pixels, 16);
  const low = least(r, g, b), range = f32x4.sub(greatest(r, g, b), low);
  const stretch = v128.and(f32x4.div(sat, range), f32x4.gt(range, f32x4.splat(0)));
  return withLum(
    f32x4.mul(f32x4.sub(r, low), stretch),
    f32x4.mul(f32x4.sub(g, low), stretch),
    f32x4.mul(f32x4.sub(b, low), stretch),
    l,
  );
}
// @ts-ignore: decorator
@inline function lumOfPixels(pixels: v128): v128 {
  return lumOf(floatOf(pixels, 0), floatOf(pixels, 8), floatOf(pixels, 16));
}
// @ts-ignore: decorator
@inline function satOfPixels(pixels: v128): v128 {
  const r = floatOf(pixels, 0), g = floatOf(pixels, 8), b = floatOf(pixels, 16);
  return f32x4.sub(greatest(r, g, b), least(r, g, b));
}
// @ts-ignore: decorator
@inline function isLess(a: v128, b: v128): v128 {
  return f32x4.lt(lumOfPixels(a), lumOfPixels(b));
}

/** Blends four pixels by a formula; their fourth bytes are undefined. */
// @ts-ignore: decorator
@inline function blendFour(mode: i32, back: v128, source: v128): v128 {
  const ones = i8x16.splat(-1);
  if (mode == MODE_NORMAL) return source;
  if (mode == MODE_MULTIPLY) return product(back, source);
  if (mode == MODE_SCREEN) return v128.xor(product(v128.xor(back, ones), v128.xor(source, ones)), ones);
  if (mode == MODE_DARKEN) return i8x16.min_u(back, source);
  if (mode == MODE_LIGHTEN) return i8x16.max_u(back, source);
  if (mode == MODE_OVERLAY) return hardLight(source, back);
  if (mode == MODE_HARD_LIGHT) return hardLight(back, source);
  if (mode == MODE_DIFFERENCE) return v128.or(i8x16.sub_sat_u(back, source), i8x16.sub_sat_u(source, back));
  if (mode == MODE_LINEAR_DODGE) return i8x16.add_sat_u(back, source);
  if (mode == MODE_LINEAR_BURN) return i8x16.sub_sat_u(back, v128.xor(source, ones));
  if (mode == MODE_SUBTRACT) return i8x16.sub_sat_u(back, source);
  if (mode == MODE_HUE) return withSatAndLum(source, satOfPixels(back), lumOfPixels(back));
  if (mode == MODE_SATURATION) return withSatAndLum(back, satOfPixels(source), lumOfPixels(back));
  if (mode == MODE_COLOR) return withLum(floatOf(source, 0), floatOf(source, 8), floatOf(source, 16), lumOfPixels(back));
  if (mode == MODE_LUMINOSITY) return withLum(floatOf(back, 0), floatOf(back, 8), floatOf(back, 16), lumOfPixels(source));
  if (mode == MODE_DARKER_COLOR) return v128.bitselect(source, back, isLess(source, back));
  if (mode == MODE_LIGHTER_COLOR) return v128.bitselect(source, back, isLess(back, source));
  return unreachable();
}

// @ts-ignore: decorator
@inline function look(table: usize, back: u32, source: u32): u32 {
  return <u32>load<u8>(table + <usize>((back << 8) | source));
}
// @ts-ignore: decorator
@inline function lookThrice(table: usize, back: u32, source: u32): u32 {
  return look(table, back & 255, source & 255)
    | (look(table, (back >> 8) & 255, (source >> 8) & 255) << 8)
    | (look(table, (back >> 16) & 255, (source >> 16) & 255) << 16);
}

/** The same by a table, indexed by backdrop * 256 + source. */
// @ts-ignore: decorator
@inline function blendFourByTable(table: usize, back: v128, source: v128): v128 {
  let pixels = i32x4.splat(lookThrice(table, i32x4.extract_lane(back, 0), i32x4.extract_lane(source, 0)));
  pixels = i32x4.replace_lane(pixels, 1, lookThrice(table, i32x4.extract_lane(back, 1), i32x4.extract_lane(source, 1)));
  pixels = i32x4.replace_lane(pixels, 2, lookThrice(table, i32x4.extract_lane(back, 2), i32x4.extract_lane(source, 2)));
  return i32x4.replace_lane(pixels, 3, lookThrice(table, i32x4.extract_lane(back, 3), i32x4.extract_lane(source, 3)));
}

// ---- runs of pixels ----

/** With a variable `mode`: few pixels let the scene show through. */
function blendFourBy(mode: i32, table: usize, back: v128, source: v128): v128 {
  return mode == TABLE_MODE ? blendFourByTable(table, back, source) : blendFour(mode, back, source);
}

/** Up to four pixels that let the scene show through. */
function blendPartly(mode: i32, color: usize, count: usize, table: usize, scale: f64, covered: u32, scene: usize): void {
  const source = v128.load(color), back = loadFour(scene);
  const blended = blendFourBy(mode, table, back, unmultiplyFour(source));
  storePixels(scene, mixFour(back, blended, weighFour(source, covered, scale)), count);
}

/** Pixels that may all let the scene show through. */
function blendAllPartly(mode: i32, color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
  for (let left = <isize>length; left > 0; left -= 4, color += 16, coverage += 4, scene += 12) {
    const covered = load<u32>(coverage);
    // Nothing to do without coverage, and for transparent artwork.
    if (covered && v128.any_true(v128.load(color))) blendPartly(mode, color, left, table, scale, covered, scene);
  }
}

// Nearly all pixels of a frame are opaque: short code for each mode. `mode` is constant at each call.
// @ts-ignore: decorator
@inline function blendRun(mode: i32, color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
  const end = color + (length << 2), wholeEnd = color + ((length & ~3) << 2);
  for (; color < wholeEnd; color += 16, coverage += 4, scene += 12) {
    const source = v128.load(color);
    const isOpaque = (i8x16.bitmask(i8x16.eq(source, i8x16.splat(-1))) & 0x8888) == 0x8888;
    if (load<u32>(coverage) != 0xffffffff || !isOpaque) {
      blendPartly(mode, color, 4, table, scale, load<u32>(coverage), scene);
      continue;
    }
    const back = loadFour(scene);
    storePixels(scene, mode == TABLE_MODE ? blendFourByTable(table, back, source) : blendFour(mode, back, source), 4);
  }
  if (color < end) blendPartly(mode, color, (end - color) >> 2, table, scale, load<u32>(coverage), scene);
}

/**
 * `color` is premultiplied RGBA; `mode` is one of the above or TABLE_MODE; `scale` converts coverage times
 * alpha to parts of 65536. Reads up to 16 bytes past the end of each.
 */
export function blendPixels(mode: i32, color: usize, length: usize, table: usize, scale: f64, coverage: usize, scene: usize): void {
  if (floor(65025 * scale + 0.5) != 65536) {
    blendAllPartly(mode, color, length, table, scale, coverage, scene);
    return;
  }
  switch (mode) {
    case MODE_NORMAL: blendRun(MODE_NORMAL, color, length, table, scale, coverage, scene); break;
    case MODE_MULTIPLY: blendRun(MODE_MULTIPLY, color, length, table, scale, coverage, scene); break;
    case MODE_SCREEN: blendRun(MODE_SCREEN, color, length, table, scale, coverage, scene); break;
    case MODE_DARKEN: blendRun(MODE_DARKEN, color, length, table, scale, coverage, scene); break;
    case MODE_LIGHTEN: blendRun(MODE_LIGHTEN, color, length, table, scale, coverage, scene); break;
    case MODE_OVERLAY: blendRun(MODE_OVERLAY, color, length, table, scale, coverage, scene); break;
    case MODE_HARD_LIGHT: blendRun(MODE_HARD_LIGHT, color, length, table, scale, coverage, scene); break;
    case MODE_DIFFERENCE: blendRun(MODE_DIFFERENCE, color, length, table, scale, coverage, scene); break;
    case MODE_LINEAR_DODGE: blendRun(MODE_LINEAR_DODGE, color, length, table, scale, coverage, scene); break;
    case MODE_LINEAR_BURN: blendRun(MODE_LINEAR_BURN, color, length, table, scale, coverage, scene); break;
    case MODE_SUBTRACT: blendRun(MODE_SUBTRACT, color, length, table, scale, coverage, scene); break;
    case MODE_HUE: blendRun(MODE_HUE, color, length, table, scale, coverage, scene); break;
    case MODE_SATURATION: blendRun(MODE_SATURATION, color, length, table, scale, coverage, scene); break;
    case MODE_COLOR: blendRun(MODE_COLOR, color, length, table, scale, coverage, scene); break;
    case MODE_LUMINOSITY: blendRun(MODE_LUMINOSITY, color, length, table, scale, coverage, scene); break;
    case MODE_DARKER_COLOR: blendRun(MODE_DARKER_COLOR, color, length, table, scale, coverage, scene); break;
    case MODE_LIGHTER_COLOR: blendRun(MODE_LIGHTER_COLOR, color, length, table, scale, coverage, scene); break;
    case TABLE_MODE: blendRun(TABLE_MODE, color, length, table, scale, coverage, scene); break;
    default: unreachable();
  }
}

/** Blends `rows` rows of an overlay over the scene; strides in bytes. */
export function layOver(
  mode: i32, color: usize, colorStride: usize, width: usize, rows: i32, table: usize, scale: f64, scene: usize, sceneStride: usize,
): void {
  for (; rows > 0; rows--, color += colorStride, scene += sceneStride) {
    for (let at: usize = 0; at < width; at += 4) {
      const source = color + (at << 2);
      // Most of an overlay is transparent.
      if (v128.any_true(v128.load(source))) blendPartly(mode, source, width - at, table, scale, 0xffffffff, scene + at * 3);
    }
  }
}
