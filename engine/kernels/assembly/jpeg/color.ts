// Upsamples chroma to the size of luma and converts YCC to RGBA, as libjpeg-turbo does by default (jdsample.c
// "fancy", jdcolor.c).

import { address, field } from '../fields';
import {
  CB, CHROMA_HEIGHT, CHROMA_RING, CHROMA_STRIDE, CHROMA_WIDTH, COMPONENTS, CR, LINES, LUMA, LUMA_RING, LUMA_STRIDE,
  OUT, OUT_BOTTOM, OUT_LEFT, OUT_STRIDE, OUT_TOP, OUT_WIDTH, STRETCH_X, STRETCH_Y,
} from './records.ts';
import { add, dot, lower, upper } from './vectors';

// @ts-ignore: decorator
@inline function interleaveLow(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
// @ts-ignore: decorator
@inline function interleaveHigh(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
// @ts-ignore: decorator
@inline function storePixels(red: v128, green: v128, blue: v128, target: usize): void {
  const opaque = i8x16.splat(-1);
  const rg0 = interleaveLow(red, green);
  const rg1 = interleaveHigh(red, green);
  const ba0 = interleaveLow(blue, opaque);
  const ba1 = interleaveHigh(blue, opaque);
  v128.store(target, lower(rg0, ba0));
  v128.store(target, upper(rg0, ba0), 16);
  v128.store(target, lower(rg1, ba1), 32);
  v128.store(target, upper(rg1, ba1), 48);
}

/**
 * Converts a row of YCC to RGBA, 16 pixels at a time. 1.402 = 1 + 0.402, 1.772 = 2 - 0.228, -0.714 = 0.286 -
 * 1: the fractions fit 15 bits.
 */
function convertRow(luma: usize, cb: usize, cr: usize, target: usize, width: i32): void {
  const centre = i16x8.splat(128);
  const redFactor = i16x8.splat(13173);
  const blueFactor = i16x8.splat(-7471);
  const greenFactors = i32x4.splat((-22554 & 0xffff) | (18734 << 16));
  const half = i32x4.splat(32768);
  for (let x: i32 = 0; x < width; x += 16) {
    const at = <usize>x;
    const y = v128.load(luma + at);
    const u = v128.load(cb + at);
    const v = v128.load(cr + at);
    const y0 = i16x8.extend_low_i8x16_u(y);
    const y1 = i16x8.extend_high_i8x16_u(y);
    const u0 = i16x8.sub(i16x8.extend_low_i8x16_u(u), centre);
    const u1 = i16x8.sub(i16x8.extend_high_i8x16_u(u), centre);
    const v0 = i16x8.sub(i16x8.extend_low_i8x16_u(v), centre);
    const v1 = i16x8.sub(i16x8.extend_high_i8x16_u(v), centre);
    const red0 = i16x8.add(y0, i16x8.add(v0, i16x8.q15mulr_sat_s(v0, redFactor)));
    const red1 = i16x8.add(y1, i16x8.add(v1, i16x8.q15mulr_sat_s(v1, redFactor)));
    const blue0 = i16x8.add(y0, i16x8.add(i16x8.add(u0, u0), i16x8.q15mulr_sat_s(u0, blueFactor)));
    const blue1 = i16x8.add(y1, i16x8.add(i16x8.add(u1, u1), i16x8.q15mulr_sat_s(u1, blueFactor)));
    const g0 = i32x4.shr_s(add(dot(lower(u0, v0), greenFactors), half), 16);
    const g1 = i32x4.shr_s(add(dot(upper(u0, v0), greenFactors), half), 16);
    const g2 = i32x4.shr_s(add(dot(lower(u1, v1), greenFactors), half), 16);
    const g3 = i32x4.shr_s(add(dot(upper(u1, v1), greenFactors), half), 16);
    const green0 = i16x8.add(i16x8.sub(y0, v0), i16x8.narrow_i32x4_s(g0, g1));
    const green1 = i16x8.add(i16x8.sub(y1, v1), i16x8.narrow_i32x4_s(g2, g3));
    const red = i8x16.narrow_i16x8_u(red0, red1);
    const green = i8x16.narrow_i16x8_u(green0, green1);
    const blue = i8x16.narrow_i16x8_u(blue0, blue1);
    storePixels(red, green, blue, target + (at << 2));
  }
}

function convertGreyRow(luma: usize, target: usize, width: i32): void {
  for (let x: i32 = 0; x < width; x += 16) {
    const grey = v128.load(luma + <usize>x);
    storePixels(grey, grey, grey, target + (<usize>x << 2));
  }
}

/** Doubles width and height: rows 3:1 into 16-bit sums at `line`, then columns 3:1, rounded by 8 and 7. */
function stretchBoth(current: usize, near: usize, line: usize, target: usize, width: i32): void {
  const three = i16x8.splat(3);
  for (let x: i32 = 0; x < width; x += 8) {
    const sum = i16x8.add(i16x8.mul(v128.load8x8_u(current + <usize>x), three), v128.load8x8_u(near + <usize>x));
    v128.store(line + 16 + (<usize>x << 1), sum);
  }
  store<i16>(line, load<i16>(line + 16), 14);
  store<i16>(line + 16 + (<usize>width << 1), load<i16>(line + 14 + (<usize>width << 1)));
  const eight = i16x8.splat(8);
  const seven = i16x8.splat(7);
  for (let x: i32 = 0; x < width; x += 8) {
    const at = line + 16 + (<usize>x << 1);
    const centre = i16x8.mul(v128.load(at), three);
    const left = i16x8.shr_u(i16x8.add(i16x8.add(centre, v128.load(at - 2)), eight), 4);
    const right = i16x8.shr_u(i16x8.add(i16x8.add(centre, v128.load(at, 2)), seven), 4);
    v128.store(target + (<usize>x << 1), v128.or(left, i16x8.shl(right, 8)));
  }
}

/** Doubles the width; a byte on both sides of the row is writable. */
function stretchWide(current: usize, target: usize, width: i32): void {
  store<u8>(current - 1, load<u8>(current));
  store<u8>(current + <usize>width, load<u8>(current + <usize>width - 1));
  const three = i16x8.splat(3);
  const one = i16x8.splat(1);
  const two = i16x8.splat(2);
  for (let x: i32 = 0; x < width; x += 8) {
    const at = current + <usize>x;
    const centre = i16x8.mul(v128.load8x8_u(at), three);
    const left = i16x8.shr_u(i16x8.add(i16x8.add(centre, v128.load8x8_u(at - 1)), one), 2);
    const right = i16x8.shr_u(i16x8.add(i16x8.add(centre, v128.load8x8_u(at, 1)), two), 2);
    v128.store(target + (<usize>x << 1), v128.or(left, i16x8.shl(right, 8)));
  }
}

/** Doubles the height. */
function stretchHigh(current: usize, near: usize, target: usize, width: i32, bias: i32): void {
  const three = i16x8.splat(3);
  const biases = i16x8.splat(<i16>bias);
  for (let x: i32 = 0; x < width; x += 8) {
    const centre = i16x8.mul(v128.load8x8_u(current + <usize>x), three);
    const sum = i16x8.shr_u(i16x8.add(i16x8.add(centre, v128.load8x8_u(near + <usize>x)), biases), 2);
    v128.store64_lane(target + <usize>x, i8x16.narrow_i16x8_u(sum, sum), 0);
  }
}

let row: i32 = 0;
let bandTop: i32 = 0;

/** Before the first row of a picture. */
export function beginRows(picture: usize): void {
  row = field(picture, OUT_TOP);
  bandTop = row;
}

/** Number of rows written by the last call of writeRows. */
export function bandRows(): i32 {
  return row - bandTop;
}

/** Writes the requested rows from the end of the last call up to `limit`, into the band of rows. */
export function writeRows(picture: usize, limit: i32): void {
  const bottom = field(picture, OUT_BOTTOM);
  const width = field(picture, OUT_WIDTH);
  const left = address(picture, OUT_LEFT);
  const luma = address(picture, LUMA) + left;
  const cb = address(picture, CB);
  const cr = address(picture, CR);
  const stride = address(picture, CHROMA_STRIDE);
  const ring = field(picture, CHROMA_RING);
  const isWide = field(picture, STRETCH_X);
  const isHigh = field(picture, STRETCH_Y);
  const chromaWidth = field(picture, CHROMA_WIDTH);
  const chromaHeight = field(picture, CHROMA_HEIGHT);
  const lineBytes = (<usize>((chromaWidth << 1) + 64) + 63) & ~63;
  const cbLine = address(picture, LINES) + 64;
  const crLine = cbLine + lineBytes;
  const sums = crLine + lineBytes;
  if (limit > bottom) limit = bottom;
  bandTop = row;
  let target = address(picture, OUT);
  for (; row < limit; row++) {
    const y = luma + <usize>(row % field(picture, LUMA_RING)) * address(picture, LUMA_STRIDE);
    if (field(picture, COMPONENTS) == 1) convertGreyRow(y, target, width);
    else {
      const chromaRow = isHigh ? row >> 1 : row;
      const current = <usize>(chromaRow % ring) * stride;
      let blue = cbLine;
      let red = crLine;
      if (isHigh) {
        let nearRow = (row & 1) ? chromaRow + 1 : chromaRow - 1;
        if (nearRow < 0) nearRow = 0;
        if (nearRow >= chromaHeight) nearRow = chromaHeight - 1;
        const near = <usize>(nearRow % ring) * stride;
        if (isWide) {
          stretchBoth(cb + current, cb + near, sums, cbLine, chromaWidth);
          stretchBoth(cr + current, cr + near, sums, crLine, chromaWidth);
        } else {
          const bias = (row & 1) ? 2 : 1;
          stretchHigh(cb + current, cb + near, cbLine, chromaWidth, bias);
          stretchHigh(cr + current, cr + near, crLine, chromaWidth, bias);
        }
      } else if (isWide) {
        stretchWide(cb + current, cbLine, chromaWidth);
        stretchWide(cr + current, crLine, chromaWidth);
      } else {
        blue = cb + current;
        red = cr + current;
      }
      convertRow(y, blue + left, red + left, target, width);
    }
    target += address(picture, OUT_STRIDE);
  }
}
