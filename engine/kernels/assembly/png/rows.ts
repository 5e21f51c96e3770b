// Unfilters rows of a PNG (W3C PNG third edition, section 9) to RGBA.
// One row is held, and overwritten by the next: above and above-left are read before they are written. Zeros
// at both ends of a row, such as the margins of most designs, are not touched: `spanStart` and `spanEnd`
// delimit the bytes in between, in whole groups of 16 from the row's start.
// With the filters Average and Paeth each pixel depends on the one to its left. Two rows with the same such
// filter are processed side by side, so that the processor works on both at once: the upper one into a
// separate row, the lower one over the row that is held.

import { address, field } from '../fields';
import {
  FAULT_FILTER, FORMAT, FORMAT_RGB, FORMAT_RGBA, ROW_BYTES, ROW_LEAD, UPPER_ROW,
} from './records.ts';
import { ROW, WIDTH } from '../reduction/records.ts';
import { beginUnfold, undoBytes, unfold } from './unfold';
import { laneselect, swizzle } from '../relaxed-vectors';

// Loaded, not constants: V8 rebuilds those at each use.
/** three bytes of each pixel, and a zero */
const RGB_PLACES = memory.data<u8>([0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255], 16);
/** bytes of 128, and of 1 */
const HALF = memory.data<u32>([0x80808080, 0x80808080, 0x80808080, 0x80808080], 16);
const ONE = memory.data<u32>([0x01010101, 0x01010101, 0x01010101, 0x01010101], 16);

let format: i32 = 0;
let rowBytes: usize = 0;
let row: usize = 0;
/** after the last pixel */
let rowEnd: usize = 0;
let spanStart: usize = 0;
let spanEnd: usize = 0;
/** the upper one of two rows, and its bytes that may be non-zero */
let upperRow: usize = 0;
let upperStart: usize = 0;
let upperEnd: usize = 0;
/** whether rowAt is that one */
let isUpper: bool = false;
/** whether the held row is unfiltered and not taken yet; where its filtered bytes are non-zero */
let isLowerReady: bool = false;
let lowerFirst: usize = 0;
let lowerLast: usize = 0;

export function beginRows(picture: usize): void {
  format = field(picture, FORMAT);
  rowBytes = address(picture, ROW_BYTES);
  row = address(picture, ROW);
  rowEnd = row + (address(picture, WIDTH) << 2);
  upperRow = address(picture, UPPER_ROW);
  memory.fill(row - ROW_LEAD, 0, rowEnd - row + ROW_LEAD + 64);
  memory.fill(upperRow - ROW_LEAD, 0, rowEnd - row + ROW_LEAD + 64);
  spanStart = 0;
  spanEnd = 0;
  upperStart = 0;
  upperEnd = 0;
  isUpper = false;
  isLowerReady = false;
  if (format > FORMAT_RGB) beginUnfold(picture);
}

export function rowAt(): usize {
  return isUpper ? upperRow : row;
}
export function rowSpanStart(): usize {
  return isUpper ? upperStart : spanStart;
}
export function rowSpanEnd(): usize {
  return isUpper ? upperEnd : spanEnd;
}

/** Unfilters the row whose filter byte is at `at`; the next one's is at `nextAt`, or 0. 0 or a fault. */
// @ts-ignore: decorator
@inline export function undoRow(at: usize, nextAt: usize): i32 {
  if (isLowerReady) {
    isLowerReady = false;
    isUpper = false;
    return 0;
  }
  const filter = <u32>load<u8>(at);
  if (filter > 4) return FAULT_FILTER;
  if (format > FORMAT_RGB) {
    undoBytes(filter, at + 1);
    unfold(row, rowEnd);
    setSpan(row, 0, rowEnd - row);
    return 0;
  }
  const first = findFirst(at + 1, rowBytes);
  const last = first == rowBytes ? first : findLast(at + 1, rowBytes);
  if (nextAt && filter > 2 && <u32>load<u8>(nextAt) == filter) {
    lowerFirst = findFirst(nextAt + 1, rowBytes);
    lowerLast = lowerFirst == rowBytes ? lowerFirst : findLast(nextAt + 1, rowBytes);
    isLowerReady = true;
    isUpper = true;
    if (format == FORMAT_RGBA) undoTwoRgba(filter, at + 1, nextAt + 1, first, last);
    else undoTwoRgb(filter, at + 1, nextAt + 1);
    return 0;
  }
  if (format == FORMAT_RGBA) undoRgba(filter, at + 1, first, first == rowBytes ? 0 : last);
  else undoRgb(filter, at + 1);
  return 0;
}

