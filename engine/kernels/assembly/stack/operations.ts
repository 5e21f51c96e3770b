// The operations of a stack on an area of a band: rows of `width` pixels; the first is pixel `start` of the
// surface, the next rows `bandWidth` further. Pictures and masks are compact: rows of the area.
// The caller owns all memory. Every region ends in at least 64 readable bytes.
import { channelOf, joinChannels, loadFour, storePixels } from '../frame/pixels';
import { BY_TABLES, BY_THRESHOLD, CUBE_SIDE, LEAST_ALPHA, PLANE_BYTES, RUN_PX } from './constants.ts';
import { clampFour, lumFour } from './formulas';
import {
  blendChannel, COLOR_DODGE, DARKEN, HARD_LIGHT, LIGHTEN, LINEAR_BURN, LINEAR_DODGE, MULTIPLY, NORMAL, OVERLAY, SCREEN, SOFT_LIGHT,
} from './modes';
import { bytesAsFloats, composite, cover, fillPlane, SOURCE, sourcePlane, storeFloats, weigh } from './runs';
import { half, lastEntry, one, shareOfByte, shareOfWide, white, wholeOf } from './vectors';

const PLANE: usize = PLANE_BYTES;
const RUN: isize = RUN_PX;

// @ts-ignore: decorator
@inline function ofByte(bytes: v128): v128 { return f32x4.mul(f32x4.convert_i32x4_s(bytes), shareOfByte()); }

/** Loads opaque RGB bytes into a surface. */
export function loadScene(surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, scene: usize): void {
  for (let row = 0; row < rows; row++, start += bandWidth, scene += width * 3) {
    const to = surface + (start << 2);
    for (let at: isize = 0; at < width; at += 4) {
      const pixels = loadFour(scene + at * 3);
      storeFloats(to + (at << 2), ofByte(channelOf(pixels, 0)), width - at);
      storeFloats(to + (at << 2) + PLANE, ofByte(channelOf(pixels, 8)), width - at);
      storeFloats(to + (at << 2) + 2 * PLANE, ofByte(channelOf(pixels, 16)), width - at);
    }
  }
}

// @ts-ignore: decorator
@inline function toByte(value: v128): v128 {
  return wholeOf(f32x4.floor(f32x4.add(f32x4.mul(value, white()), half())));
}

/** Stores a surface as RGB bytes. */
export function storeScene(surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, scene: usize): void {
  for (let row = 0; row < rows; row++, start += bandWidth, scene += width * 3) {
    const from = surface + (start << 2);
    for (let at: isize = 0; at < width; at += 4) {
      const by = from + (at << 2);
      const pixels = joinChannels(toByte(v128.load(by)), toByte(v128.load(by + PLANE)), toByte(v128.load(by + 2 * PLANE)));
      storePixels(scene + at * 3, pixels, width - at);
    }
  }
}

export function clearSurface(surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32): void {
  for (let row = 0; row < rows; row++, start += bandWidth) {
    for (let channel: usize = 0; channel < 4; channel++) memory.fill(surface + channel * PLANE + (start << 2), 0, width << 2);
  }
}

export function copySurface(from: usize, to: usize, start: usize, bandWidth: usize, width: isize, rows: i32): void {
  for (let row = 0; row < rows; row++, start += bandWidth) {
    for (let channel: usize = 0; channel < 4; channel++) {
      const at = channel * PLANE + (start << 2);
      memory.copy(to + at, from + at, width << 2);
    }
  }
}

// Loads sampled artwork into the source planes: unpremultiplied colours, and alpha.
function loadFrame(length: isize, colors: usize): void {
  for (let at: isize = 0; at < length; at += 4) {
    const pixels = v128.load(colors + (at << 2)), alpha = i32x4.shr_u(pixels, 24);
    const divisor = f32x4.convert_i32x4_s(i32x4.max_s(alpha, i32x4.splat(1))), by = at << 2;
    v128.store(sourcePlane(0) + by, f32x4.div(f32x4.convert_i32x4_s(channelOf(pixels, 0)), divisor));
    v128.store(sourcePlane(1) + by, f32x4.div(f32x4.convert_i32x4_s(channelOf(pixels, 8)), divisor));
    v128.store(sourcePlane(2) + by, f32x4.div(f32x4.convert_i32x4_s(channelOf(pixels, 16)), divisor));
    v128.store(sourcePlane(3) + by, ofByte(alpha));
  }
}

