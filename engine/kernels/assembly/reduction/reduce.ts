// Rows of RGBA to fewer pixels. Per axis a tent: each pixel falls on the two output pixels beside it, by its
// distance to them; what comes out is sharpened by (-k, 1 + 2k, -k). On premultiplied colours, sRGB-encoded
// as stored; or on pairs of opaque pixels in YUV, two Y, U and V, whose weights differ by channel, and which
// become colours when they are written. The plain definition is engine/test/reference/reduce-reference.ts.
//
// Down first: two rows of sums are open at a time, of 16-bit numbers (a byte times 128); a row that is
// complete is reduced across. Pixels beside the spans of rows are zero everywhere and cost nothing.

import { address, field } from '../fields';
import {
  BAND, BAND_BYTES, BAND_ROWS, BAND_SHARES, BAND_SPANS, COLUMN_STARTS, COLUMN_WEIGHTS, END_COLUMN, FIRST_COLUMN,
  IS_OPAQUE, IS_YUV, MIDDLE, MIDDLE_BYTES, MIDDLE_LEAD, MIDDLE_SPANS, OUT_HEIGHT, OUT_LEFT, OUT_WIDTH, ROW_SHARES,
  SHARPEN_X, SHARPEN_Y, SUM_BYTES, SUMS, TAP_PAIRS, WORK_HEIGHT, WORK_TOP, WORK_WIDTH,
} from './records.ts';
import { multiply, swizzle } from '../relaxed-vectors';
import { toColors } from './colors';

// Loaded, not constants: V8 rebuilds those at each use, in up to five instructions.
const COLORS = memory.data<u32>([0xffffff, 0xffffff, 0xffffff, 0xffffff], 16);
const OPAQUE = memory.data<u32>([0xff000000, 0xff000000, 0xff000000, 0xff000000], 16);
const HALF = memory.data<u16>([128, 128, 128, 128, 128, 128, 128, 128], 16);
/** the alpha of each pixel in place of its colours */
const ALPHAS = memory.data<u8>([3, 3, 3, 255, 7, 7, 7, 255, 11, 11, 11, 255, 15, 15, 15, 255], 16);
const ALPHAS_OF_ALL = memory.data<u8>([3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15], 16);
const HALF_OF_64 = memory.data<u16>([32, 32, 32, 32, 32, 32, 32, 32], 16);
const BYTE = memory.data<u32>([255, 255, 255, 255], 16);
const FLOAT_BYTE = memory.data<f32>([255, 255, 255, 255], 16);
const FLOAT_HALF = memory.data<f32>([0.5, 0.5, 0.5, 0.5], 16);
/** 2^23 */
const MAGIC = memory.data<f32>([8388608, 8388608, 8388608, 8388608], 16);
/** ones after the first, second, third pixel */
const NONE_BEHIND = memory.data<i32>([0, -1, -1, -1, 0, 0, -1, -1, 0, 0, 0, -1], 16) - 16;

let rowShares: usize = 0;
let columnStarts: usize = 0;
let columnWeights: usize = 0;
/** bytes of sums, and of weights, per output pixel */
let tapBytes: u32 = 0;
let workWidth: i32 = 0;
let workHeight: i32 = 0;
let outTop: i32 = 0;
let outEnd: i32 = 0;
let outLeft: i32 = 0;
let outRight: i32 = 0;
let firstColumn: usize = 0;
let endColumn: usize = 0;
let isOpaque: bool = false;
let isYuv: bool = false;
let sharpenX: i32 = 0;
let sharpenY: i32 = 0;

/** the output row of sumsA; sumsB is the next */
let open: i32 = -1;
let sumsA: usize = 0;
let sumsB: usize = 0;
/** pixels that may be non-zero in sumsA, in sumsB; the end is 0 if there are none */
let startA: usize = 0;
let endA: usize = 0;
let startB: usize = 0;
let endB: usize = 0;
/** three rows of output values (a byte times 64), and one sharpened vertically */
let middle: usize = 0;
let middleBytes: usize = 0;
let middles: i32 = 0;
/** rows waiting to be added to the sums, straight alpha; each has zeros outside its span */
let band: usize = 0;
let bandBytes: usize = 0;
let bandCount: usize = 0;
/** u32: the first of every four pixels to add */
let list: usize = 0;
/** Transparent or opaque pixels are detected in groups of this size. */
// @ts-ignore: decorator
@inline const GROUP_PIXELS: usize = 16;
/** whether all written pixels have alpha 255 */
let allOpaque: bool = true;