/** Validates a row of which no pixel is needed. No row may be unfiltered after it. Returns 0 or a fault. */
export function validateRow(at: usize): i32 {
  return load<u8>(at) > 4 ? FAULT_FILTER : 0;
}

// ---- zeros ----

// @ts-ignore: decorator
@inline function anyOf64(at: usize): bool {
  return v128.any_true(v128.or(
    v128.or(v128.load(at), v128.load(at, 16)),
    v128.or(v128.load(at, 32), v128.load(at, 48)),
  ));
}

/** Bytes before the first non-zero one, rounded down to 16; `size` if all are zero. */
// @ts-ignore: decorator
@inline function findFirst(at: usize, size: usize): usize {
  let i: usize = 0;
  while (i + 64 <= size && !anyOf64(at + i)) i += 64;
  for (; i + 16 <= size; i += 16) if (v128.any_true(v128.load(at + i))) return i;
  for (let k = i; k < size; k++) if (load<u8>(at + k)) return i;
  return size;
}

/** The end of the non-zero bytes, rounded up by whole groups of 16. There must be some. */
// @ts-ignore: decorator
@inline function findLast(at: usize, size: usize): usize {
  let end = size;
  while (end >= 64 && !anyOf64(at + end - 64)) end -= 64;
  while (end >= 16 && !v128.any_true(v128.load(at + end - 16))) end -= 16;
  return end;
}

/** All bytes of the row at `held` before `start` and after `end` are zero. */
function setSpan(held: usize, start: usize, end: usize): void {
  while (start < end && !v128.any_true(v128.load(held + start))) start += 16;
  if (start >= end) {
    spanStart = 0;
    spanEnd = 0;
    return;
  }
  // they are not all zero
  while (!v128.any_true(v128.load(held + end - 16))) end -= 16;
  spanStart = start;
  spanEnd = end;
}

// ---- RGBA ----

/** The filtered bytes from `first` to `last` may be non-zero; the held row is zero outside its span. */
function undoRgba(filter: u32, at: usize, first: usize, last: usize): void {
  const isClear = spanEnd == 0;
  if (isClear && last == 0) return;
  const begin = (isClear ? first : min<usize>(first, spanStart)) & ~15;
  let end = max<usize>(last, spanEnd);
  const stop = row + end;
  let to = row + begin;
  let from = at + begin;
  if (filter == 0) {
    for (; to < stop; to += 16, from += 16) v128.store(to, v128.load(from));
  } else if (filter == 2) {
    for (; to < stop; to += 16, from += 16) v128.store(to, i8x16.add(v128.load(to), v128.load(from)));
  } else if (filter == 1) {
    let left = i8x16.splat(0);
    for (; to < stop; to += 16, from += 16) {
      left = i8x16.add(sumPixels(v128.load(from)), i32x4.shuffle(left, left, 3, 3, 3, 3));
      v128.store(to, left);
    }
    end = continueRow(row, to, rowEnd);
  } else if (filter == 3) {
    let left = i8x16.splat(-1);
    for (; to < stop; to += 4, from += 4) {
      left = undoAverage(left, v128.not(v128.load32_zero(to)), v128.load32_zero(from));
      v128.store_lane<u32>(to, v128.not(left), 0);
    }
    // after the last non-zero byte, it halves with each pixel
    while (to < rowEnd && load<u32>(to - 4)) {
      left = i8x16.avgr_u(left, i8x16.splat(-1));
      v128.store_lane<u32>(to, v128.not(left), 0);
      to += 4;
    }
    end = to - row;
  } else {
    // one more pixel, whose above-left is the last non-zero one
    to = undoPaeth(false, to, from, min<usize>(stop + 4, rowEnd));
    end = continueRow(row, to, rowEnd);
  }
  clearBehindRow();
  setSpan(row, begin, min<usize>(end, rowEnd - row));
}

/** Clears what was written after the row in whole groups. */
// @ts-ignore: decorator
@inline function clearBehindRow(): void {
  v128.store(rowEnd, i8x16.splat(0));
}

/** From `to` on, every pixel equals the previous one. Returns the end of the row's non-zero bytes. */
function continueRow(start: usize, to: usize, end: usize): usize {
  const pixel = load<u32>(to - 4);
  if (pixel == 0) return to - start;
  const all = i32x4.splat(pixel);
  for (; to < end; to += 16) v128.store(to, all);
  return end - start;
}

