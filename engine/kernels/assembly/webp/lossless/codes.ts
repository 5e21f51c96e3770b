// Prefix codes of VP8L (RFC 9649, section 3.7.2), and tables that look symbols up.
//
// A table's entry has a symbol in its upper half and in its lowest byte how many bits its code has. Codes
// longer than ROOT_BITS continue in a second table: its place, from the first entry on, is in the upper half,
// how many bits it takes in the four lowest bits, and LONG is set. An entry of a second table has the length
// of the whole code.
//
// A pixel's codes follow each other: green (or a length, or a colour of the cache), red, blue, alpha. Most
// pixels take one look-up in the group's packed table: where all their codes fit into it and alpha has one
// value. Its entries: a whole pixel's colours, how many bits they take above them; else IS_PART and the
// symbol of green with the bits of its code, or IS_LONG.

import { SORTED } from '../records.ts';
import { isBeyond, more, readBits, skip, value } from './bits';

/** Bits of a root table. */
// @ts-ignore: decorator
@inline const ROOT_BITS: u32 = 8;
// @ts-ignore: decorator
@inline const LONG: u32 = 0x80;
// @ts-ignore: decorator
@inline const MOST_LENGTH: u32 = 15;
/** Codes of code lengths have at most 7 bits. */
// @ts-ignore: decorator
@inline const LENGTHS_BITS: u32 = 7;

// @ts-ignore: decorator
@inline export const LITERALS: u32 = 256;
/** literals and length prefixes; colour cache indices follow */
// @ts-ignore: decorator
@inline export const LITERALS_LENGTHS: u32 = 280;
/** the prefix of lengths of at least 17 */
// @ts-ignore: decorator
@inline const LEAST_IDLE_LENGTH: u32 = 264;
// @ts-ignore: decorator
@inline const DISTANCES: u32 = 40;
// @ts-ignore: decorator
@inline const MOST_SYMBOLS: u32 = 2328;
/** More than the tables of any code take (2,704 entries with 2,328 symbols). */
// @ts-ignore: decorator
@inline const MOST_TABLE_BYTES: usize = 12288;

// Entries of packed tables.
// @ts-ignore: decorator
@inline export const IS_PART: u32 = 0x80000000;
// @ts-ignore: decorator
@inline export const IS_LONG: u32 = 0x40000000;

// A prefix code group: the packed table and its mask, alpha if all pixels share one, then table and mask of
// green, red, blue, alpha and distances.
export const GROUP_SHIFT: usize = 6;
export const PACKED: usize = 0;
export const PACKED_MASK: usize = 4;
export const ALPHA_VALUE: usize = 8;
export const GREEN: usize = 12;
export const RED: usize = 20;
export const BLUE: usize = 28;
export const ALPHA: usize = 36;
export const DISTANCE: usize = 44;

/** u8 for each symbol */
const LENGTHS = memory.data(2336, 16);
/** u32 by length: the number of symbols, then the position of the next one */
const COUNTS = memory.data(64, 16);
const PLACES = memory.data(64, 16);
const LENGTHS_TABLE = memory.data(512, 16);
const LENGTH_ORDER = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);

/** whether the groups read last needed too much memory */
export let lacksMemory: bool = false;

let tables: usize = 0;
let tablesEnd: usize = 0;
let next: usize = 0;
/** of the code read last */
let mask: u32 = 0;
let longest: u32 = 0;

/** Sets the memory of tables, `from` to `end`. */
export function beginTables(from: usize, end: usize): void {
  tables = from;
  tablesEnd = end;
}

/**
 * Reads `count` prefix code groups, with packed tables of at most `packedBits` bits. Returns the first group,
 * or 0 if they are invalid or take too much memory. Overwrites the previous image's tables.
 */
export function readGroups(count: u32, cacheBits: u32, packedBits: u32): usize {
  next = tables + (<usize>count << GROUP_SHIFT);
  lacksMemory = next > tablesEnd;
  if (lacksMemory) return 0;
  const greens = LITERALS_LENGTHS + (cacheBits ? 1 << cacheBits : 0);
  for (let group = tables, i: u32 = 0; i < count; i++, group += 1 << GROUP_SHIFT) {
    if (!readCode(greens, group + GREEN)) return 0;
    if (isIdle(group)) return 0;
    let most = longest;
    if (!readCode(LITERALS, group + RED)) return 0;
    most += longest;
    if (!readCode(LITERALS, group + BLUE)) return 0;
    most += longest;
    if (!readCode(LITERALS, group + ALPHA)) return 0;
    const hasAlphas = mask != 0;
    if (!readCode(DISTANCES, group + DISTANCE)) return 0;
    store<u32>(group + ALPHA_VALUE, hasAlphas ? 0 : load<u32>(load<u32>(group + ALPHA)) >>> 16 << 24);
    if (!pack(group, min(packedBits, most), hasAlphas)) return 0;
  }
  return tables;
}

