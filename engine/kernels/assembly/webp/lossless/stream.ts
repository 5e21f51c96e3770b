// A VP8L stream without its header (RFC 9649, section 3): its transforms and codes, then rows of pixels.
//
// What transforms need, and which group of codes a tile has, are images within the stream. They go to memory
// that the picture's size bounds; a stream that needs more is left to libwebp.

import { address } from '../../fields';
import { HEIGHT, WIDTH } from '../../reduction/records.ts';
import {
  COLORS_BYTES, FAULT_CODES, FAULT_MEMORY, IMAGE_SLACK_BYTES, IMAGES, IMAGES_BYTES, MOST_GROUPS, PIXEL_ROW_BYTES,
  PIXEL_ROWS, RING, RING_BYTES, STREAM, STREAM_BYTES, TABLES, TABLES_BYTES,
} from '../records.ts';
import { beginBits, readBits } from './bits';
import { beginTables, GROUP_SHIFT, lacksMemory, readGroups } from './codes';
import { beginImage, decodeRow, nextRow, useTiles } from './pixels';
import {
  addTransform, beginTransforms, COLOR_INDEXING, PREDICTOR, setCodedWidth, SUBTRACT_GREEN, undoTransforms,
} from './transforms';

// @ts-ignore: decorator
@inline const MOST_CACHE_BITS: u32 = 11;

/** Small pictures of libwebp's encoder have one or two groups more than tiles. */
// @ts-ignore: decorator
@inline const SPARE_GROUPS: u32 = 16;

/** Packed tables of one image have at most so many entries together, 2^18, and each 2^12. */
// @ts-ignore: decorator
@inline const PACKED_BITS: u32 = 18;
// @ts-ignore: decorator
@inline const MOST_PACKED_BITS: u32 = 12;
// @ts-ignore: decorator
@inline const LEAST_PACKED_BITS: u32 = 4;

let free: usize = 0;
let freeEnd: usize = 0;
let fault: i32 = 0;
let decoded: usize = 0;
let pixels: usize = 0;

/** Reads everything before the pixels. Returns 0 or a fault. */
export function beginPixels(picture: usize): i32 {
  beginBits(address(picture, STREAM), address(picture, STREAM_BYTES));
  const width = address(picture, WIDTH);
  const height = address(picture, HEIGHT);
  free = address(picture, IMAGES);
  freeEnd = free + address(picture, IMAGES_BYTES);
  fault = 0;
  decoded = 0;
  const tables = address(picture, TABLES);
  beginTables(tables, tables + address(picture, TABLES_BYTES));
  beginTransforms(address(picture, PIXEL_ROWS), address(picture, PIXEL_ROW_BYTES));
  let codedWidth = width;
  for (let seen: u32 = 0; readBits(1);) {
    const type = readBits(2);
    if (seen & (1 << type)) return FAULT_CODES;
    seen |= 1 << type;
    if (type == SUBTRACT_GREEN) addTransform(type, codedWidth, 0, 0);
    else if (type == COLOR_INDEXING) {
      const colors = readBits(8) + 1;
      const bits: u32 = colors > 16 ? 0 : colors > 4 ? 1 : colors > 2 ? 2 : 3;
      const data = readColors(colors, bits);
      if (data == 0) return fault;
      addTransform(type, codedWidth, bits, data);
      codedWidth = tilesOf(codedWidth, bits);
    } else {
      const bits = readBits(3) + 2;
      const data = readImage(tilesOf(codedWidth, bits), tilesOf(height, bits));
      if (data == 0) return fault;
      addTransform(type, codedWidth, bits, data);
    }
  }
  setCodedWidth(codedWidth);
  const cacheBits = readCacheBits();
  if (cacheBits > MOST_CACHE_BITS) return FAULT_CODES;
  let groups: u32 = 1;
  let tiles: usize = 0;
  let across: usize = 0;
  let down: usize = 0;
  let bits: u32 = 0;
  if (readBits(1)) {
    bits = readBits(3) + 2;
    across = tilesOf(codedWidth, bits);
    down = tilesOf(height, bits);
    tiles = readImage(across, down);
    if (tiles == 0) return fault;
    groups = countGroups(tiles, across * down);
    // No encoder has many more groups than tiles; codes nobody uses would cost more than the pixels.
    if (groups > <u32>MOST_GROUPS || groups > SPARE_GROUPS + <u32>(across * down)) return FAULT_MEMORY;
  }
  const group = readGroups(groups, cacheBits, packedBits(codedWidth * height, groups));
  if (group == 0) return faultOfCodes();
  const ringRows = min(height, address(picture, RING_BYTES) / (codedWidth << 2));
  beginImage(address(picture, RING), ringRows, codedWidth, height, group, cacheBits);
  if (tiles) {
    for (let at = tiles, end = tiles + (across * down << 2); at < end; at += 4) {
      store<u32>(at, <u32>group + (groupOf(at) << <u32>GROUP_SHIFT));
    }
    useTiles(tiles, bits, across);
  }
  return 0;
}