export function placeFrame(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, colors: usize, coverage: usize,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth, colors += width << 2) {
    for (let at: isize = 0; at < width; at += RUN) {
      const length = min(RUN, width - at);
      loadFrame(length, colors + (at << 2));
      cover(length, coverage ? coverage + at : 0);
      for (let channel = 0; channel < 4; channel++) {
        memory.copy(surface + <usize>channel * PLANE + ((start + at) << 2), sourcePlane(channel), length << 2);
      }
    }
    if (coverage) coverage += width;
  }
}

// ---- pictures and frames on an opaque surface in common modes: one pass without source planes ----

/** `isWithin`: whether the source is within 0..1; then most modes leave it, or leave it at one end. */
// @ts-ignore: decorator
@inline function blendFour(mode: i32, isWithin: bool, below: v128, source: v128): v128 {
  if (mode == NORMAL) return source;
  const blended = blendChannel(mode, below, source);
  if (mode == MULTIPLY || mode == SCREEN || mode == DARKEN || mode == LIGHTEN) return blended;
  if (!isWithin) return clampFour(blended);
  if (mode == OVERLAY || mode == HARD_LIGHT || mode == SOFT_LIGHT) return blended;
  if (mode == LINEAR_DODGE || mode == COLOR_DODGE) return f32x4.pmin(one(), blended);
  return mode == LINEAR_BURN ? f32x4.pmax(f32x4.splat(0), blended) : clampFour(blended);
}

/** `rest`: 1 - weight. */
// @ts-ignore: decorator
@inline function mixFour(mode: i32, isWithin: bool, below: v128, source: v128, weight: v128, rest: v128): v128 {
  const mixed = blendFour(mode, isWithin, below, source);
  return f32x4.add(f32x4.mul(rest, below), f32x4.mul(weight, mixed));
}

// @ts-ignore: decorator
@inline function compositeFour(mode: i32, to: usize, source: v128, weight: v128, rest: v128): void {
  v128.store(to, clampFour(mixFour(mode, false, v128.load(to), source, weight, rest)));
}

/** Of a source within 0..1, which needs no clamping: (1 - w) + w rounds to 1 at most. */
// @ts-ignore: decorator
@inline function compositeWithin(mode: i32, to: usize, source: v128, weight: v128, rest: v128): void {
  v128.store(to, mixFour(mode, true, v128.load(to), source, weight, rest));
}

/** `coverage`: of a frame, which is premultiplied; 0 for a picture. Skips transparent pixels. */
// @ts-ignore: decorator
@inline function drawRow(mode: i32, isFrame: bool, to: usize, width: isize, colors: usize, coverage: usize, opacity: f32): void {
  const end = to + (width << 2), afterRed = v128.load(end), afterGreen = v128.load(end + PLANE), afterBlue = v128.load(end + 2 * PLANE);
  for (let at: isize = 0; at < width; at += 4) {
    const pixels = v128.load(colors + (at << 2)), alpha = i32x4.shr_u(pixels, 24), by = to + (at << 2);
    if (!v128.any_true(alpha)) continue;
    let weight = ofByte(alpha);
    const red = channelOf(pixels, 0), green = channelOf(pixels, 8), blue = channelOf(pixels, 16);
    if (isFrame) {
      const divisor = f32x4.convert_i32x4_s(i32x4.max_s(alpha, i32x4.splat(1)));
      weight = f32x4.mul(f32x4.mul(weight, f32x4.mul(bytesAsFloats(coverage + at), shareOfByte())), f32x4.splat(opacity));
      const rest = f32x4.sub(one(), weight);
      compositeFour(mode, by, f32x4.div(f32x4.convert_i32x4_s(red), divisor), weight, rest);
      compositeFour(mode, by + PLANE, f32x4.div(f32x4.convert_i32x4_s(green), divisor), weight, rest);
      compositeFour(mode, by + 2 * PLANE, f32x4.div(f32x4.convert_i32x4_s(blue), divisor), weight, rest);
    } else {
      weight = f32x4.mul(weight, f32x4.splat(opacity));
      const rest = f32x4.sub(one(), weight);
      compositeWithin(mode, by, ofByte(red), weight, rest);
      compositeWithin(mode, by + PLANE, ofByte(green), weight, rest);
      compositeWithin(mode, by + 2 * PLANE, ofByte(blue), weight, rest);
    }
  }
  // Whole vectors were stored, and the pixels after the row belong to another area.
  v128.store(end, afterRed);
  v128.store(end + PLANE, afterGreen);
  v128.store(end + 2 * PLANE, afterBlue);
}

