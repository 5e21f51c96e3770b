// The operations of a stack on an area of a band: rows of `width` pixels, of which the first is pixel `start`
// of the surface and each next one `bandWidth` further. Pictures and masks are compact: rows of the area.
//
// The caller owns all memory. Every region ends in at least 64 readable bytes.
import { channelOf, joinChannels, loadFour, storePixels } from '../frame/pixels';
import { BY_TABLES, BY_THRESHOLD, CUBE_SIDE, LEAST_ALPHA, PLANE_BYTES, RUN_PX } from './constants.ts';
import { clampFour, lumFour } from './formulas';
import { bytesAsFloats, cover, fillPlane, meet, sourcePlane, storeFloats, weigh } from './runs';

const PLANE: usize = PLANE_BYTES;
const RUN: isize = RUN_PX;

// @ts-ignore: decorator
@inline function ofByte(bytes: v128): v128 { return f32x4.mul(f32x4.convert_i32x4_u(bytes), f32x4.splat(1.0 / 255.0)); }

/** Opaque RGB bytes onto a surface. */
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
  return i32x4.trunc_sat_f32x4_u(f32x4.add(f32x4.mul(value, f32x4.splat(255)), f32x4.splat(0.5)));
}

/** A surface as RGB bytes. */
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

// Sampled artwork into the source planes: colours before they were multiplied by alpha, alpha times coverage.
function loadFrame(length: isize, colors: usize, coverage: usize): void {
  for (let at: isize = 0; at < length; at += 4) {
    const pixels = v128.load(colors + (at << 2)), alpha = i32x4.shr_u(pixels, 24);
    const divisor = f32x4.convert_i32x4_u(i32x4.max_s(alpha, i32x4.splat(1))), by = at << 2;
    v128.store(sourcePlane(0) + by, f32x4.div(f32x4.convert_i32x4_u(channelOf(pixels, 0)), divisor));
    v128.store(sourcePlane(1) + by, f32x4.div(f32x4.convert_i32x4_u(channelOf(pixels, 8)), divisor));
    v128.store(sourcePlane(2) + by, f32x4.div(f32x4.convert_i32x4_u(channelOf(pixels, 16)), divisor));
    const covered = f32x4.mul(bytesAsFloats(coverage + at), f32x4.splat(1.0 / 255.0));
    v128.store(sourcePlane(3) + by, f32x4.mul(ofByte(alpha), covered));
  }
}

export function placeFrame(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, colors: usize, coverage: usize,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth, colors += width << 2, coverage += width) {
    for (let at: isize = 0; at < width; at += RUN) {
      const length = min(RUN, width - at);
      loadFrame(length, colors + (at << 2), coverage + at);
      for (let channel = 0; channel < 4; channel++) {
        memory.copy(surface + <usize>channel * PLANE + ((start + at) << 2), sourcePlane(channel), length << 2);
      }
    }
  }
}

export function drawFrameColors(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, colors: usize, coverage: usize,
  mode: i32, opacity: f32, fill: f32, isOpaque: i32,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth, colors += width << 2, coverage += width) {
    for (let at: isize = 0; at < width; at += RUN) {
      const length = min(RUN, width - at);
      loadFrame(length, colors + (at << 2), coverage + at);
      weigh(length, opacity);
      meet(mode, fill, isOpaque, surface + ((start + at) << 2), length);
    }
  }
}

/** Straight RGBA. */
export function drawPicture(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, colors: usize,
  mode: i32, opacity: f32, fill: f32, isOpaque: i32,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth, colors += width << 2) {
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
      // On opaque ground clear pixels change nothing, and most of a picture may be clear.
      if (isOpaque && !v128.any_true(any)) continue;
      weigh(length, opacity);
      meet(mode, fill, isOpaque, surface + ((start + run) << 2), length);
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
      meet(mode, fill, isOpaque, surface + ((start + at) << 2), length);
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
      meet(mode, fill, isOpaque, surface + pixel, length);
    }
    if (mask) mask += width;
  }
}

// ---- adjustments ----

// @ts-ignore: decorator
@inline function lookUp(table: usize, value: f32): f32 {
  const position = value * 255;
  const below = min<i32>(254, <i32>position);
  const share = position - <f32>below, entry = table + (<usize>below << 2);
  return (1 - share) * load<f32>(entry) + share * load<f32>(entry, 4);
}

const RED_STEP: usize = CUBE_SIDE * CUBE_SIDE * 12;
const GREEN_STEP: usize = CUBE_SIDE * 12;
const BLUE_STEP: usize = 12;

