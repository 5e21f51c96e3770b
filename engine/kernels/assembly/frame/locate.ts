// Locates each pixel of a chunk in the artwork: addresses of its first texel and of its weights.
import { LEAST_POSITION, ORIGIN, PHASE_BITS } from './constants.ts';
import {
  CHUNK_PIXELS, FACTOR_W, FACTOR_X, FACTOR_X_V, FACTOR_Y, FACTOR_Y_V, FIRST, GREATEST_X, GREATEST_Y, PER_PERIOD_X, PERIOD_X,
  START_W, START_X, START_Y, STRIDE, TABLE_X, TABLE_Y, TEXEL, TURN_X, WEIGHT_X, WEIGHT_Y,
} from './layout.ts';

// Positions of four pixels, rounded; NaN and infinities are clamped to a bound.
// @ts-ignore: decorator
@inline function round(low: v128, high: v128): v128 {
  const half = f64x2.splat(0.5);
  return i32x4.shuffle(
    i32x4.trunc_sat_f64x2_s_zero(f64x2.add(low, half)), i32x4.trunc_sat_f64x2_s_zero(f64x2.add(high, half)), 0, 1, 4, 5,
  );
}

// @ts-ignore: decorator
@inline function clamp(position: v128, greatest: v128): v128 {
  return i32x4.min_s(i32x4.max_s(position, i32x4.splat(LEAST_POSITION)), greatest);
}

// @ts-ignore: decorator
@inline function storePositions(p: usize, x: v128, y: v128, first: v128, stride: v128, weightsX: v128, weightsY: v128, phase: v128): void {
  const texel = i32x4.add(i32x4.mul(i32x4.shr_s(y, PHASE_BITS), stride), i32x4.shl(i32x4.shr_s(x, PHASE_BITS), 2));
  v128.store(p, i32x4.add(texel, first), TEXEL);
  v128.store(p, i32x4.add(i32x4.shl(v128.and(x, phase), 4), weightsX), WEIGHT_X);
  v128.store(p, i32x4.add(i32x4.shl(v128.and(y, phase), 4), weightsY), WEIGHT_Y);
}

// ---- in a repeated texture ----

// Like buildFold of sample-chunk.ts. `axis` is 0 for x, 8 for y.
// @ts-ignore: decorator
@inline function fold(position: v128, chunk: usize, axis: usize): v128 {
  const origin = f64x2.splat(<f64>ORIGIN);
  const from = f64x2.sub(position, origin);
  const copies = f64x2.floor(f64x2.mul(from, v128.load64_splat(chunk + axis, PER_PERIOD_X)));
  const within = f64x2.sub(from, f64x2.mul(copies, v128.load64_splat(chunk + axis, PERIOD_X)));
  return f64x2.add(f64x2.min(within, f64x2.sub(v128.load64_splat(chunk + axis, TURN_X), within)), origin);
}

// Four positions, of which `low` has the first two.
// @ts-ignore: decorator
@inline function roundFolded(low: v128, high: v128, chunk: usize, axis: usize): v128 {
  return round(fold(low, chunk, axis), fold(high, chunk, axis));
}

// ---- with a homography: the same operations in the same order as the reference ----

// @ts-ignore: decorator
@inline function affine(chunk: usize, factor: usize, start: usize, x: v128): v128 {
  return f64x2.add(f64x2.mul(v128.load64_splat(chunk + factor), x), v128.load64_splat(chunk + start));
}

// @ts-ignore: decorator
@inline function reciprocal(chunk: usize, x: v128): v128 {
  return f64x2.div(f64x2.splat(1), affine(chunk, FACTOR_W, START_W, x));
}

/** Four pixels, the first with its centre at px. */
function locateFour(p: usize, chunk: usize, px: f64): void {
  const low = f64x2(px, px + 1), high = f64x2(px + 2, px + 3);
  const wLow = reciprocal(chunk, low), wHigh = reciprocal(chunk, high);
  const x = round(f64x2.mul(affine(chunk, FACTOR_X, START_X, low), wLow), f64x2.mul(affine(chunk, FACTOR_X, START_X, high), wHigh));
  const y = round(f64x2.mul(affine(chunk, FACTOR_Y, START_Y, low), wLow), f64x2.mul(affine(chunk, FACTOR_Y, START_Y, high), wHigh));
  storePositions(
    p, clamp(x, v128.load32_splat(chunk, GREATEST_X)), clamp(y, v128.load32_splat(chunk, GREATEST_Y)), v128.load32_splat(chunk, FIRST),
    v128.load32_splat(chunk, STRIDE), v128.load32_splat(chunk, TABLE_X), v128.load32_splat(chunk, TABLE_Y), v128.load(PHASE),
  );
}