/** Whether the mode is one of those. */
// @ts-ignore: decorator
@inline function drawRowIn(mode: i32, isFrame: bool, to: usize, width: isize, colors: usize, coverage: usize, opacity: f32): bool {
  switch (mode) {
    case NORMAL: drawRow(NORMAL, isFrame, to, width, colors, coverage, opacity); return true;
    case MULTIPLY: drawRow(MULTIPLY, isFrame, to, width, colors, coverage, opacity); return true;
    case SCREEN: drawRow(SCREEN, isFrame, to, width, colors, coverage, opacity); return true;
    case OVERLAY: drawRow(OVERLAY, isFrame, to, width, colors, coverage, opacity); return true;
    case HARD_LIGHT: drawRow(HARD_LIGHT, isFrame, to, width, colors, coverage, opacity); return true;
    case SOFT_LIGHT: drawRow(SOFT_LIGHT, isFrame, to, width, colors, coverage, opacity); return true;
    case LINEAR_BURN: drawRow(LINEAR_BURN, isFrame, to, width, colors, coverage, opacity); return true;
    case DARKEN: drawRow(DARKEN, isFrame, to, width, colors, coverage, opacity); return true;
    case LIGHTEN: drawRow(LIGHTEN, isFrame, to, width, colors, coverage, opacity); return true;
    case COLOR_DODGE: drawRow(COLOR_DODGE, isFrame, to, width, colors, coverage, opacity); return true;
    case LINEAR_DODGE: drawRow(LINEAR_DODGE, isFrame, to, width, colors, coverage, opacity); return true;
    default: return false;
  }
}
function drawPictureRow(mode: i32, to: usize, width: isize, colors: usize, opacity: f32): bool {
  return drawRowIn(mode, false, to, width, colors, 0, opacity);
}
function drawFrameRow(mode: i32, to: usize, width: isize, colors: usize, coverage: usize, opacity: f32): bool {
  return drawRowIn(mode, true, to, width, colors, coverage, opacity);
}

export function drawFrameColors(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, colors: usize, coverage: usize,
  mode: i32, opacity: f32, fill: f32, isOpaque: i32,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth, colors += width << 2, coverage += width) {
    if (isOpaque && fill == 1 && drawFrameRow(mode, surface + (start << 2), width, colors, coverage, opacity)) continue;
    for (let at: isize = 0; at < width; at += RUN) {
      const length = min(RUN, width - at);
      loadFrame(length, colors + (at << 2));
      cover(length, coverage + at);
      weigh(length, opacity);
      composite(mode, fill, isOpaque, surface + ((start + at) << 2), length);
    }
  }
}

/** Straight RGBA. */
export function drawPicture(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, colors: usize,
  mode: i32, opacity: f32, fill: f32, isOpaque: i32,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth, colors += width << 2) {
    if (isOpaque && fill == 1 && drawPictureRow(mode, surface + (start << 2), width, colors, opacity)) continue;
    for (let run: isize = 0; run < width; run += RUN) {
      const length = min(RUN, width - run), from = colors + (run << 2);
      let any = i32x4.splat(0);
      for (let at: isize = 0; at < length; at += 4) {
        const pixels = v128.load(from + (at << 2)), by = at << 2, alpha = i32x4.shr_u(pixels, 24);
        any = v128.or(any, alpha);
        v128.store(sourcePlane(0) + by, ofByte(channelOf(pixels, 0)));
        v128.store(sourcePlane(1) + by, ofByte(channelOf(pixels, 8)));
        v128.store(sourcePlane(2) + by, ofByte(channelOf(pixels, 16)));
        v128.store(sourcePlane(3) + by, ofByte(alpha));
      }
      // On an opaque surface transparent pixels change nothing, and most of a picture may be transparent.
      if (isOpaque && !v128.any_true(any)) continue;
      weigh(length, opacity);
      composite(mode, fill, isOpaque, surface + ((start + run) << 2), length);
    }
  }
}

