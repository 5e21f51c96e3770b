// Rows of formats other than 8-bit RGBA and RGB: unfiltered as stored, then converted to RGBA.

import { address, field } from '../fields';
import {
  CHANNELS, DEPTH, FORMAT, FORMAT_GREY_ALPHA, FORMAT_INDEXED, FORMAT_KEYED_RGB, HAS_KEY, KEY_BLUE, KEY_GREEN,
  KEY_RED, PALETTE, PIXEL_BYTES, ROW_BYTES, STORED, STORED_LEAD, STORED_STRIDE,
} from './records.ts';

let format: i32 = 0;
let depth: i32 = 8;
let channels: i32 = 0;
let rowBytes: usize = 0;
let pixelBytes: usize = 1;
let now: usize = 0;
let above: usize = 0;
let palette: usize = 0;
let hasKey: bool = false;
let keyRed: u32 = 0;
let keyGreen: u32 = 0;
let keyBlue: u32 = 0;

export function beginUnfold(picture: usize): void {
  format = field(picture, FORMAT);
  depth = field(picture, DEPTH);
  channels = field(picture, CHANNELS);
  rowBytes = address(picture, ROW_BYTES);
  pixelBytes = address(picture, PIXEL_BYTES);
  palette = address(picture, PALETTE);
  hasKey = field(picture, HAS_KEY) != 0;
  keyRed = field(picture, KEY_RED);
  keyGreen = field(picture, KEY_GREEN);
  keyBlue = field(picture, KEY_BLUE);
  const stored = address(picture, STORED);
  const stride = address(picture, STORED_STRIDE);
  now = stored + STORED_LEAD;
  above = now + stride;
  memory.fill(stored, 0, stride << 1);
}

// ---- filters, byte by byte ----

export function undoBytes(filter: u32, at: usize): void {
  const to = above;
  above = now;
  now = to;
  if (filter == 0) memory.copy(to, at, rowBytes);
  else if (filter == 2) {
    for (let i: usize = 0; i < rowBytes; i += 16) v128.store(to + i, i8x16.add(v128.load(at + i), v128.load(above + i)));
  } else if (pixelBytes == 1) undoSingle(filter, at);
  else undoPixels(filter, at);
}

/** Pixels of one byte, or less. */
function undoSingle(filter: u32, at: usize): void {
  let left: i32 = 0;
  let aboveLeft: i32 = 0;
  for (let i: usize = 0; i < rowBytes; i++) {
    const up = <i32>load<u8>(above + i);
    const x = <i32>load<u8>(at + i);
    if (filter == 1) left += x;
    else if (filter == 3) left = x + ((left + up) >> 1);
    else {
      const toLeft = abs(up - aboveLeft);
      const toAbove = abs(left - aboveLeft);
      const toBoth = abs(left + up - aboveLeft - aboveLeft);
      left = x + (toLeft <= toAbove && toLeft <= toBoth ? left : toAbove <= toBoth ? up : aboveLeft);
    }
    left &= 255;
    aboveLeft = up;
    store<u8>(now + i, <u8>left);
  }
}

/** One pixel at a time. Eight bytes are written; the next pixel overwrites the excess. */
function undoPixels(filter: u32, at: usize): void {
  const byte = i16x8.splat(255);
  let left = i16x8.splat(0);
  let aboveLeft = i16x8.splat(0);
  for (let i: usize = 0; i < rowBytes; i += pixelBytes) {
    const up = v128.load_ext<u8>(above + i);
    const x = v128.load_ext<u8>(at + i);
    if (filter == 1) left = i16x8.add(x, left);
    else if (filter == 3) left = i16x8.add(x, i16x8.shr_u(i16x8.add(left, up), 1));
    else left = i16x8.add(x, paeth(left, up, aboveLeft));
    left = v128.and(left, byte);
    aboveLeft = up;
    v128.store_lane<u64>(now + i, i8x16.narrow_i16x8_u(left, left), 0);
  }
}

// @ts-ignore: decorator
@inline function paeth(left: v128, up: v128, aboveLeft: v128): v128 {
  const byLeft = i16x8.sub(up, aboveLeft);
  const byAbove = i16x8.sub(left, aboveLeft);
  const toLeft = i16x8.abs(byLeft);
  const toAbove = i16x8.abs(byAbove);
  const least = i16x8.min_s(i16x8.min_s(toLeft, toAbove), i16x8.abs(i16x8.add(byLeft, byAbove)));
  return v128.bitselect(left, v128.bitselect(up, aboveLeft, i16x8.eq(least, toAbove)), i16x8.eq(least, toLeft));
}

// ---- RGBA ----

/** Writes the pixels of the row from `to` to `end`. */
export function unfold(to: usize, end: usize): void {
  if (format == FORMAT_INDEXED) {
    if (depth == 8) unfoldBytes(to, end);
    else unfoldBits(to, end);
  } else if (format == FORMAT_GREY_ALPHA) {
    for (let from = now; to < end; to += 4, from += 2) {
      store<u32>(to, <u32>load<u8>(from) * 0x010101 | (<u32>load<u8>(from, 1) << 24));
    }
  } else if (format == FORMAT_KEYED_RGB) {
    const key = keyRed | (keyGreen << 8) | (keyBlue << 16);
    for (let from = now; to < end; to += 4, from += 3) {
      const color = load<u32>(from) & 0xffffff;
      store<u32>(to, color == key ? color : color | 0xff000000);
    }
  } else unfoldWide(to, end);
}

function unfoldBytes(to: usize, end: usize): void {
  for (let from = now; to < end; to += 4, from++) {
    const index = <u32>load<u8>(from);
    store<u32>(to, load<u32>(palette + (<usize>index << 2)));
  }
}

/** Indices of 1, 2 or 4 bits, the first in the highest bits. */
function unfoldBits(to: usize, end: usize): void {
  const mask: u32 = (1 << depth) - 1;
  let from = now;
  while (to < end) {
    const byte = <u32>load<u8>(from++);
    for (let shift: i32 = 8 - depth; shift >= 0 && to < end; shift -= depth, to += 4) {
      const index = (byte >> shift) & mask;
      store<u32>(to, load<u32>(palette + (<usize>index << 2)));
    }
  }
}

function unfoldWide(to: usize, end: usize): void {
  const isGrey = channels < 3;
  const hasAlpha = (channels & 1) == 0;
  for (let from = now; to < end; to += 4, from += pixelBytes) {
    const red = wide(from);
    const green = isGrey ? red : wide(from + 2);
    const blue = isGrey ? red : wide(from + 4);
    let alpha: u32 = 255;
    if (hasAlpha) alpha = rounded(wide(from + pixelBytes - 2));
    else if (hasKey && red == keyRed && green == keyGreen && blue == keyBlue) alpha = 0;
    store<u32>(to, rounded(red) | (rounded(green) << 8) | (rounded(blue) << 16) | (alpha << 24));
  }
}

// @ts-ignore: decorator
@inline function wide(at: usize): u32 {
  return (<u32>load<u8>(at) << 8) | <u32>load<u8>(at, 1);
}

/** 0..65535 to 0..255, rounded. */
// @ts-ignore: decorator
@inline function rounded(value: u32): u32 {
  return (value * 255 + 32895) >> 16;
}
