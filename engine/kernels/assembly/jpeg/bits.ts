// The bit reader and the Huffman tables of the JPEG decoder.
//
// A scan's bytes are stored unstuffed and reversed, so that one little-endian 64-bit load gives big-endian
// bits (WebAssembly has no byte swap). The reader keeps up to 63 bits, left aligned, in `buffer`; `count` of
// them are valid and `next` is the address of the load that follows. A load that runs past the end reads what
// lies below the data, which is zero or older data, never outside the module's memory: the caller compares
// the bits used with the bits there were, block by block.

/** Bits of the direct look-up, except for sequential AC. Longer codes are found by their limits. */
export const LOOKUP_BITS: i32 = 10;

export let next: usize = 0;
export let buffer: u64 = 0;
export let count: i32 = 0;
/** the first fault of a scan, see the codes in jpeg-decoder.ts */
export let fault: i32 = 0;

export function setReader(newNext: usize, newBuffer: u64, newCount: i32): void {
  next = newNext;
  buffer = newBuffer;
  count = newCount;
}

export function setFault(code: i32): void {
  fault = code;
}

/** Bits used since the segment began at `top` (its first byte is at top - 1). */
export function bitsUsed(top: i64): i64 {
  return (top - 8 - <i64>next) * 8 - <i64>count;
}

// ---- places ----

/** The read position of a progressive scan: see `bitsAt`. */
export let place: u64 = 0;

export function setPlace(at: u64): void {
  place = at;
}

/** Continues at the reader's position. */
export function takePlace(): void {
  place = (<u64>next << 3) + 8 + <u64>count;
}

/** Moves the reader to the position. */
export function leavePlace(): void {
  setReader(<usize>(place >> 3) - 7, bitsAt(place) & ~255, 48 + (<i32>place & 7));
}

/** At least 56 bits from `at` on, then others; `at` is the number of a bit in memory, minus 55. */
// @ts-ignore: decorator
@inline export function bitsAt(at: u64): u64 {
  return rotr<u64>(load<u64>(<usize>(at >> 3)), at | ~7);
}

// ---- segments ----

let segmentTotal: i32 = 0;
let markerAt: usize = 0;
let marker: i32 = 0;

export function segments(): i32 {
  return segmentTotal;
}
/** Address after the FF of the marker that ended the scan. */
export function markerAddress(): usize {
  return markerAt;
}
/** The marker's code, 0 if the data ended without one. */
export function markerCode(): i32 {
  return marker;
}

/**
 * Copies a scan from `source`..`end` downwards from `target`, without stuffed zeros, one segment after each
 * restart marker. `table` gets two u32 for each segment: where it begins (top) and ends (bottom). Below the
 * last one are UNSTUFFED_GAP zero bytes. Stops at any other marker. Returns the number of segments, -1 where
 * restart markers are out of order or too many (more than `maxSegments`).
 */
