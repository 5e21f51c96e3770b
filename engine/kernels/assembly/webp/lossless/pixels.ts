// Pixels of an entropy-coded image (RFC 9649, section 3.6), a row after the other: B G R A in memory.
//
// Rows lie in a ring. References reach back 2^20 - 120 pixels at most; RING_PIXELS in webp/records.ts is more
// by what a copy of whole vectors may overwrite. A reference may go on in the next row: `pending` pixels.

import { FAULT_END, FAULT_REFERENCE } from '../records.ts';
import { at, held, isBeyond, keepBits, lastLoad, value } from './bits';
import {
  ALPHA, ALPHA_VALUE, bitsOf, BLUE, DISTANCE, find, GREEN, IS_LONG, IS_PART, LITERALS, LITERALS_LENGTHS, PACKED,
  PACKED_MASK, RED,
} from './codes';

/** How near references are given: dy << 4 | 8 - dx. */
const NEAR_PLACES = memory.data<u8>([
  0x18, 0x07, 0x17, 0x19, 0x28, 0x06, 0x27, 0x29, 0x16, 0x1a, 0x26, 0x2a, 0x38, 0x05, 0x37, 0x39, 0x15, 0x1b, 0x36,
  0x3a, 0x25, 0x2b, 0x48, 0x04, 0x47, 0x49, 0x14, 0x1c, 0x35, 0x3b, 0x46, 0x4a, 0x24, 0x2c, 0x58, 0x45, 0x4b, 0x34,
  0x3c, 0x03, 0x57, 0x59, 0x13, 0x1d, 0x56, 0x5a, 0x23, 0x2d, 0x44, 0x4c, 0x55, 0x5b, 0x33, 0x3d, 0x68, 0x02, 0x67,
  0x69, 0x12, 0x1e, 0x66, 0x6a, 0x22, 0x2e, 0x54, 0x5c, 0x43, 0x4d, 0x65, 0x6b, 0x32, 0x3e, 0x78, 0x01, 0x77, 0x79,
  0x53, 0x5d, 0x11, 0x1f, 0x64, 0x6c, 0x42, 0x4e, 0x76, 0x7a, 0x21, 0x2f, 0x75, 0x7b, 0x31, 0x3f, 0x63, 0x6d, 0x52,
  0x5e, 0x00, 0x74, 0x7c, 0x41, 0x4f, 0x10, 0x20, 0x62, 0x6e, 0x30, 0x73, 0x7d, 0x51, 0x5f, 0x40, 0x72, 0x7e, 0x61,
  0x6f, 0x50, 0x71, 0x7f, 0x60, 0x70,
]);
// @ts-ignore: decorator
@inline const NEAR: u32 = 120;

/** u32 by hash */
const CACHE = memory.data(8192, 16);
// @ts-ignore: decorator
@inline const HASH: u32 = 0x1e35a7bd;

let ring: usize = 0;
let ringEnd: usize = 0;
let width: usize = 0;
let pixels: u32 = 0;
/** the row that is decoded next, and its place; pixels before it */
let row: usize = 0;
let y: usize = 0;
let done: u32 = 0;
/** groups of codes: one, or by tile the address of one */
let groups: usize = 0;
let tiles: usize = 0;
let tileBits: u32 = 0;
let tilesAcross: usize = 0;
let cacheBits: u32 = 0;
/** what is left of a reference, and how many bytes back it is */
let pending: u32 = 0;
let pendingBytes: usize = 0;

/** Begins an image of which `ringRows` rows are held at `to`. All its codes are of the group at `group`. */
export function beginImage(to: usize, ringRows: usize, widthPx: usize, heightPx: usize, group: usize, bits: u32): void {
  ring = to;
  width = widthPx;
  ringEnd = to + ((ringRows * widthPx) << 2);
  pixels = <u32>(widthPx * heightPx);
  row = to;
  y = 0;
  done = 0;
  groups = group;
  tiles = 0;
  cacheBits = bits;
  pending = 0;
  if (bits) memory.fill(CACHE, 0, <usize>4 << bits);
}