/** The entry of the symbol whose code is in the lowest bits. */
// @ts-ignore: decorator
@inline export function find(table: usize, tableMask: u32, bits: u64): u32 {
  const entry = load<u32>(table + ((<u32>bits & tableMask) << 2));
  if ((entry & LONG) == 0) return entry;
  const place = (entry >>> 16) + ((<u32>bits >>> ROOT_BITS) & ((1 << (entry & 15)) - 1));
  return load<u32>(table + (place << 2));
}

// @ts-ignore: decorator
@inline export function bitsOf(entry: u32): u32 {
  return entry & 31;
}

/**
 * Whether all pixels are of the cache, or copied a few at a time, and say so without a bit: no encoder makes
 * that of large parts, and a file of some bytes could keep a decoder at work.
 */
function isIdle(group: usize): bool {
  if (mask != 0) return false;
  const symbol = load<u32>(load<u32>(group + GREEN)) >>> 16;
  return symbol >= LITERALS_LENGTHS || (symbol >= LITERALS && symbol < LEAST_IDLE_LENGTH);
}

function pack(group: usize, bits: u32, hasAlphas: bool): bool {
  const size = <usize>1 << bits;
  lacksMemory = next + (size << 2) > tablesEnd;
  if (lacksMemory) return false;
  store<u32>(group + PACKED, <u32>next);
  store<u32>(group + PACKED_MASK, <u32>size - 1);
  const green = load<u32>(group + GREEN);
  const greenMask = load<u32>(group + GREEN, 4);
  const red = load<u32>(group + RED);
  const redMask = load<u32>(group + RED, 4);
  const blue = load<u32>(group + BLUE);
  const blueMask = load<u32>(group + BLUE, 4);
  for (let code: u32 = 0; code < <u32>size; code++, next += 4) {
    const g = find(green, greenMask, code);
    const greenBits = bitsOf(g);
    if (greenBits > bits) {
      store<u32>(next, IS_PART | IS_LONG);
      continue;
    }
    const symbol = g >>> 16;
    let entry = IS_PART | (greenBits << 24) | symbol;
    if (symbol < LITERALS && !hasAlphas) {
      const r = find(red, redMask, code >> greenBits);
      const redBits = greenBits + bitsOf(r);
      const b = find(blue, blueMask, code >> redBits);
      const all = redBits + bitsOf(b);
      if (all <= bits) entry = (all << 24) | (r & 0xff0000) | (symbol << 8) | (b >>> 16);
    }
    store<u32>(next, entry);
  }
  return true;
}

/** Reads a code, builds its table and stores its address and mask. False if it is invalid. */
function readCode(symbols: u32, to: usize): bool {
  lacksMemory = next + MOST_TABLE_BYTES > tablesEnd;
  if (lacksMemory) return false;
  let bytes: usize = 0;
  if (readBits(1)) bytes = readSimple(next, symbols);
  else if (readLengths(symbols)) bytes = buildTable(next, symbols, ROOT_BITS);
  if (isBeyond()) return false;
  if (bytes == 0) return false;
  store<u32>(to, <u32>next);
  store<u32>(to, mask, 4);
  next += bytes;
  return true;
}

/** A simple code of one or two symbols. A symbol beyond the alphabet is ignored. */
function readSimple(to: usize, symbols: u32): usize {
  const hasTwo = readBits(1) != 0;
  let first = readBits(readBits(1) ? 8 : 1);
  let second = hasTwo ? readBits(8) : first;
  if (first >= symbols) first = second;
  if (second >= symbols) second = first;
  if (first >= symbols) return 0;
  longest = first == second ? 0 : 1;
  mask = longest;
  store<u32>(to, min(first, second) << 16 | longest);
  store<u32>(to, max(first, second) << 16 | longest, 4);
  return <usize>4 << longest;
}