export function beginReduce(picture: usize): void {
  rowShares = address(picture, ROW_SHARES);
  columnStarts = address(picture, COLUMN_STARTS);
  columnWeights = address(picture, COLUMN_WEIGHTS);
  tapBytes = <u32>field(picture, TAP_PAIRS) << 4;
  workWidth = field(picture, WORK_WIDTH);
  workHeight = field(picture, WORK_HEIGHT);
  outTop = field(picture, WORK_TOP);
  outEnd = outTop + field(picture, OUT_HEIGHT);
  outLeft = field(picture, OUT_LEFT);
  outRight = outLeft + field(picture, OUT_WIDTH);
  firstColumn = address(picture, FIRST_COLUMN);
  endColumn = address(picture, END_COLUMN);
  isOpaque = field(picture, IS_OPAQUE) != 0;
  isYuv = field(picture, IS_YUV) != 0;
  sharpenX = field(picture, SHARPEN_X);
  sharpenY = field(picture, SHARPEN_Y);
  const sumBytes = address(picture, SUM_BYTES);
  sumsA = address(picture, SUMS);
  sumsB = sumsA + sumBytes;
  startA = startB = usize.MAX_VALUE;
  endA = endB = 0;
  middle = address(picture, MIDDLE);
  middleBytes = address(picture, MIDDLE_BYTES);
  middles = 0;
  band = address(picture, BAND);
  bandBytes = address(picture, BAND_BYTES);
  bandCount = 0;
  list = band + <usize>BAND_ROWS * bandBytes;
  open = -1;
  allOpaque = true;
  memory.fill(sumsA, 0, sumBytes << 1);
  memory.fill(middle, 0, middleBytes << 2);
  memory.fill(band, 0, <usize>BAND_ROWS * bandBytes);
  memory.fill(BAND_SPANS, 0, <usize>BAND_ROWS << 3);
}

export function isReducedOpaque(): bool {
  return isOpaque || allOpaque;
}

// @ts-ignore: decorator
@inline function rowOf(y: i32): i32 {
  return load<i32>(rowShares + (<usize>y << 3));
}
// @ts-ignore: decorator
@inline function sharesOf(y: i32): u32 {
  return load<u32>(rowShares + (<usize>y << 3), 4);
}

/** Whether row y contributes to any output row. */
export function hasShares(y: i32): bool {
  return sharesOf(y) != 0;
}

/** Whether row y completes an output row. */
// @ts-ignore: decorator
@inline export function completesRow(y: i32): bool {
  return rowOf(y) > open;
}

/** Whether row y and all later rows contribute nothing. */
export function isPast(y: i32): bool {
  return open == workHeight - 1 && rowOf(y) == open && sharesOf(y) == 0;
}

/** Completes the current output row. True if a row of pixels was written to `to`: the previous one. */
export function closeRow(to: usize): bool {
  addBand();
  let isWritten = false;
  if (open >= 0) {
    reduceAcross();
    isWritten = middles > 1 && writeRow(middles - 2, to);
  }
  if (endA) memory.fill(sumsA + (startA << 3), 0, (endA - startA) << 3);
  const sums = sumsA;
  sumsA = sumsB;
  startA = startB;
  endA = endB;
  sumsB = sums;
  startB = usize.MAX_VALUE;
  endB = 0;
  open++;
  return isWritten;
}

/** After the last contributing row: completes the current output row, then the last one. */
export function endRow(to: usize): bool {
  if (open < workHeight) return closeRow(to);
  return writeRow(workHeight - 1, to);
}

// ---- down ----