/** The same in a repeated texture, for pixels at px, px + 1, ...: cubics cannot be wrapped. */
export function locateRepeatedByMatrix(block: usize, chunk: usize, px: f64): void {
  const end = block + (<usize>load<u32>(chunk, CHUNK_PIXELS) << 2);
  for (let p = block; p < end; p += 16, px += 4) {
    const low = f64x2(px, px + 1), high = f64x2(px + 2, px + 3);
    const wLow = reciprocal(chunk, low), wHigh = reciprocal(chunk, high);
    const x = roundFolded(
      f64x2.mul(affine(chunk, FACTOR_X, START_X, low), wLow), f64x2.mul(affine(chunk, FACTOR_X, START_X, high), wHigh), chunk, 0,
    );
    const y = roundFolded(
      f64x2.mul(affine(chunk, FACTOR_Y, START_Y, low), wLow), f64x2.mul(affine(chunk, FACTOR_Y, START_Y, high), wHigh), chunk, 8,
    );
    storePositions(
      p, clamp(x, v128.load32_splat(chunk, GREATEST_X)), clamp(y, v128.load32_splat(chunk, GREATEST_Y)), v128.load32_splat(chunk, FIRST),
      v128.load32_splat(chunk, STRIDE), v128.load32_splat(chunk, TABLE_X), v128.load32_splat(chunk, TABLE_Y), v128.load(PHASE),
    );
  }
}

// ---- by a homography, faster: cubics through exact positions ----
//
// A position is a fraction of two linear functions of the pixel, which over a few pixels a cubic through
// three exact positions, with the third derivative of the middle, follows within E (below). Cubics are
// evaluated by forward differences, 2^-32 of a position's unit fine. Where a cubic's value lies farther than
// E from where rounding would turn, it rounds as the exact position does; four pixels of which one does not
// are located exactly. So the result is the definition's, at a third of the cost of its divisions and
// conversions.

/** Distance of the three exact points of a cubic, in pixels. */
const LEAST_STEP: i32 = 8;
const GREATEST_STEP: i32 = 64;
/**
 * Longer cubics are chosen while their error is below this; no cubic if the shortest one's error is above. In
 * units of a position.
 */
const GOOD_ERROR: f64 = 1.0 / 512;
const GREATEST_ERROR: f64 = 1.0 / 128;
/**
 * Bound of all rounding: of forward differences 2^-18.7 (4,992 times 2^-31 in 32 steps), of the definition
 * itself 2^-22 within the bounds that `findError` demands.
 */
const ROUNDING: f64 = 1.0 / 262144.0;
/** Cubics are not used beyond this value. */
const GREATEST_VALUE: f64 = <f64>(1 << 20);
/**
 * What the error of the parabola through the three points grows with, times the cube of the step between its
 * three points: |f'''| / (9 sqrt(3)), f''' = 6 g^2 D / w^4 for f = (a x + b) / w, w = g x + h, D = a h - b g,
 * with the least w between px and `end`. Not below a good error where anything is out of the range in which
 * rounding is as small as it is taken for.
 */
function findError(chunk: usize, px: f64, end: f64): f64 {
  const factorX = load<f64>(chunk, FACTOR_X), startX = load<f64>(chunk, START_X);
  const factorY = load<f64>(chunk, FACTOR_Y), startY = load<f64>(chunk, START_Y);
  const factorW = load<f64>(chunk, FACTOR_W), startW = load<f64>(chunk, START_W);
  const w = min(factorW * px + startW, factorW * end + startW);
  const reach = max(abs(px), abs(end));
  const isTame = w > 0
    && abs(factorX) * reach + abs(startX) <= w * <f64>(1 << 28)
    && abs(factorY) * reach + abs(startY) <= w * <f64>(1 << 28)
    && abs(factorW) * reach + abs(startW) <= w * 256;
  if (!isTame) return Infinity;
  const bend = factorW / w;
  const determinant = max(abs(factorX * startW - startX * factorW), abs(factorY * startW - startY * factorW));
  return (6.0 / 15.588) * bend * bend * determinant / (w * w);
}