/** Decodes a row and undoes its transforms; row after row. Returns 0 or a fault. */
export function decodePixels(): i32 {
  const coded = nextRow();
  const rowFault = decodeRow();
  if (rowFault) return rowFault;
  pixels = undoTransforms(decoded, coded);
  decoded++;
  return 0;
}

/** The pixels of the row that was decoded last, R G B A. */
export function decodedPixels(): usize {
  return pixels;
}

/** Judges all rows up to `height`, of which no pixels are wanted any more. Returns 0 or a fault. */
export function judgePixels(height: usize): i32 {
  for (; decoded < height; decoded++) {
    const rowFault = decodeRow();
    if (rowFault) return rowFault;
  }
  return 0;
}

// @ts-ignore: decorator
@inline function tilesOf(px: usize, bits: u32): usize {
  return (px + (1 << bits) - 1) >> bits;
}

// @ts-ignore: decorator
@inline function groupOf(tile: usize): u32 {
  return (load<u32>(tile) >>> 8) & 0xffff;
}

function faultOfCodes(): i32 {
  return lacksMemory ? FAULT_MEMORY : FAULT_CODES;
}

function countGroups(tiles: usize, count: usize): u32 {
  let most: u32 = 0;
  for (let at = tiles; at < tiles + (count << 2); at += 4) most = max(most, groupOf(at));
  return most + 1;
}

/** A packed table that is larger than half of its pixels would cost more than it saves. */
function packedBits(pixelCount: usize, groups: u32): u32 {
  const perGroup = <i32>(31 - clz(<u32>pixelCount / groups | 1)) - 1;
  const shared = <i32>PACKED_BITS - (32 - <i32>clz(groups - 1));
  return <u32>max(<i32>LEAST_PACKED_BITS, min(<i32>MOST_PACKED_BITS, min(perGroup, shared)));
}

/** 0 where there is no cache, MOST_CACHE_BITS + 1 where it is none of the format. */
function readCacheBits(): u32 {
  if (readBits(1) == 0) return 0;
  const bits = readBits(4);
  return bits == 0 ? MOST_CACHE_BITS + 1 : bits;
}

/** Reads an image within the stream, B G R A. Returns its address, or 0 and sets `fault`. */
function readImage(width: usize, height: usize): usize {
  const bytes = (width * height << 2) + <usize>IMAGE_SLACK_BYTES;
  fault = FAULT_MEMORY;
  if (bytes > freeEnd - free) return 0;
  const image = free;
  free += bytes;
  fault = FAULT_CODES;
  const cacheBits = readCacheBits();
  if (cacheBits > MOST_CACHE_BITS) return 0;
  const group = readGroups(1, cacheBits, packedBits(width * height, 1));
  if (group == 0) {
    fault = faultOfCodes();
    return 0;
  }
  beginImage(image, height, width, height, group, cacheBits);
  for (let y: usize = 0; y < height; y++) {
    fault = decodeRow();
    if (fault) return 0;
  }
  return image;
}

/** Reads a palette: R G B A for each value that an index has, 2^bits indices of it side by side. */
function readColors(count: u32, bits: u32): usize {
  const image = readImage(count, 1);
  if (image == 0) return 0;
  if (<usize>COLORS_BYTES > freeEnd - free) {
    fault = FAULT_MEMORY;
    return 0;
  }
  const colors = free;
  free += COLORS_BYTES;
  memory.fill(colors, 0, COLORS_BYTES);
  // each colour is the difference to the one before
  let color: u32 = 0;
  for (let at = image, end = image + (<usize>count << 2); at < end; at += 4) {
    const difference = load<u32>(at);
    color = (((color & 0xff00ff00) + (difference & 0xff00ff00)) & 0xff00ff00) |
      (((color & 0xff00ff) + (difference & 0xff00ff)) & 0xff00ff);
    store<u32>(at, (color & 0xff00ff00) | ((color >>> 16) & 0xff) | ((color & 0xff) << 16));
  }
  if (bits == 0) {
    memory.copy(colors, image, <usize>count << 2);
    return colors;
  }
  const indexBits: u32 = 8 >> bits;
  for (let index: u32 = 0; index < 256; index++) {
    for (let i: u32 = 0; i < <u32>(1 << bits); i++) {
      const place = (index >> (i * indexBits)) & ((1 << indexBits) - 1);
      if (place < count) store<u32>(colors + (index << 5) + (i << 2), load<u32>(image + (place << 2)));
    }
  }
  return colors;
}