/** Adds row y, at `row`, whose pixels from `from` to `until` (multiples of 4) may be non-zero. */
export function addRow(y: i32, row: usize, from: usize, until: usize): void {
  const shares = sharesOf(y);
  if (shares == 0) return;
  const start = max<usize>(from, firstColumn);
  const end = min<usize>(until, endColumn);
  const to = band + bandCount * bandBytes;
  const span = <usize>BAND_SPANS + (bandCount << 3);
  const oldStart = <usize>load<u32>(span);
  const oldEnd = <usize>load<u32>(span, 4);
  store<u64>(span, 0);
  if (end <= start) {
    clear(to, oldStart, oldEnd);
    return;
  }
  clear(to, oldStart, min<usize>(oldEnd, start));
  clear(to, max<usize>(oldStart, end), oldEnd);
  store<u32>(span, <u32>start);
  store<u32>(span, <u32>end, 4);
  store<u32>(<usize>BAND_SHARES + (bandCount << 2), shares);
  memory.copy(to + (start << 2), row + (start << 2), (end - start) << 2);
  if (++bandCount == <usize>BAND_ROWS) addBand();
}

/** Clears pixels of a row of the band. */
// @ts-ignore: decorator
@inline function clear(row: usize, start: usize, end: usize): void {
  if (end > start) memory.fill(row + (start << 2), 0, (end - start) << 2);
}

/** Adds the rows of the band to both sums. */
function addBand(): void {
  if (bandCount == 0) return;
  let start: usize = usize.MAX_VALUE;
  let end: usize = 0;
  for (let k: usize = 0; k < bandCount; k++) {
    start = min<usize>(start, <usize>load<u32>(<usize>BAND_SPANS + (k << 3)));
    end = max<usize>(end, <usize>load<u32>(<usize>BAND_SPANS + (k << 3), 4));
  }
  startA = min<usize>(startA, start);
  endA = max<usize>(endA, end);
  startB = min<usize>(startB, start);
  endB = max<usize>(endB, end);
  let listEnd = list;
  while (start < end) {
    const stop = min<usize>(start + GROUP_PIXELS, end);
    if (stop == start + GROUP_PIXELS) listEnd = addGroup(start, listEnd);
    else for (let x = start; x < stop; x += 4) listEnd = addToList(listEnd, x, true);
    start = stop;
  }
  if (isOpaque) for (let at = list; at < listEnd; at += 4) addPixels(true, load<u32>(at));
  else for (let at = list; at < listEnd; at += 4) addPixels(false, load<u32>(at));
  bandCount = 0;
}

/**
 * Adds 16 pixels of each row where they are opaque. Else those that are not clear go to the list, by fours:
 * which ones follows no order that a processor predicts. Returns the list's end.
 */
// @ts-ignore: decorator
@inline function addGroup(start: usize, listEnd: usize): usize {
  let first = i8x16.splat(0);
  let second = first;
  let third = first;
  let fourth = first;
  let all = i8x16.splat(-1);
  for (let k: usize = 0, from = band + (start << 2); k < bandCount; k++, from += bandBytes) {
    const pixels0 = v128.load(from);
    const pixels1 = v128.load(from, 16);
    const pixels2 = v128.load(from, 32);
    const pixels3 = v128.load(from, 48);
    first = v128.or(first, pixels0);
    second = v128.or(second, pixels1);
    third = v128.or(third, pixels2);
    fourth = v128.or(fourth, pixels3);
    all = v128.and(all, v128.and(v128.and(pixels0, pixels1), v128.and(pixels2, pixels3)));
  }
  if (!v128.any_true(v128.or(v128.or(first, second), v128.or(third, fourth)))) return listEnd;
  const alphas = v128.or(all, v128.load(COLORS));
  if (isOpaque || i8x16.all_true(i8x16.eq(alphas, i8x16.splat(-1)))) {
    for (let x = start; x < start + GROUP_PIXELS; x += 4) addPixels(true, x);
    return listEnd;
  }
  let to = addToList(listEnd, start, v128.any_true(first));
  to = addToList(to, start + 4, v128.any_true(second));
  to = addToList(to, start + 8, v128.any_true(third));
  return addToList(to, start + 12, v128.any_true(fourth));
}