/** How much of w a pixel changes, at most. */
// @ts-ignore: decorator
@inline function findBend(chunk: usize, px: f64, end: f64): f64 {
  const factorW = load<f64>(chunk, FACTOR_W), startW = load<f64>(chunk, START_W);
  return abs(factorW) / min(factorW * px + startW, factorW * end + startW);
}

// The third divided difference at start, middle, last and x is exactly g^2 D / (w w w w) of the four; taken
// as if all were the middle's w, it is wrong by at most twice the share by which w changes in a step, where
// that is at most a quarter.
// @ts-ignore: decorator
@inline function errorOf(rate: f64, bend: f64, step: f64): f64 {
  const parabolas = rate * step * step * step, share = bend * step;
  return share <= 0.25 && parabolas <= 64 ? parabolas * 2 * share : Infinity;
}

// Loaded, not constants: V8 rebuilds those at each use (see filter.ts).
const MAGICS = memory.data<f64>([6291456, 6291456]);
const EVEN = memory.data<f64>([0, 2]);
const ODD = memory.data<f64>([1, 3]);
// What i^3 grows by in four steps from i on, and what that grows by, for i = 0 and 2, and for 1 and 3.
const EVEN_GROWTH = memory.data<f64>([64, 208]);
const ODD_GROWTH = memory.data<f64>([124, 316]);
const EVEN_BEND = memory.data<f64>([384, 576]);
const ODD_BEND = memory.data<f64>([480, 672]);
const TWIST = memory.data<f64>([384, 384]);
const FOUR = memory.data<f64>([4, 4]);
const HALF = memory.data<f64>([0.5, 0.5]);
const ONE = memory.data<f64>([1, 1]);
const LEAST = memory.data<i32>([192, 192, 192, 192]);
const PHASE = memory.data<i32>([127, 127, 127, 127]);

// Numbers of half the magic number's magnitude have a lowest bit of 2^-30.
// @ts-ignore: decorator
@inline function toFixed(value: v128, magic: v128): v128 {
  return i64x2.shl(i64x2.sub(f64x2.add(value, magic), magic), 2);
}

// Of four values, two even ones and two odd ones: what is above 2^32, and what is below.
// @ts-ignore: decorator
@inline function wholes(even: v128, odd: v128): v128 {
  return i32x4.shuffle(i64x2.shr_u(even, 32), odd, 0, 5, 2, 7);
}
// @ts-ignore: decorator
@inline function fractions(even: v128, odd: v128): v128 {
  return i32x4.shuffle(even, i64x2.shl(odd, 32), 0, 5, 2, 7);
}

// Exact position along both axes, plus half a unit.
// @ts-ignore: decorator
@inline function reciprocalAt(x: v128, factorW: v128, startW: v128, one: v128): v128 {
  return f64x2.div(one, f64x2.add(f64x2.mul(factorW, x), startW));
}
// @ts-ignore: decorator
@inline function exactAt(x: v128, factors: v128, starts: v128, perW: v128, half: v128): v128 {
  return f64x2.add(f64x2.mul(f64x2.add(f64x2.mul(factors, x), starts), perW), half);
}

// A cubic at two steps from its start, its increment over four steps from there, and that one's increment.
// @ts-ignore: decorator
@inline function valueOf(at: v128, start: v128, slope: v128, curve: v128, cube: v128, magic: v128): v128 {
  return toFixed(f64x2.add(start, f64x2.mul(at, f64x2.add(slope, f64x2.mul(at, f64x2.add(curve, f64x2.mul(at, cube)))))), magic);
}
// @ts-ignore: decorator
@inline function growthOf(at2: v128, growth: usize, slope4: v128, curve4: v128, cube: v128, magic: v128): v128 {
  return toFixed(f64x2.add(f64x2.add(slope4, f64x2.mul(at2, curve4)), f64x2.mul(v128.load(growth), cube)), magic);
}
// @ts-ignore: decorator
@inline function bendOf(bend: usize, curve32: v128, cube: v128, magic: v128): v128 {
  return toFixed(f64x2.add(curve32, f64x2.mul(v128.load(bend), cube)), magic);
}