/**
 * Two rows like `undoRgba`. The upper one's filtered bytes from `first` to `last` may be non-zero; there are
 * none if both equal its size.
 */
function undoTwoRgba(filter: u32, at: usize, nextAt: usize, first: usize, last: usize): void {
  const end = max<usize>(
    max<usize>(first == rowBytes ? 0 : last, lowerFirst == rowBytes ? 0 : lowerLast),
    spanEnd,
  );
  const oldStart = upperStart;
  const oldEnd = upperEnd;
  if (end == 0) {
    clearUpper(oldStart, oldEnd);
    upperStart = 0;
    upperEnd = 0;
    return;
  }
  const begin = min<usize>(min<usize>(first, lowerFirst), spanEnd ? spanStart : usize.MAX_VALUE) & ~15;
  const byRow = upperRow - row;
  let to = row + begin;
  const stop = row + end;
  let written: usize;
  let lowerWritten: usize;
  if (filter == 3) {
    let upper = i8x16.splat(-1);
    let lower = upper;
    let from = at + begin;
    let next = nextAt + begin;
    while (to < rowEnd && (to < stop || load<u32>(to - 4) || load<u32>(to + byRow - 4))) {
      upper = undoAverage(upper, v128.not(v128.load32_zero(to)), v128.load32_zero(from));
      v128.store_lane<u32>(to + byRow, v128.not(upper), 0);
      lower = undoAverage(lower, upper, v128.load32_zero(next));
      v128.store_lane<u32>(to, v128.not(lower), 0);
      to += 4;
      from += 4;
      next += 4;
    }
    written = to - row;
    lowerWritten = written;
  } else {
    // two more pixels: above-left of the second, the upper row is constant
    to = undoTwoPaeth(false, to, at + begin, nextAt + begin, min<usize>(stop + 8, rowEnd));
    written = continueRow(upperRow, to + byRow, rowEnd + byRow);
    lowerWritten = continueRow(row, to, rowEnd);
  }
  clearBehindRow();
  v128.store(rowEnd + byRow, i8x16.splat(0));
  written = min<usize>(written, rowEnd - row);
  clearUpper(oldStart, min<usize>(oldEnd, begin));
  clearUpper(max<usize>(oldStart, written), oldEnd);
  setSpan(upperRow, begin, written);
  upperStart = spanStart;
  upperEnd = spanEnd;
  setSpan(row, begin, min<usize>(lowerWritten, rowEnd - row));
}

/** Clears the rest of a previous upper row. */
// @ts-ignore: decorator
@inline function clearUpper(start: usize, end: usize): void {
  if (end > start) memory.fill(upperRow + start, 0, end - start);
}

/** Prefix sums of four pixels. */
// @ts-ignore: decorator
@inline function sumPixels(x: v128): v128 {
  const zero = i8x16.splat(0);
  const pairs = i8x16.add(x, i8x16.shuffle(zero, x, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27));
  return i8x16.add(pairs, i8x16.shuffle(zero, pairs, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23));
}

/**
 * One pixel, as its complement, as `left` and `above` are. Of complements the mean rounded up is the
 * complement of the mean rounded down: with a' = 255 - a, the pixel mean(a, b) + x has the complement
 * mean'(a', b') - x.
 */
// @ts-ignore: decorator
@inline function undoAverage(left: v128, above: v128, x: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(left, above), x);
}

// ---- RGB, with a zero fourth byte in each pixel ----

function undoRgb(filter: u32, at: usize): void {
  const places = v128.load(RGB_PLACES);
  let to = row;
  let from = at;
  if (filter == 0) {
    for (; to < rowEnd; to += 16, from += 12) v128.store(to, spread(from, places));
  } else if (filter == 2) {
    for (; to < rowEnd; to += 16, from += 12) v128.store(to, i8x16.add(v128.load(to), spread(from, places)));
  } else if (filter == 1) {
    let left = i8x16.splat(0);
    for (; to < rowEnd; to += 16, from += 12) {
      left = i8x16.add(sumPixels(spread(from, places)), i32x4.shuffle(left, left, 3, 3, 3, 3));
      v128.store(to, left);
    }
  } else if (filter == 3) {
    const third = i32x4.splat(0xffffff);
    let left = i8x16.splat(-1);
    for (; to < rowEnd; to += 4, from += 3) {
      left = undoAverage(left, v128.not(v128.load32_zero(to)), v128.and(v128.load32_zero(from), third));
      v128.store_lane<u32>(to, v128.not(left), 0);
    }
  } else undoPaeth(true, to, from, rowEnd);
  clearBehindRow();
  spanStart = 0;
  spanEnd = rowEnd - row;
}