/** Adds four pixels to the list, or skips them. Returns its end. */
// @ts-ignore: decorator
@inline function addToList(listEnd: usize, x: usize, isListed: bool): usize {
  store<u32>(listEnd, <u32>x);
  return listEnd + (<usize>isListed << 2);
}

/** Adds four pixels of each row, premultiplied unless `isPlain`: their alpha is 255, or irrelevant. */
// @ts-ignore: decorator
@inline function addPixels(isPlain: bool, x: usize): void {
  const lastShare = <usize>BAND_SHARES + (bandCount << 2);
  const opaque = v128.load(OPAQUE);
  const alphas = v128.load(ALPHAS);
  const half = v128.load(HALF);
  const toA = sumsA + (x << 3);
  const toB = sumsB + (x << 3);
  let lowA = v128.load(toA);
  let highA = v128.load(toA, 16);
  let lowB = v128.load(toB);
  let highB = v128.load(toB, 16);
  let from = band + (x << 2);
  for (let share: usize = BAND_SHARES; share < lastShare; share += 4, from += bandBytes) {
    const pixels = v128.load(from);
    let low: v128;
    let high: v128;
    if (isPlain) {
      low = i16x8.extend_low_i8x16_u(pixels);
      high = i16x8.extend_high_i8x16_u(pixels);
    } else {
      // a a a 255 for each pixel
      const factor = v128.or(swizzle(pixels, alphas), opaque);
      low = premultiplied(i16x8.extmul_low_i8x16_u(pixels, factor), half);
      high = premultiplied(i16x8.extmul_high_i8x16_u(pixels, factor), half);
    }
    low = i16x8.shl(low, 7);
    high = i16x8.shl(high, 7);
    const shareA = v128.load_splat<u16>(share);
    const shareB = v128.load_splat<u16>(share, 2);
    lowA = i16x8.add(lowA, multiply(low, shareA));
    highA = i16x8.add(highA, multiply(high, shareA));
    lowB = i16x8.add(lowB, multiply(low, shareB));
    highB = i16x8.add(highB, multiply(high, shareB));
  }
  v128.store(toA, lowA);
  v128.store(toA, highA, 16);
  v128.store(toB, lowB);
  v128.store(toB, highB, 16);
}

/** Rounded products / 255. */
// @ts-ignore: decorator
@inline function premultiplied(products: v128, half: v128): v128 {
  const rounded = i16x8.add(products, half);
  return i16x8.shr_u(i16x8.add(rounded, i16x8.shr_u(rounded, 8)), 8);
}

// ---- across ----

/** Reduces sumsA to the next middle row. */
function reduceAcross(): void {
  const slot = <usize>(middles % 3);
  const to = middle + slot * middleBytes + MIDDLE_LEAD;
  const span = <usize>MIDDLE_SPANS + (slot << 3);
  middles++;
  memory.fill(to - MIDDLE_LEAD, 0, middleBytes);
  store<u64>(span, 0);
  if (endA == 0) return;
  const start = <u32>startA << 3;
  const end = <u32>endA << 3;
  let x: i32 = 0;
  // pixels whose taps end before the first non-zero sum
  while (x < workWidth && load<u32>(columnStarts + (<usize>x << 2), 4) + tapBytes <= start) x += 2;
  store<i32>(span, min(x, workWidth));
  for (let weights = columnWeights + <usize>x * tapBytes; x < workWidth; x += 2) {
    const first = load<u32>(columnStarts + (<usize>x << 2));
    if (first >= end) break;
    let one = i16x8.splat(0);
    let two = one;
    let from = sumsA + first;
    for (const stop = from + tapBytes; from < stop; weights += 16, from += 16) {
      one = i16x8.add(one, multiply(v128.load(from), v128.load(weights)));
    }
    from = sumsA + load<u32>(columnStarts + (<usize>x << 2), 4);
    for (const stop = from + tapBytes; from < stop; weights += 16, from += 16) {
      two = i16x8.add(two, multiply(v128.load(from), v128.load(weights)));
    }
    const sums = i16x8.add(i64x2.shuffle(one, two, 0, 2), i64x2.shuffle(one, two, 1, 3));
    v128.store(to + (<usize>x << 3), i16x8.shr_s(i16x8.add(sums, i16x8.splat(1)), 1));
  }
  store<i32>(span, min(x, workWidth), 4);
  // the edges repeat outwards
  const behind = to + (<usize>workWidth << 3);
  store<u64>(to - 8, load<u64>(to));
  store<u64>(behind, load<u64>(behind - 8));
}