/** The chunk's positions for pixels at px, px + 1, px + 2, ... */
export function locateByMatrix(block: usize, chunk: usize, px: f64): void {
  const length = load<i32>(chunk, CHUNK_PIXELS);
  const end = block + (<usize>length << 2);
  const reach = px + <f64>(length + 2 * GREATEST_STEP);
  const rate = findError(chunk, px, reach), bend = findBend(chunk, px, reach);
  let step = GREATEST_STEP;
  while (step > LEAST_STEP && !(errorOf(rate, bend, <f64>step) <= GOOD_ERROR)) step >>= 1;
  const error = errorOf(rate, bend, <f64>step);
  if (!(error <= GREATEST_ERROR)) {
    for (let p = block; p < end; p += 16, px += 4) locateFour(p, chunk, px);
    return;
  }
  // A fraction is doubtful where, with the margin added and modulo 1, it is below twice the margin; compared
  // as signed numbers.
  const margin = <i32>((error + ROUNDING) * 4294967296.0);
  const turn = i32x4.splat(margin ^ i32.MIN_VALUE), doubtful = i32x4.splat((margin << 1) ^ i32.MIN_VALUE);
  const greatestX = v128.load32_splat(chunk, GREATEST_X), greatestY = v128.load32_splat(chunk, GREATEST_Y);
  const first = v128.load32_splat(chunk, FIRST), stride = v128.load32_splat(chunk, STRIDE);
  const weightsX = v128.load32_splat(chunk, TABLE_X), weightsY = v128.load32_splat(chunk, TABLE_Y);
  const least = v128.load(LEAST), phase = v128.load(PHASE);
  const magic = v128.load(MAGICS), evens = v128.load(EVEN), odds = v128.load(ODD), four = v128.load(FOUR);
  // Both axes at once, plus half a unit, so that truncation rounds.
  const factors = v128.load(chunk, FACTOR_X), starts = v128.load(chunk, START_X), half = v128.load(HALF), one = v128.load(ONE);
  const factorW = v128.load64_splat(chunk, FACTOR_W), startW = v128.load64_splat(chunk, START_W);
  const span = f64x2.splat(<f64>step), perSpan = f64x2.splat(1 / <f64>step), halfPerSquare = f64x2.splat(0.5 / <f64>(step * step));
  const determinants = f64x2.sub(f64x2.mul(factors, startW), f64x2.mul(starts, factorW));
  let x = f64x2.splat(px);
  let start = exactAt(x, factors, starts, reciprocalAt(x, factorW, startW, one), half);
  for (let p = block; p < end;) {
    const partEnd = min(end, p + (<usize>step << 3));
    x = f64x2.add(x, span);
    const perW = reciprocalAt(x, factorW, startW, one);
    const middle = exactAt(x, factors, starts, perW, half);
    x = f64x2.add(x, span);
    const last = exactAt(x, factors, starts, reciprocalAt(x, factorW, startW, one), half);
    const greatest = max(
      max(abs(f64x2.extract_lane(start, 0)), abs(f64x2.extract_lane(start, 1))),
      max(abs(f64x2.extract_lane(last, 0)), abs(f64x2.extract_lane(last, 1))),
    );
    if (!(greatest < GREATEST_VALUE)) {
      for (; p < partEnd; p += 16, px += 4) locateFour(p, chunk, px);
      start = last;
      continue;
    }
    // position(i) = start + slope i + curve i^2 + cube i^3, and four pixels add 4 slope + curve (8 i + 16) +
    // cube (12 i^2 + 48 i + 64) to it.
    const rise = f64x2.sub(middle, start);
    const parabola = f64x2.mul(f64x2.sub(f64x2.sub(last, middle), rise), halfPerSquare);
    const bendW = f64x2.mul(factorW, perW);
    const cube = f64x2.mul(f64x2.mul(f64x2.mul(determinants, perW), perW), f64x2.mul(bendW, bendW));
    // cube i (i - span) (i - 2 span) is nothing at the three points.
    const cubeSpan = f64x2.mul(cube, span), cubeSpan2 = f64x2.add(cubeSpan, cubeSpan);
    const curve = f64x2.sub(parabola, f64x2.add(cubeSpan, cubeSpan2));
    const slope = f64x2.add(f64x2.sub(f64x2.mul(rise, perSpan), f64x2.mul(parabola, span)), f64x2.mul(cubeSpan2, span));
    const slope4 = f64x2.mul(slope, four), curve4 = f64x2.mul(curve, four);
    const curve32 = f64x2.mul(f64x2.add(curve4, curve4), four);
    const twists = toFixed(f64x2.mul(cube, v128.load(TWIST)), magic);
    const evens2 = f64x2.add(f64x2.add(evens, evens), four), odds2 = f64x2.add(f64x2.add(odds, odds), four);
    const startX = i64x2.shuffle(start, start, 0, 0), slopeX = i64x2.shuffle(slope, slope, 0, 0), curveX = i64x2.shuffle(curve, curve, 0, 0);
    const cubeX = i64x2.shuffle(cube, cube, 0, 0), curve32X = i64x2.shuffle(curve32, curve32, 0, 0);
    const slope4X = i64x2.shuffle(slope4, slope4, 0, 0), curve4X = i64x2.shuffle(curve4, curve4, 0, 0);
    let evenX = valueOf(evens, startX, slopeX, curveX, cubeX, magic);
    let oddX = valueOf(odds, startX, slopeX, curveX, cubeX, magic);
    let evenGrowthX = growthOf(evens2, EVEN_GROWTH, slope4X, curve4X, cubeX, magic);
    let evenBendX = bendOf(EVEN_BEND, curve32X, cubeX, magic);
    let oddGrowthX = growthOf(odds2, ODD_GROWTH, slope4X, curve4X, cubeX, magic);
    let oddBendX = bendOf(ODD_BEND, curve32X, cubeX, magic);
    const startY = i64x2.shuffle(start, start, 1, 1), slopeY = i64x2.shuffle(slope, slope, 1, 1), curveY = i64x2.shuffle(curve, curve, 1, 1);
    const cubeY = i64x2.shuffle(cube, cube, 1, 1), curve32Y = i64x2.shuffle(curve32, curve32, 1, 1);
    const slope4Y = i64x2.shuffle(slope4, slope4, 1, 1), curve4Y = i64x2.shuffle(curve4, curve4, 1, 1);
    let evenY = valueOf(evens, startY, slopeY, curveY, cubeY, magic);
    let oddY = valueOf(odds, startY, slopeY, curveY, cubeY, magic);
    let evenGrowthY = growthOf(evens2, EVEN_GROWTH, slope4Y, curve4Y, cubeY, magic);
    let evenBendY = bendOf(EVEN_BEND, curve32Y, cubeY, magic);
    let oddGrowthY = growthOf(odds2, ODD_GROWTH, slope4Y, curve4Y, cubeY, magic);
    let oddBendY = bendOf(ODD_BEND, curve32Y, cubeY, magic);
    const twistX = i64x2.shuffle(twists, twists, 0, 0), twistY = i64x2.shuffle(twists, twists, 1, 1);
    for (; p < partEnd; p += 16, px += 4) {
      const doubtX = i32x4.gt_s(doubtful, i32x4.add(fractions(evenX, oddX), turn));
      const doubtY = i32x4.gt_s(doubtful, i32x4.add(fractions(evenY, oddY), turn));
      if (v128.any_true(v128.or(doubtX, doubtY))) {
        locateFour(p, chunk, px);
      } else {
        const column = i32x4.min_s(i32x4.max_s(wholes(evenX, oddX), least), greatestX);
        const row = i32x4.min_s(i32x4.max_s(wholes(evenY, oddY), least), greatestY);
        storePositions(p, column, row, first, stride, weightsX, weightsY, phase);
      }
      evenX = i64x2.add(evenX, evenGrowthX);
      oddX = i64x2.add(oddX, oddGrowthX);
      evenY = i64x2.add(evenY, evenGrowthY);
      oddY = i64x2.add(oddY, oddGrowthY);
      evenGrowthX = i64x2.add(evenGrowthX, evenBendX);
      evenBendX = i64x2.add(evenBendX, twistX);
      oddGrowthX = i64x2.add(oddGrowthX, oddBendX);
      oddBendX = i64x2.add(oddBendX, twistX);
      evenGrowthY = i64x2.add(evenGrowthY, evenBendY);
      evenBendY = i64x2.add(evenBendY, twistY);
      oddGrowthY = i64x2.add(oddGrowthY, oddBendY);
      oddBendY = i64x2.add(oddBendY, twistY);
    }
    start = last;
  }
}