/** The codes are of the group whose address is in the pixel's tile, of 2^bits pixels a side. */
export function useTiles(addresses: usize, bits: u32, across: usize): void {
  tiles = addresses;
  tileBits = bits;
  tilesAcross = across;
}

/** Where the row begins that is decoded next. */
export function nextRow(): usize {
  return row;
}

/** Decodes a row. Returns 0 or a fault. */
export function decodeRow(): i32 {
  const end = row + (width << 2);
  let to = row;
  if (pending) {
    const count = min(pending, <u32>width);
    copy(to, pendingBytes, count);
    pending -= count;
    to += <usize>count << 2;
  }
  const tileRow = tiles + ((y >> tileBits) * tilesAcross << 2);
  let cached = row;
  let v = value;
  let n = held;
  let p = at;
  const last = lastLoad;
  while (to < end) {
    let group = groups;
    let stop = end;
    if (tiles) {
      const tile = ((to - row) >> 2) >> tileBits;
      group = load<u32>(tileRow + (tile << 2));
      stop = min(end, row + ((tile + 1) << tileBits << 2));
    }
    const packed = <usize>load<u32>(group + PACKED);
    const packedMask = load<u32>(group + PACKED_MASK);
    const alpha = load<u32>(group + ALPHA_VALUE);
    if (packedMask == 0 && load<i32>(packed) >= 0) {
      // all pixels are the same, and take no bits
      const pixel = i32x4.splat(load<u32>(packed) & 0xffffff | alpha);
      for (; to < stop; to += 16) v128.store(to, pixel);
      to = stop;
      continue;
    }
    while (to < stop) {
      if (p > last) return FAULT_END;
      v |= load<u64>(p) << n;
      p += (63 - n) >> 3;
      n |= 56;
      // Four pixels of packed codes take at most 48 bits.
      let entry = load<u32>(packed + ((<u32>v & packedMask) << 2));
      if (<i32>entry >= 0) {
        store<u32>(to, (entry & 0xffffff) | alpha);
        to += 4;
        v >>= entry >>> 24;
        n -= entry >>> 24;
        if (to >= stop) break;
        entry = load<u32>(packed + ((<u32>v & packedMask) << 2));
        if (<i32>entry >= 0) {
          store<u32>(to, (entry & 0xffffff) | alpha);
          to += 4;
          v >>= entry >>> 24;
          n -= entry >>> 24;
          if (to >= stop) break;
          entry = load<u32>(packed + ((<u32>v & packedMask) << 2));
          if (<i32>entry >= 0) {
            store<u32>(to, (entry & 0xffffff) | alpha);
            to += 4;
            v >>= entry >>> 24;
            n -= entry >>> 24;
            if (to >= stop) break;
            entry = load<u32>(packed + ((<u32>v & packedMask) << 2));
            if (<i32>entry >= 0) {
              store<u32>(to, (entry & 0xffffff) | alpha);
              to += 4;
              v >>= entry >>> 24;
              n -= entry >>> 24;
              continue;
            }
          }
        }
      }
      if (p > last) return FAULT_END;
      v |= load<u64>(p) << n;
      p += (63 - n) >> 3;
      n |= 56;
      let symbol = entry & 0xffff;
      let bits = (entry >>> 24) & 15;
      if (entry & IS_LONG) {
        const green = find(load<u32>(group + GREEN), load<u32>(group + GREEN, 4), v);
        symbol = green >>> 16;
        bits = bitsOf(green);
      }
      v >>= bits;
      n -= bits;
      if (symbol < LITERALS) {
        const red = find(load<u32>(group + RED), load<u32>(group + RED, 4), v);
        bits = bitsOf(red);
        v >>= bits;
        n -= bits;
        const blue = find(load<u32>(group + BLUE), load<u32>(group + BLUE, 4), v);
        bits = bitsOf(blue);
        v >>= bits;
        n -= bits;
        let pixel = alpha | (red & 0xff0000) | (symbol << 8) | (blue >>> 16);
        const alphaMask = load<u32>(group + ALPHA, 4);
        if (alphaMask) {
          if (p > last) return FAULT_END;
          v |= load<u64>(p) << n;
          p += (63 - n) >> 3;
          n |= 56;
          const found = find(load<u32>(group + ALPHA), alphaMask, v);
          bits = bitsOf(found);
          v >>= bits;
          n -= bits;
          pixel |= found >>> 16 << 24;
        }
        store<u32>(to, pixel);
        to += 4;
        continue;
      }
      if (symbol >= LITERALS_LENGTHS) {
        cached = addToCache(cached, to);
        store<u32>(to, load<u32>(CACHE + ((symbol - LITERALS_LENGTHS) << 2)));
        to += 4;
        continue;
      }
      symbol -= LITERALS;
      let length = symbol + 1;
      if (symbol >= 4) {
        bits = (symbol - 2) >> 1;
        length = ((2 + (symbol & 1)) << bits) + (<u32>v & ((1 << bits) - 1)) + 1;
        v >>= bits;
        n -= bits;
      }
      if (p > last) return FAULT_END;
      v |= load<u64>(p) << n;
      p += (63 - n) >> 3;
      n |= 56;
      const found = find(load<u32>(group + DISTANCE), load<u32>(group + DISTANCE, 4), v);
      bits = bitsOf(found);
      v >>= bits;
      n -= bits;
      symbol = found >>> 16;
      let distance = symbol + 1;
      if (symbol >= 4) {
        bits = (symbol - 2) >> 1;
        distance = ((2 + (symbol & 1)) << bits) + (<u32>v & ((1 << bits) - 1)) + 1;
        v >>= bits;
        n -= bits;
      }
      distance = distance > NEAR ? distance - NEAR : nearDistance(distance);
      const before = done + <u32>((to - row) >> 2);
      if (distance > before || length > pixels - before) return FAULT_REFERENCE;
      const count = min(length, <u32>((end - to) >> 2));
      copy(to, <usize>distance << 2, count);
      to += <usize>count << 2;
      pending = length - count;
      pendingBytes = <usize>distance << 2;
    }
  }
  keepBits(v, n, p);
  if (isBeyond()) return FAULT_END;
  if (cacheBits) addToCache(cached, end);
  done += <u32>width;
  y++;
  row = end == ringEnd ? ring : end;
  return 0;
}