/** One colour. */
export function drawColor(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, red: f32, green: f32, blue: f32, mask: usize,
  mode: i32, opacity: f32, fill: f32, isOpaque: i32,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth) {
    for (let at: isize = 0; at < width; at += RUN) {
      const length = min(RUN, width - at);
      fillPlane(sourcePlane(0), length, red);
      fillPlane(sourcePlane(1), length, green);
      fillPlane(sourcePlane(2), length, blue);
      fillPlane(sourcePlane(3), length, 1);
      cover(length, mask ? mask + at : 0);
      weigh(length, opacity);
      composite(mode, fill, isOpaque, surface + ((start + at) << 2), length);
    }
    if (mask) mask += width;
  }
}

/** Another surface. */
export function drawSurface(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, from: usize, mask: usize,
  mode: i32, opacity: f32, fill: f32, isOpaque: i32,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth) {
    for (let at: isize = 0; at < width; at += RUN) {
      const length = min(RUN, width - at), pixel = (start + at) << 2;
      for (let channel = 0; channel < 4; channel++) {
        memory.copy(sourcePlane(channel), from + <usize>channel * PLANE + pixel, length << 2);
      }
      cover(length, mask ? mask + at : 0);
      weigh(length, opacity);
      composite(mode, fill, isOpaque, surface + pixel, length);
    }
    if (mask) mask += width;
  }
}

// ---- adjustments ----

/** Four values of one table, interpolated between entries. NaN stays inside the table. */
// @ts-ignore: decorator
@inline function lookUpFour(table: usize, value: v128): v128 {
  const position = f32x4.mul(value, white());
  const whole = f32x4.pmax(f32x4.splat(0), f32x4.pmin(lastEntry(), f32x4.floor(position)));
  const share = f32x4.sub(position, whole), entry = i32x4.shl(wholeOf(whole), 2);
  const first = v128.load64_lane(table + i32x4.extract_lane(entry, 1), v128.load64_zero(table + i32x4.extract_lane(entry, 0)), 1);
  const second = v128.load64_lane(table + i32x4.extract_lane(entry, 3), v128.load64_zero(table + i32x4.extract_lane(entry, 2)), 1);
  const low = v128.shuffle<i32>(first, second, 0, 2, 4, 6), high = v128.shuffle<i32>(first, second, 1, 3, 5, 7);
  return f32x4.add(f32x4.mul(f32x4.sub(one(), share), low), f32x4.mul(share, high));
}

// Distances of neighbours in a cube along each axis, in bytes: a colour is four floats, the last one unused.
const RED_STEP = CUBE_SIDE * CUBE_SIDE * 16;
const GREEN_STEP = CUBE_SIDE * 16;
const BLUE_STEP = 16;
const ALL_STEPS = RED_STEP + GREEN_STEP + BLUE_STEP;
const STEPS = memory.data<i32>([
  RED_STEP, RED_STEP, RED_STEP, RED_STEP, GREEN_STEP, GREEN_STEP, GREEN_STEP, GREEN_STEP,
  BLUE_STEP, BLUE_STEP, BLUE_STEP, BLUE_STEP, ALL_STEPS, ALL_STEPS, ALL_STEPS, ALL_STEPS,
]);
const SIDE = <f32>CUBE_SIDE;
const CELLS = memory.data<f32>([
  SIDE, SIDE, SIDE, SIDE, SIDE - 1, SIDE - 1, SIDE - 1, SIDE - 1, SIDE - 2, SIDE - 2, SIDE - 2, SIDE - 2,
]);

/** Numbers of four pixels, which are read one by one: loads are faster than taking lanes out of vectors. */
const FIRST = memory.data(7 * 16);
const SECOND: usize = FIRST + 16, THIRD: usize = FIRST + 32, WEIGHTS: usize = FIRST + 48;