export function unstuff(source: usize, end: usize, target: usize, table: usize, maxSegments: i32): i32 {
  const ff = i8x16.splat(-1);
  let top = target;
  segmentTotal = 0;
  marker = 0;
  markerAt = end;
  while (source < end) {
    const bytes = v128.load(source);
    const found = i8x16.bitmask(i8x16.eq(bytes, ff));
    v128.store(target - 16, i8x16.shuffle(bytes, bytes, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    if (found == 0) {
      source += 16;
      target -= 16;
      continue;
    }
    const length = <usize>ctz<i32>(found) + 1;
    source += length;
    target -= length;
    if (source >= end) {
      target++; // the FF is the last byte, or follows it
      break;
    }
    let code = load<u8>(source);
    if (code == 0) {
      source++;
      continue;
    }
    target++;
    while (code == 255 && source < end) {
      source++;
      code = source < end ? load<u8>(source) : 0;
    }
    if (source >= end) break;
    if (code >= 0xd0 && code <= 0xd7) {
      // one more than the picture's intervals ends the scan like other markers
      if (segmentTotal + 1 >= maxSegments) {
        markerAt = source;
        marker = code;
        break;
      }
      if ((code & 7) != (segmentTotal & 7)) return -1;
      endSegment(table, top, target);
      top = target;
      source++;
      continue;
    }
    marker = code;
    markerAt = source;
    break;
  }
  if (source > end && target < top) {
    // the last load of 16 went past the end
    target += source - end;
    if (target > top) target = top;
  }
  endSegment(table, top, target);
  v128.store(target - 16, i64x2.splat(0));
  v128.store(target - 32, i64x2.splat(0));
  return segmentTotal;
}

function endSegment(table: usize, top: usize, bottom: usize): void {
  const entry = table + (<usize>segmentTotal << 3);
  store<u32>(entry, <u32>top);
  store<u32>(entry, <u32>bottom, 4);
  segmentTotal++;
}

// ---- Huffman tables ----
//
// Every table begins with what longer codes need:
//     0  limits u32[17]: the first code of 16 bits that is longer than this length
//    72  value offsets i32[17]
//   144  values u8[256]
// At LOOKUP follow 1,024 entries for the next 10 bits: u32 of a DC table, u64 of the AC table of a
// progressive scan, u16 of that of a refinement scan. DC entry: length of the code and the value |
// value << 16; where the value does not fit, length of the code << 8 | category << 16; 0 where the code is
// longer. AC entry: bits 0-7 length of all that it decodes, 8-15 length of the first symbol alone, 16-23
// run + 1 of the first (128 = end of block, 0 = sixteen zeros, or not all of it fits: 32-47 is then the
// symbol, if the length is not 0), 24-31 run + 1 of the second (0 = none), 32-47 and 48-63 their
// values. Entry of a refinement: 64 - length of the code | zeros before the coefficient << 8; NOT_ONE for
// these zeros where the block ends, and without the length for all else.
//
// The AC table of a sequential scan looks 12 bits up, for up to three symbols. LENGTHS, u8[4096], is what
// moves the next look-up on: small, so that it stays in the processor's first cache. TRIPLES, u64[4096], is
// what they mean, and may come late. Bits 0-7 run + 1 of the first (0 = not all of it fits: 24-31 is the
// code's length or 0, 32-47 the symbol), 8-15 of two, 16-23 of three together, 128 more where one is the end
// of the block; 24-27 length of the first, 28-31 of two; 32-47 the first value, 48-55 the second, 56-63 the
// third. What is not there repeats the one before.

export const LOOKUP: usize = 512;
const VALUE_OFFSETS: usize = 72;
const VALUES: usize = 144;
export const LENGTHS: usize = LOOKUP;
export const TRIPLES: usize = LENGTHS + 4096;
export const TRIPLE_BITS: i32 = 12;
/** The number of zeros in a refinement entry if no coefficient becomes one or minus one. */
export const NOT_ONE: i32 = 80;
const ENTRIES: u32 = 1 << LOOKUP_BITS;
const TRIPLE_ENTRIES: u32 = 1 << TRIPLE_BITS;

/**
 * Builds a table from `counts` (16 bytes) and `values`. `kind`: 0 DC, 1 AC of a sequential scan, 2 AC of the
 * first scan of a band, whose symbols of size 0 are runs of blocks, 3 AC of a refinement scan. Returns 0, or
 * -1 for an invalid table.
 */
export function buildTable(table: usize, counts: usize, values: usize, kind: i32): i32 {
  let code: u32 = 0;
  let index: u32 = 0;
  if (kind == 0) memory.fill(table + LOOKUP, 0, ENTRIES << 2);
  else if (kind == 1) memory.fill(table + LENGTHS, 0, TRIPLE_ENTRIES * 9);
  else if (kind == 2) memory.fill(table + LOOKUP, 0, ENTRIES << 3);
  else {
    for (let at: u32 = 0; at < ENTRIES; at++) store<u16>(table + LOOKUP + (at << 1), <u16>(NOT_ONE << 8));
  }
  const bits = kind == 1 ? TRIPLE_BITS : LOOKUP_BITS;
  for (let length: i32 = 1; length <= 16; length++) {
    const total: u32 = load<u8>(counts + <usize>length - 1);
    // T.81 C.2: no code is all ones.
    if (code + total >= 1 << length) return -1;
    store<i32>(table + VALUE_OFFSETS + (<usize>length << 2), <i32>index - <i32>code);
    for (let i: u32 = 0; i < total; i++, index++, code++) {
      const symbol: i32 = load<u8>(values + <usize>index);
      store<u8>(table + VALUES + <usize>index, <u8>symbol);
      if (kind == 0 && symbol > 15) return -1;
      if (length > bits) continue;
      const spare = bits - length;
      const first = <usize>(code << spare);
      for (let fill: u32 = 0; fill < 1 << spare; fill++) {
        const at = first | <usize>fill;
        if (kind == 0) store<u32>(table + LOOKUP + (at << 2), dcEntry(symbol, length, spare, <i32>fill));
        else if (kind == 1) firstOfThree(table, at, symbol, length, spare, <i32>fill);
        else if (kind == 2) store<u64>(table + LOOKUP + (at << 3), firstSymbol(symbol, length, spare, <i32>fill));
        else if (symbol == 0 || (symbol & 15) == 1) store<u16>(table + LOOKUP + (at << 1), refinedEntry(symbol, length));
      }
    }
    store<u32>(table + (<usize>length << 2), code << (16 - length));
    code <<= 1;
  }
  if (kind == 1) addMoreSymbols(table);
  if (kind == 2) addSecondSymbols(table);
  return 0;
}

/** The value of the `size` bits that follow a code in the `spare` bits of `fill`. */
function valueOf(size: i32, spare: i32, fill: i32): i32 {
  const bits = (fill >> (spare - size)) & ((1 << size) - 1);
  return size == 0 || bits >= 1 << (size - 1) ? bits : bits - (1 << size) + 1;
}

/** The entry of a category; `fill` contains the `spare` bits after its code. */
function dcEntry(size: i32, length: i32, spare: i32, fill: i32): u32 {
  if (size > spare) return <u32>((length << 8) | (size << 16));
  return <u32>((length + size) | (valueOf(size, spare, fill) << 16));
}

/** The entry of a block's end or of a coefficient of a refinement scan. */
function refinedEntry(symbol: i32, length: i32): u16 {
  return <u16>(((symbol ? symbol >> 4 : NOT_ONE) << 8) | (64 - length));
}

/** The entry of one symbol of a progressive scan. */
function firstSymbol(symbol: i32, length: i32, spare: i32, fill: i32): u64 {
  const size = symbol & 15;
  if (size == 0) {
    if (symbol != 0) return <u64>(length << 8) | (<u64>symbol << 32);
    return <u64>(length | (length << 8) | (128 << 16));
  }
  if (size > spare) return <u64>(length << 8) | (<u64>symbol << 32);
  const value = <u64>(valueOf(size, spare, fill) & 0xffff);
  const both = length + size;
  return <u64>(both | (both << 8) | (((symbol >> 4) + 1) << 16)) | (value << 32) | (value << 48);
}

/**
 * Adds a second symbol to every entry that has room for it: read from another entry, of which only the first
 * symbol is used, which does not change.
 */
function addSecondSymbols(table: usize): void {
  for (let i: i32 = <i32>ENTRIES - 1; i >= 0; i--) {
    const at = table + LOOKUP + (<usize>i << 3);
    const first = load<u64>(at);
    const run = <i32>(first >> 16) & 255;
    if (run == 0 || run == 128) continue;
    const length = <i32>(first >> 8) & 255;
    const second = load<u64>(table + LOOKUP + (<usize>((i << length) & (<i32>ENTRIES - 1)) << 3));
    const secondRun = <i32>(second >> 16) & 255;
    const secondLength = <i32>(second >> 8) & 255;
    if (secondRun == 0 || length + secondLength > LOOKUP_BITS) continue;
    const kept = first & 0x0000ffff00ffff00;
    store<u64>(at, kept | <u64>(length + secondLength) | (<u64>secondRun << 24) | ((second >> 32) << 48));
  }
}

/** The entry of one symbol of a sequential scan. */
// @ts-ignore: decorator
@inline function firstOfThree(table: usize, at: usize, symbol: i32, length: i32, spare: i32, fill: i32): void {
  const size = symbol & 15;
  if (size > spare) {
    store<u64>(table + TRIPLES + (at << 3), <u64>(length << 24) | (<u64>symbol << 32));
    return;
  }
  const run = size ? (symbol >> 4) + 1 : symbol == 0xf0 ? 16 : 128;
  const value = <u64>(valueOf(size, spare, fill) & 0xffff);
  const all = <u32>(length + size);
  store<u8>(table + LENGTHS + at, <u8>all);
  store<u64>(table + TRIPLES + (at << 3), <u64>(<u32>(run * 0x010101) | (all << 24) | (all << 28)) | (value << 32));
}

/**
 * Adds a second and a third symbol to every entry that has room for them: read from other entries, of which
 * only the first symbol is used, which does not change.
 */
function addMoreSymbols(table: usize): void {
  for (let i: u32 = 0; i < TRIPLE_ENTRIES; i++) {
    const at = table + TRIPLES + (<usize>i << 3);
    let entry = load<u64>(at);
    let run = <u32>entry & 255;
    if (run == 0 || run == 128) continue;
    const length = <u32>(entry >> 24) & 15;
    const second = load<u64>(table + TRIPLES + (<usize>((i << length) & (TRIPLE_ENTRIES - 1)) << 3));
    const secondRun = <u32>second & 255;
    const two = length + (<u32>(second >> 24) & 15);
    const secondValue = <i32><i16>(second >> 32);
    if (secondRun == 0 || two > <u32>TRIPLE_BITS || secondValue != <i32><i8>secondValue) continue;
    run += secondRun;
    entry = (entry & 0x0000ffff0f0000ff) | <u64>((run * 0x0100) | (run * 0x010000) | (two << 28)) | (<u64>(secondValue & 255) * 0x0101000000000000);
    let all = two;
    if (secondRun != 128) {
      const third = load<u64>(table + TRIPLES + (<usize>((i << two) & (TRIPLE_ENTRIES - 1)) << 3));
      const thirdRun = <u32>third & 255;
      const three = two + (<u32>(third >> 24) & 15);
      const thirdValue = <i32><i16>(third >> 32);
      if (thirdRun != 0 && three <= <u32>TRIPLE_BITS && thirdValue == <i32><i8>thirdValue) {
        run += thirdRun;
        all = three;
        entry = (entry & 0x00ffffffff00ffff) | <u64>(run << 16) | (<u64>(thirdValue & 255) << 56);
      }
    }
    store<u64>(at, entry);
    store<u8>(table + LENGTHS + <usize>i, <u8>all);
  }
}

/** A code longer than the look-up: symbol << 8 | length, or -1 if no code begins this way. */
export function longCode(table: usize, bits: u64, lookupBits: i32): i32 {
  const code = <u32>(bits >> 48);
  for (let length: i32 = lookupBits + 1; length <= 16; length++) {
    if (code >= load<u32>(table + (<usize>length << 2))) continue;
    const at = load<i32>(table + VALUE_OFFSETS + (<usize>length << 2)) + <i32>(code >> (16 - length));
    return (<i32>load<u8>(table + VALUES + <usize>(at & 255)) << 8) | length;
  }
  return -1;
}

/** The value of `size` bits at the top of `bits`, sign extended as T.81 figure F.12 says; 0 for size 0. */
// @ts-ignore: decorator
@inline export function extend(bits: u64, size: i32): i32 {
  return <i32>((bits >> 1) >> <u64>(63 - size)) + (<i32>(~(<i64>bits >> 63)) & (1 - (1 << size)));
}
