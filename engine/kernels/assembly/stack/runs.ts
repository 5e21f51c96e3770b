// A run of pixels of a stack: the source is loaded into planes, blended, and composited with a surface. Like
// engine/src/stack/plain-arithmetic.ts, bit for bit.
import { LEAST_ALPHA, PLANE_BYTES, RUN_PX } from './constants.ts';
import { blendColors, blendedBlue, blendedGreen, blendedRed, clampFour, hardMixFilledFour } from './formulas';
import * as modes from './modes';
import { shareOfByte } from './vectors';

/** Red, green, blue and alpha of the source, and the blended colours: planes of a run. */
const RUN_BYTES: usize = RUN_PX * 4 + 64;
export const SOURCE = memory.data(4 * (RUN_PX * 4 + 64));
const BLENDED = memory.data(3 * (RUN_PX * 4 + 64));
const LANES = memory.data<i32>([-1, -1, -1, -1, 0, 0, 0, 0]);

const PLANE: usize = PLANE_BYTES;

// @ts-ignore: decorator
@inline export function sourcePlane(index: i32): usize { return SOURCE + <usize>index * RUN_BYTES; }

/** Stores the first `left` of four floats. */
// @ts-ignore: decorator
@inline export function storeFloats(to: usize, value: v128, left: isize): void {
  if (left >= 4) v128.store(to, value);
  else v128.store(to, v128.bitselect(value, v128.load(to), v128.load(LANES + ((4 - left) << 2))));
}

/** Multiplies the source's alpha by a number, or by bytes. */
export function weigh(length: isize, opacity: f32): void {
  if (opacity == 1) return;
  const alpha = sourcePlane(3), factor = f32x4.splat(opacity);
  for (let at: isize = 0; at < length; at += 4) v128.store(alpha + (at << 2), f32x4.mul(v128.load(alpha + (at << 2)), factor));
}
export function cover(length: isize, mask: usize): void {
  if (!mask) return;
  const alpha = sourcePlane(3);
  for (let at: isize = 0; at < length; at += 4) {
    const share = f32x4.mul(bytesAsFloats(mask + at), shareOfByte());
    v128.store(alpha + (at << 2), f32x4.mul(v128.load(alpha + (at << 2)), share));
  }
}

/** Four bytes. */
// @ts-ignore: decorator
@inline export function bytesAsFloats(from: usize): v128 {
  const wide = i16x8.extend_low_i8x16_u(v128.load32_zero(from));
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(wide));
}

export function fillPlane(plane: usize, length: isize, value: f32): void {
  for (let at: isize = 0; at < length; at += 4) v128.store(plane + (at << 2), f32x4.splat(value));
}

// @ts-ignore: decorator
@inline function blendPlanes(mode: i32, fill: f32, back: usize, length: isize): void {
  for (let channel: usize = 0; channel < 3; channel++) {
    const b = back + channel * PLANE, s = SOURCE + channel * RUN_BYTES, out = BLENDED + channel * RUN_BYTES;
    for (let at: isize = 0; at < length << 2; at += 16) {
      const below = v128.load(b + at), source = v128.load(s + at);
      const blended = mode == modes.HARD_MIX && fill < 1
        ? hardMixFilledFour(below, source, fill)
        : modes.blendChannel(mode, below, fill < 1 ? modes.fillSource(mode, source, fill) : source);
      v128.store(out + at, clampFour(blended));
    }
  }
}

function blendRun(mode: i32, fill: f32, back: usize, length: isize): void {
  switch (mode) {
    $separableCases;
    default: blendWhole(mode, back, length);
  }
}

function blendWhole(mode: i32, back: usize, length: isize): void {
  for (let at: isize = 0; at < length << 2; at += 16) {
    const s = SOURCE + at, out = BLENDED + at, b = back + at;
    blendColors(
      mode, v128.load(b), v128.load(b + PLANE), v128.load(b + 2 * PLANE),
      v128.load(s), v128.load(s + RUN_BYTES), v128.load(s + 2 * RUN_BYTES),
    );
    v128.store(out, clampFour(blendedRed()));
    v128.store(out + RUN_BYTES, clampFour(blendedGreen()));
    v128.store(out + 2 * RUN_BYTES, clampFour(blendedBlue()));
  }
}

/** Composites the run's source with pixels of a surface, the first of which is at `back`. */
export function composite(mode: i32, fill: f32, isOpaque: i32, back: usize, length: isize): void {
  let mixed = BLENDED;
  if (mode == modes.NORMAL) mixed = SOURCE;
  else blendRun(mode, fill, back, length);
  if (isOpaque) meetOpaque(mixed, back, length);
  else meetAny(mixed, fill, back, length);
}

function meetOpaque(mixed: usize, back: usize, length: isize): void {
  const alpha = sourcePlane(3), one = f32x4.splat(1);
  for (let at: isize = 0; at < length; at += 4) {
    const by = at << 2, weight = v128.load(alpha + by), rest = f32x4.sub(one, weight);
    for (let channel: usize = 0; channel < 3; channel++) {
      const to = back + channel * PLANE + by;
      const sum = f32x4.add(
        f32x4.mul(rest, v128.load(to)),
        f32x4.mul(weight, v128.load(mixed + channel * RUN_BYTES + by)),
      );
      storeFloats(to, clampFour(sum), length - at);
    }
  }
}

function meetAny(mixed: usize, fill: f32, back: usize, length: isize): void {
  const alpha = sourcePlane(3), one = f32x4.splat(1), filled = f32x4.splat(fill), least = f32x4.splat(<f32>LEAST_ALPHA);
  for (let at: isize = 0; at < length; at += 4) {
    const by = at << 2, weight = v128.load(alpha + by), backAlpha = v128.load(back + 3 * PLANE + by);
    const grown = f32x4.mul(f32x4.sub(one, backAlpha), f32x4.mul(weight, filled));
    const keptShare = f32x4.mul(f32x4.sub(one, weight), backAlpha), mixedShare = f32x4.mul(weight, backAlpha);
    const result = f32x4.add(backAlpha, grown), divisor = f32x4.max(result, least);
    for (let channel: usize = 0; channel < 3; channel++) {
      const to = back + channel * PLANE + by;
      const sum = f32x4.add(
        f32x4.add(
          f32x4.mul(keptShare, v128.load(to)),
          f32x4.mul(mixedShare, v128.load(mixed + channel * RUN_BYTES + by)),
        ),
        f32x4.mul(grown, v128.load(SOURCE + channel * RUN_BYTES + by)),
      );
      storeFloats(to, clampFour(f32x4.div(sum, divisor)), length - at);
    }
    storeFloats(back + 3 * PLANE + by, result, length - at);
  }
}