// ---- by a map ----

// @ts-ignore: decorator
@inline function follow(u: v128, v: v128, factorU: v128, factorV: v128, start: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(u, factorU), f64x2.mul(v, factorV)), start);
}

// The upper two of four f32 as f64.
// @ts-ignore: decorator
@inline function promoteUpper(values: v128): v128 {
  return f64x2.promote_low_f32x4(i32x4.shuffle(values, values, 2, 3, 2, 3));
}

/** With a u and a v (f32) per pixel. */
export function locateByGrid(block: usize, chunk: usize, u: usize, v: usize): void {
  const end = block + (<usize>load<u32>(chunk, CHUNK_PIXELS) << 2);
  const xPerU = v128.load64_splat(chunk, FACTOR_X), xPerV = v128.load64_splat(chunk, FACTOR_X_V);
  const yPerU = v128.load64_splat(chunk, FACTOR_Y), yPerV = v128.load64_splat(chunk, FACTOR_Y_V);
  const startX = v128.load64_splat(chunk, START_X), startY = v128.load64_splat(chunk, START_Y);
  const greatestX = v128.load32_splat(chunk, GREATEST_X), greatestY = v128.load32_splat(chunk, GREATEST_Y);
  const first = v128.load32_splat(chunk, FIRST), stride = v128.load32_splat(chunk, STRIDE);
  const weightsX = v128.load32_splat(chunk, TABLE_X), weightsY = v128.load32_splat(chunk, TABLE_Y);
  const phase = v128.load(PHASE);
  for (let p = block; p < end; p += 16, u += 16, v += 16) {
    const us = v128.load(u), vs = v128.load(v);
    const uLow = f64x2.promote_low_f32x4(us), uHigh = promoteUpper(us);
    const vLow = f64x2.promote_low_f32x4(vs), vHigh = promoteUpper(vs);
    storePositions(
      p,
      clamp(round(follow(uLow, vLow, xPerU, xPerV, startX), follow(uHigh, vHigh, xPerU, xPerV, startX)), greatestX),
      clamp(round(follow(uLow, vLow, yPerU, yPerV, startY), follow(uHigh, vHigh, yPerU, yPerV, startY)), greatestY),
      first, stride, weightsX, weightsY, phase,
    );
  }
}