// @ts-ignore: decorator
@inline function cellOf(position: v128): v128 {
  return f32x4.pmax(f32x4.splat(0), f32x4.pmin(v128.load(CELLS, 32), f32x4.floor(position)));
}

/** The colour of one of the pixels: interpolates between four corners of a cell. */
// @ts-ignore: decorator
@inline function mixCorners(lane: usize): v128 {
  const at = lane << 2, first = load<u32>(FIRST + at);
  const start = f32x4.add(
    f32x4.mul(v128.load32_splat(WEIGHTS + at), v128.load(first)),
    f32x4.mul(v128.load32_splat(WEIGHTS + at, 16), v128.load(load<u32>(SECOND + at))),
  );
  const sum = f32x4.add(start, f32x4.mul(v128.load32_splat(WEIGHTS + at, 32), v128.load(load<u32>(THIRD + at))));
  return f32x4.add(sum, f32x4.mul(v128.load32_splat(WEIGHTS + at, 48), v128.load(first, ALL_STEPS)));
}

/**
 * Four colours by tetrahedral interpolation, into three planes. If two fractions are equal, the corner that
 * depends on their order has no weight.
 */
// @ts-ignore: decorator
@inline function lookUpColors(cube: usize, red: v128, green: v128, blue: v128, to: usize, plane: usize): void {
  const side = v128.load(CELLS), last = v128.load(CELLS, 16);
  const stepR = v128.load(STEPS), stepG = v128.load(STEPS, 16), stepB = v128.load(STEPS, 32);
  const r = f32x4.mul(red, last), g = f32x4.mul(green, last), b = f32x4.mul(blue, last);
  const cellR = cellOf(r), cellG = cellOf(g), cellB = cellOf(b);
  const shareR = f32x4.sub(r, cellR), shareG = f32x4.sub(g, cellG), shareB = f32x4.sub(b, cellB);
  const upper = f32x4.pmax(shareR, shareG), lower = f32x4.pmin(shareR, shareG);
  const most = f32x4.pmax(upper, shareB), least = f32x4.pmin(lower, shareB);
  const middle = f32x4.pmax(lower, f32x4.pmin(upper, shareB));
  const isRedOverGreen = f32x4.ge(shareR, shareG), isGreenOverBlue = f32x4.ge(shareG, shareB), isRedOverBlue = f32x4.ge(shareR, shareB);
  const stepMost = v128.bitselect(stepR, v128.bitselect(stepG, stepB, isGreenOverBlue), v128.and(isRedOverGreen, isRedOverBlue));
  const stepLeast = v128.bitselect(v128.bitselect(stepB, stepG, isGreenOverBlue), stepR, v128.or(isRedOverGreen, isRedOverBlue));
  const cell = f32x4.add(f32x4.mul(f32x4.add(f32x4.mul(cellR, side), cellG), side), cellB);
  const first = i32x4.add(i32x4.shl(wholeOf(cell), 4), i32x4.splat(<i32>cube));
  v128.store(FIRST, first);
  v128.store(SECOND, i32x4.add(first, stepMost));
  v128.store(THIRD, i32x4.sub(i32x4.add(first, v128.load(STEPS, 48)), stepLeast));
  v128.store(WEIGHTS, f32x4.sub(one(), most));
  v128.store(WEIGHTS, f32x4.sub(most, middle), 16);
  v128.store(WEIGHTS, f32x4.sub(middle, least), 32);
  v128.store(WEIGHTS, least, 48);
  const color0 = mixCorners(0), color1 = mixCorners(1), color2 = mixCorners(2), color3 = mixCorners(3);
  const low01 = v128.shuffle<i32>(color0, color1, 0, 4, 1, 5), low23 = v128.shuffle<i32>(color2, color3, 0, 4, 1, 5);
  const high01 = v128.shuffle<i32>(color0, color1, 2, 6, 3, 7), high23 = v128.shuffle<i32>(color2, color3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<i64>(low01, low23, 0, 2));
  v128.store(to + plane, v128.shuffle<i64>(low01, low23, 1, 3));
  v128.store(to + 2 * plane, v128.shuffle<i64>(high01, high23, 0, 2));
}

