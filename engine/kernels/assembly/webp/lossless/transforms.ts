// The inverse transforms of VP8L (RFC 9649, section 4), one row at a time. Pixels are R G B A here.

import { swizzle } from '../../relaxed-vectors';
import { undoPredictor } from './predict';

// @ts-ignore: decorator
@inline export const PREDICTOR: u32 = 0;
// @ts-ignore: decorator
@inline export const COLOR: u32 = 1;
// @ts-ignore: decorator
@inline export const SUBTRACT_GREEN: u32 = 2;
// @ts-ignore: decorator
@inline export const COLOR_INDEXING: u32 = 3;

// Loaded, not constants: V8 rebuilds those at each use.
const RED_BLUE = memory.data<u8>([2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15], 16);
/** green in place of red and of blue */
const GREENS = memory.data<u8>([1, 255, 1, 255, 5, 255, 5, 255, 9, 255, 9, 255, 13, 255, 13, 255], 16);
/** green in the upper halves of both words of a pixel */
const UPPER_GREENS = memory.data<u8>([255, 1, 255, 1, 255, 5, 255, 5, 255, 9, 255, 9, 255, 13, 255, 13], 16);
const LOWER_BYTES = memory.data<u16>([255, 255, 255, 255, 255, 255, 255, 255], 16);

/** u32 each: type, width in pixels after it, bits, address of its data */
const TRANSFORMS = memory.data(64, 16);
// @ts-ignore: decorator
@inline const TRANSFORM_SHIFT: usize = 4;

let count: usize = 0;
/** pixels of a row before any inverse transform */
let codedWidth: usize = 0;
/** two rows for each step, and two of the predictor's */
let work: usize = 0;
let spare: usize = 0;
let predicted: usize = 0;
let predictedBefore: usize = 0;

/** Sets the memory of four rows of RGBA, `stride` bytes each, at `rows`. */
export function beginTransforms(rows: usize, stride: usize): void {
  count = 0;
  work = rows;
  spare = rows + stride;
  predicted = rows + 2 * stride;
  predictedBefore = rows + 3 * stride;
}

export function addTransform(type: u32, width: usize, bits: u32, data: usize): void {
  const transform = TRANSFORMS + (count << TRANSFORM_SHIFT);
  store<u32>(transform, type);
  store<u32>(transform, <u32>width, 4);
  store<u32>(transform, bits, 8);
  store<u32>(transform, <u32>data, 12);
  count++;
}

export function setCodedWidth(width: usize): void {
  codedWidth = width;
}

/** The pixels of row y, from coded ones at `coded`. Valid until the next row but one. */
export function undoTransforms(y: usize, coded: usize): usize {
  swapRedBlue(coded, work, codedWidth);
  let row = work;
  for (let i = count; i > 0; i--) {
    const transform = TRANSFORMS + ((i - 1) << TRANSFORM_SHIFT);
    const type = load<u32>(transform);
    const width = <usize>load<u32>(transform, 4);
    const bits = load<u32>(transform, 8);
    const data = <usize>load<u32>(transform, 12);
    const tiles = data + (((y >> bits) * ((width + (1 << bits) - 1) >> bits)) << 2);
    let to = row == work ? spare : work;
    if (type == PREDICTOR) {
      to = predicted;
      undoPredictor(row, to, y == 0 ? 0 : predictedBefore, width, tiles, bits);
      predicted = predictedBefore;
      predictedBefore = to;
    } else if (type == COLOR) undoColors(row, to, width, tiles, bits);
    else if (type == SUBTRACT_GREEN) addGreen(row, to, width);
    else undoIndices(row, to, width, data, bits);
    row = to;
  }
  return row;
}

function swapRedBlue(from: usize, to: usize, width: usize): void {
  const places = v128.load(RED_BLUE);
  for (const end = to + (width << 2); to < end; to += 16, from += 16) v128.store(to, swizzle(v128.load(from), places));
}

function addGreen(from: usize, to: usize, width: usize): void {
  const places = v128.load(GREENS);
  for (const end = to + (width << 2); to < end; to += 16, from += 16) {
    const pixels = v128.load(from);
    v128.store(to, i8x16.add(pixels, swizzle(pixels, places)));
  }
}

/** Signed bytes multiplied, divided by 32 and added. A tile has at least four pixels a side. */
function undoColors(from: usize, to: usize, width: usize, tiles: usize, bits: u32): void {
  const places = v128.load(UPPER_GREENS);
  const lower = v128.load(LOWER_BYTES);
  const end = to + (width << 2);
  for (; to < end; tiles += 4) {
    const stop = min(end, to + (<usize>4 << bits));
    const ofGreen = i32x4.splat(<i32>load<i8>(tiles) & 0xffff | <i32>load<i8>(tiles, 1) << 16);
    const ofRed = i32x4.splat(<i32>load<i8>(tiles, 2) << 16);
    for (; to < stop; to += 16, from += 16) {
      let pixels = v128.load(from);
      const greens = i16x8.shr_s(swizzle(pixels, places), 8);
      pixels = i8x16.add(pixels, v128.and(i16x8.shr_s(i16x8.mul(greens, ofGreen), 5), lower));
      const reds = i16x8.shr_s(i32x4.shl(pixels, 24), 8);
      v128.store(to, i8x16.add(pixels, v128.and(i16x8.shr_s(i16x8.mul(reds, ofRed), 5), lower)));
    }
  }
}

/** A coded pixel's green is the index of a colour, or of 2^bits colours: 32 bytes each (or four). */
function undoIndices(from: usize, to: usize, width: usize, colors: usize, bits: u32): void {
  const end = to + (width << 2);
  if (bits == 0) {
    for (; to < end; to += 4, from += 4) store<u32>(to, load<u32>(colors + (<usize>load<u8>(from, 1) << 2)));
  } else if (bits == 1) {
    for (; to < end; to += 8, from += 4) store<u64>(to, load<u64>(colors + (<usize>load<u8>(from, 1) << 5)));
  } else if (bits == 2) {
    for (; to < end; to += 16, from += 4) v128.store(to, v128.load(colors + (<usize>load<u8>(from, 1) << 5)));
  } else {
    for (; to < end; to += 32, from += 4) {
      const color = colors + (<usize>load<u8>(from, 1) << 5);
      v128.store(to, v128.load(color));
      v128.store(to, v128.load(color, 16), 16);
    }
  }
}