/** The same in a repeated texture. */
export function locateRepeatedByGrid(block: usize, chunk: usize, u: usize, v: usize): void {
  const end = block + (<usize>load<u32>(chunk, CHUNK_PIXELS) << 2);
  const xPerU = v128.load64_splat(chunk, FACTOR_X), xPerV = v128.load64_splat(chunk, FACTOR_X_V);
  const yPerU = v128.load64_splat(chunk, FACTOR_Y), yPerV = v128.load64_splat(chunk, FACTOR_Y_V);
  const startX = v128.load64_splat(chunk, START_X), startY = v128.load64_splat(chunk, START_Y);
  for (let p = block; p < end; p += 16, u += 16, v += 16) {
    const us = v128.load(u), vs = v128.load(v);
    const uLow = f64x2.promote_low_f32x4(us), uHigh = promoteUpper(us);
    const vLow = f64x2.promote_low_f32x4(vs), vHigh = promoteUpper(vs);
    const x = roundFolded(follow(uLow, vLow, xPerU, xPerV, startX), follow(uHigh, vHigh, xPerU, xPerV, startX), chunk, 0);
    const y = roundFolded(follow(uLow, vLow, yPerU, yPerV, startY), follow(uHigh, vHigh, yPerU, yPerV, startY), chunk, 8);
    storePositions(
      p, clamp(x, v128.load32_splat(chunk, GREATEST_X)), clamp(y, v128.load32_splat(chunk, GREATEST_Y)), v128.load32_splat(chunk, FIRST),
      v128.load32_splat(chunk, STRIDE), v128.load32_splat(chunk, TABLE_X), v128.load32_splat(chunk, TABLE_Y), v128.load(PHASE),
    );
  }
}