function loadByTables(tables: usize, from: usize, length: isize): void {
  for (let channel: usize = 0; channel < 3; channel++) {
    const out = sourcePlane(<i32>channel), back = from + channel * PLANE, table = tables + channel * 1024;
    for (let at: isize = 0; at < length << 2; at += 16) v128.store(out + at, lookUpFour(table, v128.load(back + at)));
  }
}

function loadByCube(cube: usize, from: usize, length: isize): void {
  const out = sourcePlane(0), plane = sourcePlane(1) - out;
  for (let at: isize = 0; at < length; at += 4) {
    const by = from + (at << 2);
    lookUpColors(cube, v128.load(by), v128.load(by + PLANE), v128.load(by + 2 * PLANE), out + (at << 2), plane);
  }
}

function loadThreshold(level: i32, from: usize, length: isize): void {
  const least = f32x4.splat(<f32>level);
  for (let at: isize = 0; at < length << 2; at += 16) {
    const lum = lumFour(v128.load(from + at), v128.load(from + at + PLANE), v128.load(from + at + 2 * PLANE));
    const byte = f32x4.floor(f32x4.add(f32x4.mul(lum, f32x4.splat(255)), f32x4.splat(0.5)));
    const value = v128.and(f32x4.splat(1), f32x4.ge(byte, least));
    for (let channel = 0; channel < 3; channel++) v128.store(sourcePlane(channel) + at, value);
  }
}

/** In normal mode: one pass. Where a mask has four zeros, nothing changes. */
// @ts-ignore: decorator
@inline function adjustRow(isCube: bool, values: usize, to: usize, width: isize, mask: usize, opacity: f32): void {
  const end = to + (width << 2), afterRed = v128.load(end), afterGreen = v128.load(end + PLANE), afterBlue = v128.load(end + 2 * PLANE);
  const plane = sourcePlane(1) - sourcePlane(0), isWhole = !mask && opacity == 1;
  for (let at: isize = 0; at < width; at += 4) {
    const by = to + (at << 2);
    let weight = f32x4.splat(opacity);
    if (mask) {
      if (!load<u32>(mask + at)) continue;
      weight = f32x4.mul(f32x4.mul(bytesAsFloats(mask + at), shareOfByte()), weight);
    }
    const rest = f32x4.sub(one(), weight);
    if (isCube) lookUpColors(values, v128.load(by), v128.load(by + PLANE), v128.load(by + 2 * PLANE), SOURCE, plane);
    for (let channel: usize = 0; channel < 3; channel++) {
      const from = by + channel * PLANE;
      const adjusted = isCube ? v128.load(SOURCE + channel * plane) : lookUpFour(values + channel * 1024, v128.load(from));
      if (isWhole) v128.store(from, clampFour(adjusted));
      else compositeFour(NORMAL, from, adjusted, weight, rest);
    }
  }
  v128.store(end, afterRed);
  v128.store(end + PLANE, afterGreen);
  v128.store(end + 2 * PLANE, afterBlue);
}
function adjustRowByTables(tables: usize, to: usize, width: isize, mask: usize, opacity: f32): void {
  adjustRow(false, tables, to, width, mask, opacity);
}
function adjustRowByCube(cube: usize, to: usize, width: isize, mask: usize, opacity: f32): void {
  adjustRow(true, cube, to, width, mask, opacity);
}

export function adjust(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, kind: i32, values: usize, level: i32, mask: usize,
  mode: i32, opacity: f32, fill: f32,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth) {
    if (kind != BY_THRESHOLD && mode == NORMAL) {
      if (kind == BY_TABLES) adjustRowByTables(values, surface + (start << 2), width, mask, opacity);
      else adjustRowByCube(values, surface + (start << 2), width, mask, opacity);
      if (mask) mask += width;
      continue;
    }
    for (let at: isize = 0; at < width; at += RUN) {
      const length = min(RUN, width - at), back = surface + ((start + at) << 2);
      if (kind == BY_THRESHOLD) loadThreshold(level, back, length);
      else if (kind == BY_TABLES) loadByTables(values, back, length);
      else loadByCube(values, back, length);
      fillPlane(sourcePlane(3), length, 1);
      cover(length, mask ? mask + at : 0);
      weigh(length, opacity);
      composite(mode, fill, 1, back, length);
    }
    if (mask) mask += width;
  }
}