function undoTwoRgb(filter: u32, at: usize, nextAt: usize): void {
  const byRow = upperRow - row;
  if (filter == 3) {
    const third = i32x4.splat(0xffffff);
    let upper = i8x16.splat(-1);
    let lower = upper;
    for (let to = row, from = at, next = nextAt; to < rowEnd; to += 4, from += 3, next += 3) {
      upper = undoAverage(upper, v128.not(v128.load32_zero(to)), v128.and(v128.load32_zero(from), third));
      v128.store_lane<u32>(to + byRow, v128.not(upper), 0);
      lower = undoAverage(lower, upper, v128.and(v128.load32_zero(next), third));
      v128.store_lane<u32>(to, v128.not(lower), 0);
    }
  } else undoTwoPaeth(true, row, at, nextAt, rowEnd);
  clearBehindRow();
  v128.store(rowEnd + byRow, i8x16.splat(0));
  spanStart = upperStart = 0;
  spanEnd = upperEnd = rowEnd - row;
}

// @ts-ignore: decorator
@inline function spread(at: usize, places: v128): v128 {
  return swizzle(v128.load(at), places);
}

// ---- Paeth ----

/**
 * The Paeth predictor, four pixels at a time. A pixel waits for the one to its left, and each step between
 * costs a cycle of every pixel; so what follows from above (B) and above-left (C) alone is prepared beside
 * it. Where B < C all three are turned over (255 - value), which turns the predictor over too; so B >= C, and
 * with d = B - C the predictor of a left value A is the greatest of
 *   A
 *   B where A >= C - d/2
 *   C where A > C - 2d
 * Turned values plus turned differences are turned sums: what goes on to the next pixel is turned by both
 * pixels' turns at once.
 *
 * Where the pixel to the left is as it was in the row above, and what comes next is zero, nothing changes: A
 * = C makes B the predictor. Returns the end of what was written.
 */
// @ts-ignore: decorator
@inline function undoPaeth(isRgb: bool, start: usize, from: usize, stop: usize): usize {
  const places = v128.load(RGB_PLACES);
  const half = v128.load(HALF);
  const one = v128.load(ONE);
  let to = start;
  let above = v128.load(to - 16);
  let turn = i8x16.splat(0);
  let turned = turn;
  for (; to < stop; to += 16, from += isRgb ? 12 : 16) {
    const x = isRgb ? spread(from, places) : v128.load(from);
    const before = above;
    above = v128.load(to);
    const left = i32x4.extract_lane(turned, 3) ^ i32x4.extract_lane(turn, 3);
    if (!v128.any_true(x) && left == i32x4.extract_lane(before, 3)) {
      // and so on as long as zeros follow
      for (; to + 16 < stop; to += 16, from += isRgb ? 12 : 16) {
        if (v128.any_true(isRgb ? spread(from + 12, places) : v128.load(from, 16))) break;
      }
      above = v128.load(to);
      turn = i8x16.splat(0);
      turned = above;
      continue;
    }
    const aboveLeft = pixelsBefore(before, above);
    const turnBefore = turn;
    turn = v128.not(i8x16.ge_u(above, aboveLeft));
    turned = undoFour(turned, turnBefore, turn, above, aboveLeft, x, half, one);
    v128.store(to, v128.xor(turned, turn));
  }
  return to;
}

