// Alpha of a lossy picture (RFC 9649, section 2.7.1.2), row by row: uncompressed bytes, or the greens of a
// VP8L stream without a header, with a filter over the rows.

import { address, field } from '../fields';
import { WIDTH } from '../reduction/records.ts';
import { beginPixels, decodedPixels, decodePixels, judgePixels } from './lossless/stream';
import {
  ALPHA, ALPHA_FILTER, ALPHA_FORMAT, ALPHA_NONE, ALPHA_ROW_BYTES, ALPHA_ROWS, ALPHA_STREAM, FILTER_GRADIENT,
  FILTER_HORIZONTAL, FILTER_NONE, FILTER_VERTICAL,
} from './records.ts';

const COLORS = memory.data<u32>([0xffffff, 0xffffff, 0xffffff, 0xffffff], 16);

let format: i32 = 0;
let filter: i32 = 0;
let width: usize = 0;
/** of the next row, if uncompressed */
let data: usize = 0;
/** the last decoded row, and the one above it */
let row: usize = 0;
let above: usize = 0;
let isFirst: bool = true;

/** Returns 0 or a fault. */
export function beginAlpha(picture: usize): i32 {
  format = field(picture, ALPHA_FORMAT);
  filter = field(picture, ALPHA_FILTER);
  width = address(picture, WIDTH);
  data = address(picture, ALPHA);
  row = address(picture, ALPHA_ROWS);
  above = row + address(picture, ALPHA_ROW_BYTES);
  isFirst = true;
  return format == ALPHA_STREAM ? beginPixels(picture) : 0;
}

export function hasAlpha(): bool {
  return format != ALPHA_NONE;
}

/** Decodes the next row. Returns 0 or a fault. */
export function decodeAlpha(): i32 {
  const last = row;
  row = above;
  above = last;
  if (format == ALPHA_STREAM) {
    const fault = decodePixels();
    if (fault) return fault;
    takeGreens(decodedPixels());
  } else {
    memory.copy(row, data, width);
    data += width;
  }
  if (filter == FILTER_HORIZONTAL || (isFirst && filter != FILTER_NONE)) {
    addLeft(isFirst ? 0 : load<u8>(above));
  } else if (filter == FILTER_VERTICAL) addAbove();
  else if (filter == FILTER_GRADIENT) addGradient();
  isFirst = false;
  return 0;
}

/** Validates the rows up to `height`, whose pixels are not requested. Returns 0 or a fault. */
export function validateAlpha(height: usize): i32 {
  return format == ALPHA_STREAM ? judgePixels(height) : 0;
}

/** Writes the row's alpha into its pixels from `start` to `end`, and up to 15 after. `to` is the first. */
export function writeAlpha(start: usize, end: usize, to: usize): void {
  const none = i8x16.splat(0);
  for (let x = start; x < end; x += 16, to += 64) {
    const alphas = v128.load(row + x);
    put(to, i8x16.shuffle(none, alphas, 0, 0, 0, 16, 0, 0, 0, 17, 0, 0, 0, 18, 0, 0, 0, 19));
    put(to + 16, i8x16.shuffle(none, alphas, 0, 0, 0, 20, 0, 0, 0, 21, 0, 0, 0, 22, 0, 0, 0, 23));
    put(to + 32, i8x16.shuffle(none, alphas, 0, 0, 0, 24, 0, 0, 0, 25, 0, 0, 0, 26, 0, 0, 0, 27));
    put(to + 48, i8x16.shuffle(none, alphas, 0, 0, 0, 28, 0, 0, 0, 29, 0, 0, 0, 30, 0, 0, 0, 31));
  }
}

// @ts-ignore: decorator
@inline function put(to: usize, alphas: v128): void {
  v128.store(to, v128.or(v128.and(v128.load(to), v128.load(COLORS)), alphas));
}

function takeGreens(from: usize): void {
  let to = row;
  for (const end = row + width; to < end; to += 16, from += 64) {
    const low = greensOf(v128.load(from), v128.load(from, 16));
    const high = greensOf(v128.load(from, 32), v128.load(from, 48));
    v128.store(to, i64x2.shuffle(low, high, 0, 2));
  }
}

/** Eight greens in the lower half. */
// @ts-ignore: decorator
@inline function greensOf(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 1, 5, 9, 13, 17, 21, 25, 29, 1, 5, 9, 13, 17, 21, 25, 29);
}

/** Prefix sums from the left, over 1, 2, 4, 8 and 16 bytes at a time, starting with `first`. */
function addLeft(first: u8): void {
  const none = i8x16.splat(0);
  let left = i8x16.splat(first);
  for (let to = row, end = row + width; to < end; to += 16) {
    let sums = v128.load(to);
    sums = i8x16.add(sums, i8x16.shuffle(none, sums, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30));
    sums = i8x16.add(sums, i16x8.shuffle(none, sums, 0, 8, 9, 10, 11, 12, 13, 14));
    sums = i8x16.add(sums, i32x4.shuffle(none, sums, 0, 4, 5, 6));
    sums = i8x16.add(sums, i64x2.shuffle(none, sums, 0, 2));
    sums = i8x16.add(sums, left);
    v128.store(to, sums);
    left = i8x16.shuffle(sums, sums, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
  }
}

function addAbove(): void {
  for (let x: usize = 0; x < width; x += 16) {
    v128.store(row + x, i8x16.add(v128.load(row + x), v128.load(above + x)));
  }
}

/** left + above - aboveLeft, clamped; at the left edge, both are the pixel above. */
function addGradient(): void {
  let corner = <i32>load<u8>(above);
  let left = corner;
  for (let x: usize = 0; x < width; x++) {
    const up = <i32>load<u8>(above + x);
    left = (min(255, max(0, left + up - corner)) + load<u8>(row + x)) & 255;
    corner = up;
    store<u8>(row + x, <u8>left);
  }
}
