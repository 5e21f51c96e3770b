// The codes of DEFLATE (RFC 1951, 3.2.2) and their tables.
//
// A look-up takes the next TABLE_BITS bits, or as many as the longest code has. Its entry:
//   one to three literals  bits 0-5 bits used, 6-7 how many, 8-31 the bytes
//   a length, its distance bits 0-5 bits used, 6-9 zero, 10-14 what is before the distance's extra bits (two
//                          spare bits too), 15-19 the distance's symbol, 20-28 the length
//   a length alone         bits 0-5 bits used, extra ones too, 6-7 zero, 8-9 its kind, 10-14 what is before
//                          the extra bits (two spare bits too), 16-31 base
//   the beginning of a longer code: bits 0-7 zero, 8-9 its kind, 16-31 how many others come before it
//   anything else          bits 0-5 bits used, 6-7 zero, 8-9 its kind
// A distance's entry is that of a length and its distance, without the length.
// The rest of a code longer than its table is found bit by bit.

import {
  CODE_LENGTHS, DISTANCE_RANGES, DISTANCE_BITS, DISTANCE_CODE, DISTANCE_ENTRIES, DISTANCES, LITERAL_CODE,
  LITERAL_ENTRIES, LITERALS, NEXT_PLACE, PAIRS, PRECODE, PRECODE_CODE, SINGLES, TABLE_BITS,
} from './records.ts';

// @ts-ignore: decorator
@inline export const KIND: u32 = 3 << 8;
// @ts-ignore: decorator
@inline export const KIND_LENGTH: u32 = 1 << 8;
// @ts-ignore: decorator
@inline export const KIND_LONG: u32 = 2 << 8;
// @ts-ignore: decorator
@inline const KIND_INVALID: u32 = 3 << 8;
/** the end of a block, which also has KIND_INVALID */
// @ts-ignore: decorator
@inline const END: u32 = 1 << 16;
// @ts-ignore: decorator
@inline const LITERAL_COUNT: u32 = 3 << 6;

/** Bits of an index that are already used. */
// @ts-ignore: decorator
@inline export const SPARE: u32 = 2;

/** Share of the code space, of 32768, from which joining literals is worthwhile. */
const JOINED_SHARE: u32 = 8192;
/** Offset of the sorted symbols in a canonical code. */
const SYMBOLS: usize = 32;

/** bits of a look-up */
export let literalBits: u32 = 0;
export let distanceBits: u32 = 0;
/** number of symbols whose codes fit the table */
let shortLiterals: u32 = 0;
let shortDistances: u32 = 0;
/** whether the tables hold the fixed codes */
let isFixed: bool = false;

// Length symbols 257..285: base and extra bits (RFC 1951, 3.2.5).
const LENGTH_BASE: StaticArray<u16> = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_EXTRA: StaticArray<u8> = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];

// @ts-ignore: decorator
@inline export function isLiteral(entry: u32): bool {
  return (entry & LITERAL_COUNT) != 0;
}

/** Whether an entry of KIND_INVALID ends the block. */
// @ts-ignore: decorator
@inline export function isEnd(entry: u32): bool {
  return (entry & (KIND | END)) == (KIND_INVALID | END);
}

/** The length of an entry that has a distance. */
// @ts-ignore: decorator
@inline export function lengthOf(entry: u32): u32 {
  return entry >> 20;
}

/** The shift of a length's or distance's extra bits, in the lowest five bits. */
// @ts-ignore: decorator
@inline export function codeShift(entry: u32): u32 {
  return entry >> 10;
}

/** The distances of an entry: the least in the lower half, the range of the extra bits in the upper. */
// @ts-ignore: decorator
@inline export function distancesOf(entry: u32): u32 {
  return load<u32>((entry >> 13) & 124, DISTANCE_RANGES);
}

/** Fills the entries of all symbols. Once per instance. */
export function buildEntries(): void {
  for (let symbol: usize = 0; symbol < 288; symbol++) {
    let entry: u32 = KIND_INVALID;
    if (symbol < 256) entry = (1 << 6) | (<u32>symbol << 8);
    else if (symbol == 256) entry = KIND_INVALID | END;
    else if (symbol < 286) {
      entry = KIND_LENGTH | (<u32>LENGTH_BASE[<i32>symbol - 257] << 16) | <u32>LENGTH_EXTRA[<i32>symbol - 257];
    }
    store<u32>(<usize>LITERAL_ENTRIES + (symbol << 2), entry);
  }
  for (let symbol: u32 = 0; symbol < 32; symbol++) {
    const extra: u32 = symbol < 4 ? 0 : (symbol >> 1) - 1;
    const base: u32 = symbol < 4 ? 1 + symbol : 1 + ((2 + (symbol & 1)) << extra);
    const range = base | (((1 << extra) - 1) << 16);
    store<u32>(<usize>DISTANCE_RANGES + (<usize>symbol << 2), symbol < 30 ? range : 0);
    store<u32>(<usize>DISTANCE_ENTRIES + (<usize>symbol << 2), symbol < 30 ? (symbol << 15) | extra : KIND_INVALID);
  }
}