function nearDistance(code: u32): u32 {
  const place = <i32>load<u8>(NEAR_PLACES + code - 1);
  return <u32>max<i32>(1, (place >> 4) * <i32>width + 8 - (place & 15));
}

/** Puts pixels into the cache. Returns `end`. */
function addToCache(from: usize, end: usize): usize {
  const shift = 32 - cacheBits;
  for (; from < end; from += 4) {
    const pixel = load<u32>(from);
    store<u32>(CACHE + ((pixel * HASH) >>> shift << 2), pixel);
  }
  return end;
}

/** Copies pixels of the ring that lie `back` bytes before `to`. Overwrites up to three behind the last. */
function copy(to: usize, back: usize, count: u32): void {
  let left = <usize>count << 2;
  let from = to - back;
  if (to - ring < back) {
    from += ringEnd - ring;
    const first = min(left, ringEnd - from);
    copyVectors(to, from, first);
    if (first == left) return;
    left -= first;
    to += first;
    from = ring;
  }
  if (back >= 16) copyVectors(to, from, left);
  else if (back == 4) {
    const pixel = v128.load32_splat(from);
    for (const end = to + left; to < end; to += 16) v128.store(to, pixel);
  } else {
    for (const end = to + left; to < end; to += 4, from += 4) store<u32>(to, load<u32>(from));
  }
}

// @ts-ignore: decorator
@inline function copyVectors(to: usize, from: usize, bytes: usize): void {
  for (const end = to + bytes; to < end; to += 16, from += 16) v128.store(to, v128.load(from));
}