/** The same for two rows: the upper one into its own, the lower one over the held row. */
// @ts-ignore: decorator
@inline function undoTwoPaeth(isRgb: bool, start: usize, at: usize, nextAt: usize, stop: usize): usize {
  const places = v128.load(RGB_PLACES);
  const half = v128.load(HALF);
  const one = v128.load(ONE);
  const byRow = upperRow - row;
  const step: usize = isRgb ? 12 : 16;
  let to = start;
  let from = at;
  let next = nextAt;
  let above = v128.load(to - 16);
  let upper = i8x16.splat(0);
  let upperTurned = upper;
  let upperTurn = upper;
  let lowerTurned = upper;
  let lowerTurn = upper;
  for (; to < stop; to += 16, from += step, next += step) {
    const x = isRgb ? spread(from, places) : v128.load(from);
    const y = isRgb ? spread(next, places) : v128.load(next);
    const before = above;
    const upperBefore = upper;
    above = v128.load(to);
    if (!v128.any_true(v128.or(x, y))) {
      const left = i32x4.extract_lane(upperBefore, 3);
      const lowerLeft = i32x4.extract_lane(lowerTurned, 3) ^ i32x4.extract_lane(lowerTurn, 3);
      if (left == i32x4.extract_lane(before, 3) && left == lowerLeft) {
        v128.store(to + byRow, above);
        // and so on as long as zeros follow
        for (; to + 16 < stop; to += 16, from += step, next += step) {
          const both = v128.or(v128.load(from + step), v128.load(next + step));
          if (v128.any_true(isRgb ? swizzle(both, places) : both)) break;
          v128.store(to + byRow, v128.load(to, 16), 16);
        }
        above = v128.load(to);
        upper = upperTurned = lowerTurned = above;
        upperTurn = lowerTurn = i8x16.splat(0);
        continue;
      }
    }
    const aboveLeft = pixelsBefore(before, above);
    const turnBefore = upperTurn;
    upperTurn = v128.not(i8x16.ge_u(above, aboveLeft));
    upperTurned = undoFour(upperTurned, turnBefore, upperTurn, above, aboveLeft, x, half, one);
    upper = v128.xor(upperTurned, upperTurn);
    v128.store(to + byRow, upper);
    const upperLeft = pixelsBefore(upperBefore, upper);
    const lowerTurnBefore = lowerTurn;
    lowerTurn = v128.not(i8x16.ge_u(upper, upperLeft));
    lowerTurned = undoFour(lowerTurned, lowerTurnBefore, lowerTurn, upper, upperLeft, y, half, one);
    v128.store(to, v128.xor(lowerTurned, lowerTurn));
  }
  return to;
}

/** The last pixel of `before` and the first three of `pixels`. */
// @ts-ignore: decorator
@inline function pixelsBefore(before: v128, pixels: v128): v128 {
  return i8x16.shuffle(before, pixels, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
}

/** Four pixels, complemented, from the previous four, complemented. */
// @ts-ignore: decorator
@inline function undoFour(
  before: v128, turnBefore: v128, turn: v128, above: v128, aboveLeft: v128, x: v128, half: v128, one: v128,
): v128 {
  const b = v128.xor(above, turn);
  const c = v128.xor(aboveLeft, turn);
  const d = i8x16.sub(b, c);
  // comparisons are signed
  const middle = v128.xor(i8x16.sub_sat_u(c, i8x16.sub(d, i8x16.avgr_u(d, i8x16.splat(0)))), half);
  const beyond = v128.xor(i8x16.sub_sat_u(i8x16.sub_sat_u(i8x16.add_sat_u(c, one), d), d), half);
  const difference = i8x16.sub(v128.xor(x, turn), turn);
  const both = v128.xor(turn, pixelsBefore(turnBefore, turn));
  const bothHalf = v128.xor(both, half);
  const p0 = undoOne(i32x4.shuffle(before, before, 3, 3, 3, 3), both, bothHalf, middle, beyond, b, c, difference);
  const p1 = undoOne(i32x4.shuffle(p0, p0, 0, 0, 0, 0), both, bothHalf, middle, beyond, b, c, difference);
  const p2 = undoOne(i32x4.shuffle(p1, p1, 1, 1, 1, 1), both, bothHalf, middle, beyond, b, c, difference);
  const p3 = undoOne(i32x4.shuffle(p2, p2, 2, 2, 2, 2), both, bothHalf, middle, beyond, b, c, difference);
  return i32x4.shuffle(i32x4.shuffle(p0, p1, 0, 5, 2, 3), i32x4.shuffle(p2, p3, 0, 1, 2, 7), 0, 1, 6, 7);
}

/** All four pixels as if `left`, complemented, preceded each of them: right for one of them. */
// @ts-ignore: decorator
@inline function undoOne(
  left: v128, both: v128, bothHalf: v128, middle: v128, beyond: v128, b: v128, c: v128, difference: v128,
): v128 {
  const a = v128.xor(left, both);
  const compared = v128.xor(left, bothHalf);
  if (ASC_FEATURE_RELAXED_SIMD) {
    // the choice is one instruction here, three in the plain build
    const low = laneselect(i8x16.add(a, difference), i8x16.add(c, difference), i8x16.gt_s(beyond, compared));
    return laneselect(low, i8x16.add(i8x16.max_u(a, b), difference), i8x16.gt_s(middle, compared));
  }
  const orB = v128.andnot(b, i8x16.gt_s(middle, compared));
  const orC = v128.andnot(c, i8x16.gt_s(beyond, compared));
  return i8x16.add(i8x16.max_u(a, i8x16.max_u(orB, orC)), difference);
}