function readLengths(symbols: u32): bool {
  memory.fill(LENGTHS, 0, symbols);
  const count = readBits(4) + 4;
  // the lengths of the code length code, stored where the lengths themselves go
  for (let i: u32 = 0; i < count; i++) store<u8>(LENGTHS + load<u8>(LENGTH_ORDER + i), <u8>readBits(3));
  if (buildTable(LENGTHS_TABLE, 19, LENGTHS_BITS) == 0) return false;
  const lengthsMask = mask;
  memory.fill(LENGTHS, 0, 19);
  let left = symbols;
  if (readBits(1)) {
    left = 2 + readBits(2 + 2 * readBits(3));
    if (left > symbols) return false;
  }
  let before: u32 = 8;
  for (let symbol: u32 = 0; symbol < symbols && left > 0; left--) {
    more();
    const entry = find(LENGTHS_TABLE, lengthsMask, value);
    skip(bitsOf(entry));
    const length = entry >>> 16;
    if (length < 16) {
      store<u8>(LENGTHS + symbol, <u8>length);
      symbol++;
      if (length) before = length;
      continue;
    }
    const repeats = length == 16 ? 3 + readBits(2) : length == 17 ? 3 + readBits(3) : 11 + readBits(7);
    if (symbol + repeats > symbols) return false;
    if (length == 16) memory.fill(LENGTHS + symbol, <u8>before, repeats);
    symbol += repeats;
  }
  return true;
}

/**
 * Builds the tables of the code whose lengths are in LENGTHS, and sets `mask` and `longest`. Returns their
 * size in bytes, 0 if the code is incomplete. A code of a single symbol takes no bits.
 */
function buildTable(to: usize, symbols: u32, rootBits: u32): usize {
  memory.fill(COUNTS, 0, 64);
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = COUNTS + (<usize>load<u8>(LENGTHS + symbol) << 2);
    store<u32>(count, load<u32>(count) + 1);
  }
  const used = symbols - load<u32>(COUNTS);
  if (used == 0) return 0;
  longest = 0;
  let free: i32 = 1;
  let place: u32 = 0;
  for (let length: u32 = 1; length <= MOST_LENGTH; length++) {
    const count = load<u32>(COUNTS + (length << 2));
    store<u32>(PLACES + (length << 2), place);
    place += count;
    free = (free << 1) - <i32>count;
    if (free < 0 && used > 1) return 0;
    if (count) longest = length;
  }
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const length = <usize>load<u8>(LENGTHS + symbol);
    if (length == 0) continue;
    const at = PLACES + (length << 2);
    const to = load<u32>(at);
    store<u16>(<usize>SORTED + (to << 1), <u16>symbol);
    store<u32>(at, to + 1);
  }
  if (used == 1) {
    mask = 0;
    longest = 0;
    store<u32>(to, <u32>load<u16>(<usize>SORTED) << 16);
    return 4;
  }
  if (free != 0) return 0;
  const root = min(rootBits, longest);
  mask = (1 << root) - 1;
  return fillTables(to, root);
}

function fillTables(to: usize, root: u32): usize {
  let table = to;
  let bits = root;
  let end = to + (<usize>4 << root);
  let key: u32 = 0;
  let low: u32 = 0xffffffff;
  let sorted: usize = SORTED;
  for (let length: u32 = 1; length <= longest; length++) {
    const count = COUNTS + (length << 2);
    const isLong = length > root;
    const step = <usize>4 << (isLong ? length - root : length);
    for (let left = load<u32>(count); left > 0; left--) {
      if (isLong && (key & mask) != low) {
        low = key & mask;
        table = end;
        // the number left of this length determines the bits of the second table
        store<u32>(count, left);
        bits = secondBits(length, root);
        end += <usize>4 << bits;
        store<u32>(to + (low << 2), <u32>((table - to) >> 2) << 16 | LONG | bits);
      }
      const entry = <u32>load<u16>(sorted) << 16 | length;
      sorted += 2;
      const first = table + (<usize>(isLong ? key >> root : key) << 2);
      for (let at = first; at < table + (<usize>4 << bits); at += step) store<u32>(at, entry);
      key = nextKey(key, length);
    }
  }
  return end - to;
}

/** The bits of a second table whose shortest code has `length` bits. */
function secondBits(length: u32, root: u32): u32 {
  let left: i32 = 1 << (length - root);
  for (; length < MOST_LENGTH; length++) {
    left -= load<i32>(COUNTS + (length << 2));
    if (left <= 0) break;
    left <<= 1;
  }
  return length - root;
}

/** The next code of the same length after `key`; its first bit is the lowest. */
function nextKey(key: u32, length: u32): u32 {
  let step: u32 = 1 << (length - 1);
  while (key & step) step >>= 1;
  return step ? (key & (step - 1)) + step : key;
}