// ---- pixels ----

/** Writes output row y, sharpened, if it is requested. */
function writeRow(y: i32, to: usize): bool {
  if (y < outTop || y >= outEnd) return false;
  const above = <usize>(max<i32>(y - 1, 0) % 3);
  const at = <usize>(y % 3);
  const below = <usize>(min<i32>(y + 1, middles - 1) % 3);
  let start = outRight;
  let end = outLeft;
  for (let slot: usize = 0; slot < 3; slot++) {
    if (slot != above && slot != at && slot != below) continue;
    const first = load<i32>(<usize>MIDDLE_SPANS + (slot << 3));
    const last = load<i32>(<usize>MIDDLE_SPANS + (slot << 3), 4);
    if (last <= first) continue;
    // one more on each side, for sharpening
    start = min(start, first - 1);
    end = max(end, last + 1);
  }
  start = max(start, outLeft);
  end = min(end, outRight);
  memory.fill(to, 0, <usize>(outRight - outLeft) << 2);
  if (end <= start) {
    allOpaque = isOpaque;
    if (isOpaque) writeBlack(to, to + (<usize>(outRight - outLeft) << 2));
    return true;
  }
  if (start > outLeft || end < outRight) allOpaque = false;
  sharpenDown(middle + above * middleBytes, middle + at * middleBytes, middle + below * middleBytes, start, end);
  if (isYuv) writeColors(to - (<usize>outLeft << 2), <usize>start, <usize>end);
  else writePixels(to - (<usize>outLeft << 2), <usize>start, <usize>end);
  return true;
}

/** Sharpens the pixels from `start` to `end`, and two beside them, into the fourth row. */
function sharpenDown(above: usize, at: usize, below: usize, start: i32, end: i32): void {
  const to = middle + 3 * middleBytes;
  const amount = i16x8.splat(<i16>sharpenY);
  const from = <usize>start << 3;
  const until = (<usize>end << 3) + 2 * MIDDLE_LEAD;
  for (let i = from; i < until; i += 16) {
    const here = v128.load(at + i);
    const rest = i16x8.add_sat_s(i16x8.sub(here, v128.load(above + i)), i16x8.sub(here, v128.load(below + i)));
    v128.store(to + i, i16x8.add(here, multiply(rest, amount)));
  }
}

/** Pixels that are neither transparent nor opaque go to the list first, four at a time: without branches. */
function writePixels(to: usize, start: usize, end: usize): void {
  const row = middle + 3 * middleBytes + MIDDLE_LEAD;
  const amount = i16x8.splat(<i16>sharpenX);
  const half = v128.load(HALF_OF_64);
  const alphas = v128.load(ALPHAS_OF_ALL);
  const opaque = isOpaque ? v128.load(OPAQUE) : i32x4.splat(0);
  let least = i8x16.splat(-1);
  let listEnd = list;
  let x = start;
  if (isOpaque) {
    for (; x + 4 <= end; x += 4) v128.store(to + (x << 2), v128.or(pixelsAt(row + (x << 3), amount, half), opaque));
  }
  for (; x + 4 <= end; x += 4) {
    const pixels = pixelsAt(row + (x << 3), amount, half);
    const all = swizzle(pixels, alphas);
    // clamps colours to alpha, which sharpening may exceed
    const bound = i8x16.min_u(pixels, all);
    v128.store(to + (x << 2), bound);
    // overwrites values already used
    v128.store(row + (x << 2), bound);
    least = i8x16.min_u(least, all);
    listEnd = addToList(listEnd, <usize>x, !i8x16.all_true(i8x16.eq(all, i8x16.lt_s(all, i8x16.splat(0)))));
  }
  for (let at = list; at < listEnd; at += 4) {
    const offset = <usize>load<u32>(at) << 2;
    v128.store(to + offset, straighten(v128.load(row + offset)));
  }
  const count = end - x;
  if (count) {
    const pixels = v128.or(pixelsAt(row + (x << 3), amount, half), opaque);
    const all = swizzle(pixels, alphas);
    const straight = straighten(i8x16.min_u(pixels, all));
    v128.store_lane<u32>(to + (x << 2), straight, 0);
    if (count > 1) v128.store_lane<u32>(to + (x << 2), straight, 1, 4);
    if (count > 2) v128.store_lane<u32>(to + (x << 2), straight, 2, 8);
    // ignores pixels after the last one
    least = i8x16.min_u(least, v128.or(all, v128.load(NONE_BEHIND + (count << 4))));
  }
  if (!i8x16.all_true(i8x16.eq(least, i8x16.splat(-1)))) allOpaque = false;
}