function lookUpColor(cube: usize, red: f32, green: f32, blue: f32, to: usize, plane: usize): void {
  const last: i32 = CUBE_SIDE - 2;
  const r = red * <f32>(CUBE_SIDE - 1), g = green * <f32>(CUBE_SIDE - 1), b = blue * <f32>(CUBE_SIDE - 1);
  const cellR = min<i32>(last, <i32>r), cellG = min<i32>(last, <i32>g), cellB = min<i32>(last, <i32>b);
  let most = r - <f32>cellR, middle = g - <f32>cellG, least = b - <f32>cellB;
  let stepMost = RED_STEP, stepMiddle = GREEN_STEP, stepLeast = BLUE_STEP;
  if (most < middle) {
    const share = most; most = middle; middle = share;
    const step = stepMost; stepMost = stepMiddle; stepMiddle = step;
  }
  if (middle < least) {
    const share = middle; middle = least; least = share;
    const step = stepMiddle; stepMiddle = stepLeast; stepLeast = step;
  }
  if (most < middle) {
    const share = most; most = middle; middle = share;
    const step = stepMost; stepMost = stepMiddle; stepMiddle = step;
  }
  const first = cube + <usize>cellR * RED_STEP + <usize>cellG * GREEN_STEP + <usize>cellB * BLUE_STEP;
  const second = first + stepMost, third = second + stepMiddle, fourth = third + stepLeast;
  // The fourth lane is the next colour's, or what follows the last.
  const start = f32x4.add(
    f32x4.mul(f32x4.splat(1 - most), v128.load(first)),
    f32x4.mul(f32x4.splat(most - middle), v128.load(second)),
  );
  const sum = f32x4.add(
    f32x4.add(start, f32x4.mul(f32x4.splat(middle - least), v128.load(third))),
    f32x4.mul(f32x4.splat(least), v128.load(fourth)),
  );
  store<f32>(to, f32x4.extract_lane(sum, 0));
  store<f32>(to + plane, f32x4.extract_lane(sum, 1));
  store<f32>(to + 2 * plane, f32x4.extract_lane(sum, 2));
}

function loadAdjusted(kind: i32, values: usize, level: i32, from: usize, length: isize): void {
  const out = sourcePlane(0), plane = sourcePlane(1) - out;
  for (let at: isize = 0; at < length << 2; at += 4) {
    const by = from + at;
    if (kind == BY_TABLES) {
      store<f32>(out + at, lookUp(values, load<f32>(by)));
      store<f32>(out + at + plane, lookUp(values + 1024, load<f32>(by + PLANE)));
      store<f32>(out + at + 2 * plane, lookUp(values + 2048, load<f32>(by + 2 * PLANE)));
    } else lookUpColor(values, load<f32>(by), load<f32>(by + PLANE), load<f32>(by + 2 * PLANE), out + at, plane);
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

export function adjust(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, kind: i32, values: usize, level: i32, mask: usize,
  mode: i32, opacity: f32, fill: f32,
): void {
  for (let row = 0; row < rows; row++, start += bandWidth) {
    for (let at: isize = 0; at < width; at += RUN) {
      const length = min(RUN, width - at), back = surface + ((start + at) << 2);
      if (kind == BY_THRESHOLD) loadThreshold(level, back, length);
      else loadAdjusted(kind, values, level, back, length);
      fillPlane(sourcePlane(3), length, 1);
      cover(length, mask ? mask + at : 0);
      weigh(length, opacity);
      meet(mode, fill, 1, back, length);
    }
    if (mask) mask += width;
  }
}

/** RGB of 16 bits each. */
export function multiplyAndAdd(
  surface: usize, start: usize, bandWidth: usize, width: isize, rows: i32, multiply: usize, add: usize,
): void {
  const ofWide = <f32>(1.0 / 65535.0);
  for (let row = 0; row < rows; row++, start += bandWidth) {
    for (let at: isize = 0; at < width; at++) {
      for (let channel: usize = 0; channel < 3; channel++, multiply += 2, add += 2) {
        const to = surface + channel * PLANE + ((start + at) << 2);
        const value = load<f32>(to) * (<f32>load<u16>(multiply) * ofWide) + <f32>load<u16>(add) * ofWide;
        store<f32>(to, max<f32>(0, min<f32>(1, value)));
      }
    }
  }
}

/** Mixes what a surface has with what it had before. */
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