/** The entry of a symbol with a code of `codeBits` bits. */
// @ts-ignore: decorator
@inline function withCode(entry: u32, codeBits: u32): u32 {
  // bits 8 and up are a literal's byte; all others also store the bits of the code
  return isLiteral(entry) ? entry | codeBits : (entry | ((codeBits + SPARE) << 10)) + codeBits;
}

/** Counts codes by length and sorts symbols in the order of the code. Returns the longest length, or 0. */
function sortCode(code: usize, lengths: usize, symbols: usize, mayBeIncomplete: bool): u32 {
  memory.fill(code, 0, SYMBOLS);
  for (let i: usize = 0; i < symbols; i++) {
    const at = code + (<usize>load<u8>(lengths + i) << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  store<u16>(code, 0);
  let left: i32 = 1;
  let used: u32 = 0;
  let longest: u32 = 1;
  for (let length: u32 = 1; length < 16; length++) {
    const count = <i32>load<u16>(code + (<usize>length << 1));
    store<u16>(<usize>NEXT_PLACE + (<usize>length << 1), <u16>used);
    left = (left << 1) - count;
    if (left < 0) return 0;
    used += count;
    if (count) longest = length;
  }
  // codes with one symbol, or none, may be incomplete (RFC 1951, 3.2.7)
  if (left > 0 && !(mayBeIncomplete && used <= 1 && longest == 1)) return 0;
  for (let i: usize = 0; i < symbols; i++) {
    const length = <usize>load<u8>(lengths + i);
    if (length == 0) continue;
    const at = <usize>NEXT_PLACE + (length << 1);
    const place = <usize>load<u16>(at);
    store<u16>(at, <u16>(place + 1));
    store<u16>(code + SYMBOLS + (place << 1), <u16>i);
  }
  return longest;
}

/**
 * The next code of the same length after `word`, in reading order: the first bit is the lowest. `word` itself
 * if there is none.
 */
// @ts-ignore: decorator
@inline function codeAfter(word: u32, length: u32): u32 {
  const free = word ^ ((1 << length) - 1);
  if (free == 0) return word;
  const bit: u32 = 1 << (31 - clz(free));
  return (word & (bit - 1)) | bit;
}

/**
 * Fills a table of 2^tableBits entries: a code is written once, and all that is there doubled for each bit
 * more. Returns how many symbols have a code that is not longer.
 */
function fillTable(table: usize, tableBits: u32, code: usize, entries: usize): u32 {
  let word: u32 = 0;
  let index: usize = 0;
  store<u32>(table, KIND_INVALID);
  for (let length: u32 = 1; length <= tableBits; length++) {
    const half: usize = 4 << <usize>(length - 1);
    memory.copy(table + half, table, half);
    for (let count = <u32>load<u16>(code + (<usize>length << 1)); count; count--) {
      const symbol = <usize>load<u16>(code + SYMBOLS + (index++ << 1));
      store<u32>(table + (<usize>word << 2), withCode(load<u32>(entries + (symbol << 2)), length));
      const next = codeAfter(word, length);
      if (next == word) return <u32>index;
      word = next;
    }
  }
  // the rest are prefixes of longer codes, of which the first is `word`
  let longer: u32 = 0;
  for (let length: usize = tableBits + 1; length < 16; length++) longer |= <u32>load<u16>(code + (length << 1));
  for (let before: u32 = 0; longer; before++) {
    store<u32>(table + (<usize>word << 2), KIND_LONG | (before << 16));
    const next = codeAfter(word, tableBits);
    if (next == word) break;
    word = next;
  }
  return <u32>index;
}

/**
 * Where a literal's code leaves bits for what comes next, and that is literals too, one entry takes all of
 * them: `joined` is made of each literal of SINGLES before the entries of `next` where they fit, else before
 * SINGLES.
 */
function joinLiterals(next: usize, joined: usize, tableBits: u32): void {
  memory.copy(joined, SINGLES, 4 << <usize>tableBits);
  let word: u32 = 0;
  let index: usize = 0;
  for (let length: u32 = 1; length < tableBits; length++) {
    for (let count = <u32>load<u16>(<usize>LITERAL_CODE + (<usize>length << 1)); count; count--) {
      if (load<u16>(<usize>LITERAL_CODE + SYMBOLS + (index++ << 1)) < 256) {
        joinBehind(word, length, next, joined, tableBits);
      }
      const after = codeAfter(word, length);
      if (after == word) return;
      word = after;
    }
  }
}

/** Joins the literal with code `word` and all that may follow. */
// @ts-ignore: decorator
@inline function joinBehind(word: u32, length: u32, next: usize, joined: usize, tableBits: u32): void {
  const first = i32x4.splat(load<u32>(<usize>SINGLES + (<usize>word << 2)));
  const room = i32x4.splat(tableBits - length);
  const step: usize = 4 << <usize>length;
  const size: usize = 4 << <usize>(tableBits - length);
  let to = joined + (<usize>word << 2);
  if (size < 16) {
    // two entries, less than a vector: at most one literal after the other
    const both = joinFour(first, v128.load64_zero(SINGLES), v128.load64_zero(SINGLES), room);
    v128.store_lane<u32>(to, both, 0);
    v128.store_lane<u32>(to + step, both, 1);
    return;
  }
  for (let at: usize = 0; at < size; at += 16) {
    const four = joinFour(first, v128.load(next + at), v128.load(<usize>SINGLES + at), room);
    v128.store_lane<u32>(to, four, 0);
    v128.store_lane<u32>(to + step, four, 1);
    to += step << 1;
    v128.store_lane<u32>(to, four, 2);
    v128.store_lane<u32>(to + step, four, 3);
    to += step << 1;
  }
}

/** `first` with the literals of `long` if they fit the bits left, else of `short`, else alone. */
// @ts-ignore: decorator
@inline function joinFour(first: v128, long: v128, short: v128, room: v128): v128 {
  const usedBits = i32x4.splat(63);
  const second = v128.bitselect(long, short, i32x4.le_s(v128.and(long, usedBits), room));
  const fits = v128.and(
    i32x4.le_s(v128.and(second, usedBits), room),
    i32x4.ne(v128.and(second, i32x4.splat(LITERAL_COUNT)), i32x4.splat(0)),
  );
  const bytes = i32x4.shl(v128.and(second, i32x4.splat(0xffff00)), 8);
  return i32x4.add(first, v128.and(i32x4.add(bytes, v128.and(second, i32x4.splat(0xff))), fits));
}

/** If a length's code and extra bits leave room for its distance's code, one entry contains both. */
function joinDistances(tableBits: u32): void {
  let word: u32 = 0;
  let index: usize = 0;
  for (let length: u32 = 1; length < tableBits; length++) {
    for (let count = <u32>load<u16>(<usize>LITERAL_CODE + (<usize>length << 1)); count; count--) {
      const symbol = <usize>load<u16>(<usize>LITERAL_CODE + SYMBOLS + (index++ << 1));
      const entry = load<u32>(<usize>LITERAL_ENTRIES + (symbol << 2));
      if (!isLiteral(entry) && (entry & KIND) == KIND_LENGTH) {
        const extra = entry & 63;
        const used = length + extra;
        for (let i: u32 = 0; used < tableBits && i < 1 << extra; i++) {
          joinDistance(word | (i << length), used, (entry >> 16) + i, withCode(entry, length), tableBits);
        }
      }
      const after = codeAfter(word, length);
      if (after == word) return;
      word = after;
    }
  }
}

/** Joins `size`, with `used` bits that begin with `word`, and all its distances; else `alone`. */
// @ts-ignore: decorator
@inline function joinDistance(word: u32, used: u32, size: u32, alone: u32, tableBits: u32): void {
  const room = tableBits - used;
  const most = i32x4.splat((room + SPARE) << 10);
  const first = i32x4.splat((size << 20) + (used << 10) + used);
  const rest = i32x4.splat(alone);
  const step: usize = 4 << <usize>used;
  const end: usize = 4 << <usize>room;
  // for shorter codes the table has fewer entries, and they repeat
  const wrap: usize = (4 << <usize>distanceBits) - 1;
  let to = <usize>LITERALS + (<usize>word << 2);
  if (end < 16 || wrap < 15) {
    for (let at: usize = 0; at < end; at += 4) {
      const one = joinFourDistances(i32x4.splat(load<u32>(<usize>DISTANCES + (at & wrap))), most, first, rest);
      v128.store_lane<u32>(to, one, 0);
      to += step;
    }
    return;
  }
  for (let at: usize = 0; at < end; at += 16) {
    const four = joinFourDistances(v128.load(<usize>DISTANCES + (at & wrap)), most, first, rest);
    v128.store_lane<u32>(to, four, 0);
    v128.store_lane<u32>(to + step, four, 1);
    to += step << 1;
    v128.store_lane<u32>(to, four, 2);
    v128.store_lane<u32>(to + step, four, 3);
    to += step << 1;
  }
}

/** `first` with distances whose codes have at most `most` bits, otherwise `alone`. */
// @ts-ignore: decorator
@inline function joinFourDistances(distances: v128, most: v128, first: v128, alone: v128): v128 {
  const fits = v128.and(
    i32x4.le_s(v128.and(distances, i32x4.splat(31 << 10)), most),
    i32x4.eq(v128.and(distances, i32x4.splat(KIND)), i32x4.splat(0)),
  );
  return v128.bitselect(i32x4.add(first, distances), alone, fits);
}

/** Builds the code length code from CODE_LENGTHS, u16: symbol << 3 | bits used. Returns its bits or 0. */
export function buildPrecode(): u32 {
  const tableBits = sortCode(PRECODE_CODE, CODE_LENGTHS, 19, false);
  let word: u32 = 0;
  let index: usize = 0;
  for (let length: u32 = 1; length <= tableBits; length++) {
    for (let count = <u32>load<u16>(<usize>PRECODE_CODE + (<usize>length << 1)); count; count--) {
      const symbol = <u32>load<u16>(<usize>PRECODE_CODE + SYMBOLS + (index++ << 1));
      const entry = <u16>((symbol << 3) | length);
      for (let i = word; i < 1 << tableBits; i += 1 << length) store<u16>(<usize>PRECODE + (<usize>i << 1), entry);
      word = codeAfter(word, length);
    }
  }
  return tableBits;
}

/** Builds the codes with lengths at CODE_LENGTHS, distances after literals. False if they are invalid. */
export function buildCodes(literals: usize, distances: usize): bool {
  isFixed = false;
  if (load<u8>(<usize>CODE_LENGTHS + 256) == 0) return false;
  const longestLiteral = sortCode(LITERAL_CODE, CODE_LENGTHS, literals, true);
  const longestDistance = sortCode(DISTANCE_CODE, <usize>CODE_LENGTHS + literals, distances, true);
  if (longestLiteral == 0 || longestDistance == 0) return false;
  literalBits = min<u32>(longestLiteral, TABLE_BITS);
  distanceBits = min<u32>(longestDistance, DISTANCE_BITS);
  shortDistances = fillTable(DISTANCES, distanceBits, DISTANCE_CODE, DISTANCE_ENTRIES);
  let share: u32 = 0;
  for (let i: usize = 0; i < 256; i++) {
    const length = <u32>load<u8>(<usize>CODE_LENGTHS + i);
    share += length ? 32768 >> length : 0;
  }
  if (share < JOINED_SHARE) {
    shortLiterals = fillTable(LITERALS, literalBits, LITERAL_CODE, LITERAL_ENTRIES);
  } else {
    shortLiterals = fillTable(SINGLES, literalBits, LITERAL_CODE, LITERAL_ENTRIES);
    joinLiterals(SINGLES, PAIRS, literalBits);
    joinLiterals(PAIRS, LITERALS, literalBits);
  }
  joinDistances(literalBits);
  return true;
}

/** Before the first block of a picture. */
export function forgetCodes(): void {
  isFixed = false;
}

/** The fixed codes (RFC 1951, 3.2.6). */
export function buildFixed(): void {
  if (isFixed) return;
  memory.fill(CODE_LENGTHS, 8, 144);
  memory.fill(<usize>CODE_LENGTHS + 144, 9, 112);
  memory.fill(<usize>CODE_LENGTHS + 256, 7, 24);
  memory.fill(<usize>CODE_LENGTHS + 280, 8, 8);
  memory.fill(<usize>CODE_LENGTHS + 288, 5, 32);
  buildCodes(288, 32);
  isFixed = true;
}

/**
 * The entry of a code whose beginning has the entry `beginning`, given the bits behind that, found bit by bit
 * (RFC 1951, 3.2.2): among the codes of each length the next one's place is twice what is left, and a bit.
 */
function findLong(beginning: u32, rest: u32, tableBits: u32, index: u32, code: usize, entries: usize): u32 {
  let left = beginning >> 16;
  for (let length = tableBits + 1; length < 16; length++) {
    left = (left << 1) | (rest & 1);
    rest >>= 1;
    const count = <u32>load<u16>(code + (<usize>length << 1));
    if (left < count) {
      const symbol = <usize>load<u16>(code + SYMBOLS + (<usize>(index + left) << 1));
      return withCode(load<u32>(entries + (symbol << 2)), length);
    }
    index += count;
    left -= count;
  }
  return KIND_INVALID;
}

/** The entry of a literal or length with a long code, from the entry of its first bits, and the next. */
export function findLongLiteral(beginning: u32, word: u64): u32 {
  const rest = <u32>(word >> <u64>(literalBits + SPARE));
  return findLong(beginning, rest, literalBits, shortLiterals, LITERAL_CODE, LITERAL_ENTRIES);
}

/** The same for a distance. */
export function findLongDistance(beginning: u32, word: u64): u32 {
  const rest = <u32>(word >> <u64>(distanceBits + SPARE));
  return findLong(beginning, rest, distanceBits, shortDistances, DISTANCE_CODE, DISTANCE_ENTRIES);
}