/** Four pixels of the fourth row, sharpened horizontally. */
// @ts-ignore: decorator
@inline function pixelsAt(i: usize, amount: v128, half: v128): v128 {
  const low = i16x8.shr_s(i16x8.add(sharpenAcross(i, amount), half), 6);
  const high = i16x8.shr_s(i16x8.add(sharpenAcross(i + 16, amount), half), 6);
  return i8x16.narrow_i16x8_u(low, high);
}

/** Eight at a time: up to seven after the last one are written, and overwritten by the next row. */
function writeColors(to: usize, start: usize, end: usize): void {
  const row = middle + 3 * middleBytes + MIDDLE_LEAD;
  const amount = i16x8.splat(<i16>sharpenX);
  for (let x = start; x < end; x += 8) {
    const i = row + (x << 3);
    toColors(
      sharpenAcross(i, amount), sharpenAcross(i + 16, amount), sharpenAcross(i + 32, amount),
      sharpenAcross(i + 48, amount), to + (x << 2),
    );
  }
}

// @ts-ignore: decorator
@inline function sharpenAcross(i: usize, amount: v128): v128 {
  const here = v128.load(i);
  // truncated values are beyond black and white anyway
  const rest = i16x8.add_sat_s(i16x8.sub(here, v128.load(i - 8)), i16x8.sub(here, v128.load(i + 8)));
  return i16x8.add(here, multiply(rest, amount));
}

/** An opaque row of zeros. */
function writeBlack(to: usize, end: usize): void {
  for (; to < end; to += 4) store<u32>(to, 0xff000000);
}

/** Unpremultiplies colours. With alpha 255 they are unchanged; with 0 they are 0. */
// @ts-ignore: decorator
@inline function straighten(pixels: v128): v128 {
  const byte = v128.load(BYTE);
  const bytes = v128.load(FLOAT_BYTE);
  const half = v128.load(FLOAT_HALF);
  const magic = v128.load(MAGIC);
  const alpha = i32x4.shr_u(pixels, 24);
  const scale = f32x4.div(bytes, f32x4.convert_i32x4_s(i32x4.max_s(alpha, i32x4.splat(1))));
  const red = scaled(v128.and(pixels, byte), scale, half, magic);
  const green = scaled(v128.and(i32x4.shr_u(pixels, 8), byte), scale, half, magic);
  const blue = scaled(v128.and(i32x4.shr_u(pixels, 16), byte), scale, half, magic);
  return v128.or(
    v128.or(red, i32x4.shl(green, 8)),
    v128.or(i32x4.shl(blue, 16), i32x4.shl(alpha, 24)),
  );
}

/** Rounded products of at most 255. Adding 2^23 to a smaller number leaves it in the lowest bits. */
// @ts-ignore: decorator
@inline function scaled(value: v128, scale: v128, half: v128, magic: v128): v128 {
  const product = f32x4.mul(f32x4.convert_i32x4_s(value), scale);
  return v128.xor(f32x4.add(f32x4.floor(f32x4.add(product, half)), magic), magic);
}