/** Four 16-bit numbers. */
// @ts-ignore: decorator
@inline function loadWide(from: usize): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(v128.load16x4_u(from)), shareOfWide());
}

// @ts-ignore: decorator
@inline function multiplyAndAddFour(to: usize, factors: v128, addends: v128, left: isize): void {
  storeFloats(to, clampFour(f32x4.add(f32x4.mul(v128.load(to), factors), addends)), left);
}

/** 16-bit RGB: four pixels are three vectors, which are separated into one per channel. */
export function multiplyAndAdd(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, multiply: usize, add: usize,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth, multiply += width * 6, add += width * 6) {
    const first = surface + (start << 2);
    for (let at: isize = 0; at < width; at += 4) {
      const to = first + (at << 2), left = width - at, m = multiply + at * 6, o = add + at * 6;
      const m0 = loadWide(m), m1 = loadWide(m + 8), m2 = loadWide(m + 16);
      const o0 = loadWide(o), o1 = loadWide(o + 8), o2 = loadWide(o + 16);
      const mRedGreen = v128.shuffle<i32>(m1, m2, 2, 3, 5, 6), mGreenBlue = v128.shuffle<i32>(m0, m1, 1, 2, 4, 5);
      const oRedGreen = v128.shuffle<i32>(o1, o2, 2, 3, 5, 6), oGreenBlue = v128.shuffle<i32>(o0, o1, 1, 2, 4, 5);
      multiplyAndAddFour(
        to, v128.shuffle<i32>(m0, mRedGreen, 0, 3, 4, 6), v128.shuffle<i32>(o0, oRedGreen, 0, 3, 4, 6), left,
      );
      multiplyAndAddFour(
        to + PLANE, v128.shuffle<i32>(mGreenBlue, mRedGreen, 0, 2, 5, 7), v128.shuffle<i32>(oGreenBlue, oRedGreen, 0, 2, 5, 7), left,
      );
      multiplyAndAddFour(
        to + 2 * PLANE, v128.shuffle<i32>(mGreenBlue, m2, 1, 3, 4, 7), v128.shuffle<i32>(oGreenBlue, o2, 1, 3, 4, 7), left,
      );
    }
  }
}

/** Mixes a surface with its previous content. */
export function mixSurfaces(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, before: usize, mask: usize, opacity: f32, isOpaque: i32,
): void {
  const one = f32x4.splat(1), least = f32x4.splat(<f32>LEAST_ALPHA);
  for (let row = 0; row < rows; row++, start += bandWidth) {
    for (let run: isize = 0; run < width; run += RUN) {
      const length = min(RUN, width - run), first = (start + run) << 2;
      fillPlane(sourcePlane(3), length, 1);
      cover(length, mask ? mask + run : 0);
      weigh(length, opacity);
      for (let at: isize = 0; at < length; at += 4) {
        const now = surface + first + (at << 2), then = before + first + (at << 2);
        const share = v128.load(sourcePlane(3) + (at << 2)), rest = f32x4.sub(one, share);
        const shareNow = isOpaque ? share : f32x4.mul(share, v128.load(now + 3 * PLANE));
        const shareThen = isOpaque ? rest : f32x4.mul(rest, v128.load(then + 3 * PLANE));
        const alpha = f32x4.add(shareThen, shareNow), divisor = f32x4.max(alpha, least);
        for (let channel: usize = 0; channel < 3; channel++) {
          const to = now + channel * PLANE;
          const sum = f32x4.add(f32x4.mul(shareThen, v128.load(then + channel * PLANE)), f32x4.mul(shareNow, v128.load(to)));
          storeFloats(to, clampFour(isOpaque ? sum : f32x4.div(sum, divisor)), length - at);
        }
        if (!isOpaque) storeFloats(now + 3 * PLANE, alpha, length - at);
      }
    }
    if (mask) mask += width;
  }
}
