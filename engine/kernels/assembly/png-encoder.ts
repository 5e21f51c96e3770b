// PNG rows of RGB bytes: filters, Adler-32 sums, and one Huffman block of literals and zero runs; splicing of
// such streams.
// Runs are matches at distance 1, so no token refers further back than a byte, and a stream may be cut
// wherever the encoder was told to stop. The reference is engine/test/reference/png-reference.ts.
// The caller owns all memory. A row has 16 zero bytes before it and 16 readable bytes after it. The tables
// block: png/layout.ts.

import { LITERAL_COUNTS, MATCH_COUNTS, MATCHES, PAIRS } from './png/layout.ts';

/** First byte of memory not used by the module itself. */
export function heapBase(): usize {
  return __heap_base;
}

// ---- the bit writer: least significant bit first; fewer than 8 bits wait between calls ----
let bitBuffer: u64 = 0;
let bitCount: u64 = 0;
let outputAt: usize = 0;
let outputStart: usize = 0;

export function startStream(output: usize): void {
  bitBuffer = 0;
  bitCount = 0;
  outputAt = output;
  outputStart = output;
}

/** Bits written since the stream began. */
export function bitPosition(): u32 {
  return (<u32>(outputAt - outputStart) << 3) + <u32>bitCount;
}

/** Pads with zeros to a whole byte and returns the stream's length in bytes. */
export function finishStream(): usize {
  if (bitCount) {
    store<u8>(outputAt, <u8>bitBuffer);
    outputAt++;
  }
  bitBuffer = 0;
  bitCount = 0;
  return outputAt - outputStart;
}

/** Appends the low `length` bits (at most 32) of `bits`. */
export function putBits(bits: u32, length: u32): void {
  bitBuffer |= <u64>bits << bitCount;
  bitCount += <u64>length;
  store<u64>(outputAt, bitBuffer);
  outputAt += <usize>(bitCount >> 3);
  bitBuffer >>= bitCount & 56;
  bitCount &= 7;
}

// ---- filters ----

// The average rounded down: avgr_u rounds up.
// @ts-ignore: decorator
@inline function average(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), i8x16.splat(1)));
}
// The one of left, above and above-left closest to left + above - above-left, ties in that order. |p -
// aboveLeft| is the sum of the other two distances if they have the same sign, otherwise their difference.
// @ts-ignore: decorator
@inline function paeth(left: v128, above: v128, aboveLeft: v128): v128 {
  const highAbove = i8x16.max_u(above, aboveLeft), highLeft = i8x16.max_u(left, aboveLeft);
  const toLeft = i8x16.sub(highAbove, i8x16.min_u(above, aboveLeft));
  const toAbove = i8x16.sub(highLeft, i8x16.min_u(left, aboveLeft));
  const same = i8x16.eq(i8x16.eq(highAbove, above), i8x16.eq(highLeft, left));
  const apart = i8x16.sub(i8x16.max_u(toLeft, toAbove), i8x16.min_u(toLeft, toAbove));
  const toAboveLeft = v128.bitselect(i8x16.add_sat_u(toLeft, toAbove), apart, same);
  const least = i8x16.min_u(i8x16.min_u(toLeft, toAbove), toAboveLeft);
  return v128.bitselect(left, v128.bitselect(above, aboveLeft, i8x16.eq(least, toAbove)), i8x16.eq(least, toLeft));
}

/**
 * Residuals of `size` bytes at `row` with filter 0..4; `above` are the same bytes of the row above. Writes up
 * to 15 bytes more.
 */
export function filterBytes(filter: i32, row: usize, above: usize, output: usize, size: i32): void {
  const end = row + <usize>size;
  if (filter == 0) {
    memory.copy(output, row, <usize>size);
  } else if (filter == 1) {
    for (; row < end; row += 16, output += 16) v128.store(output, i8x16.sub(v128.load(row), v128.load(row - 3)));
  } else if (filter == 2) {
    for (; row < end; row += 16, above += 16, output += 16) v128.store(output, i8x16.sub(v128.load(row), v128.load(above)));
  } else if (filter == 3) {
    for (; row < end; row += 16, above += 16, output += 16) {
      v128.store(output, i8x16.sub(v128.load(row), average(v128.load(row - 3), v128.load(above))));
    }
  } else {
    for (; row < end; row += 16, above += 16, output += 16) {
      v128.store(output, i8x16.sub(v128.load(row), paeth(v128.load(row - 3), v128.load(above), v128.load(above - 3))));
    }
  }
}

// @ts-ignore: decorator
@inline function addMagnitudes(sums: v128, residuals: v128): v128 {
  return i16x8.add(sums, i16x8.extadd_pairwise_i8x16_u(i8x16.abs(residuals)));
}
// @ts-ignore: decorator
@inline function total(sums: v128): u32 {
  const wide = i32x4.extadd_pairwise_i16x8_u(sums);
  return i32x4.extract_lane(wide, 0) + i32x4.extract_lane(wide, 1) + i32x4.extract_lane(wide, 2) + i32x4.extract_lane(wide, 3);
}

/** The filter from 1 to 4 with the least sum of |residual| over every fourth 16 bytes; ties: the first. */
export function chooseFilter(row: usize, above: usize, size: i32): i32 {
  let left: u32 = 0, up: u32 = 0, middle: u32 = 0, nearest: u32 = 0;
  const end = row + <usize>size;
  while (row + 16 <= end) {
    // 64 groups at most before the 16-bit sums could overflow.
    const stop = min<usize>(end, row + 64 * 64);
    let s1 = i16x8.splat(0), s2 = s1, s3 = s1, s4 = s1;
    for (; row + 16 <= stop; row += 64, above += 64) {
      const x = v128.load(row), a = v128.load(row - 3), b = v128.load(above), c = v128.load(above - 3);
      s1 = addMagnitudes(s1, i8x16.sub(x, a));
      s2 = addMagnitudes(s2, i8x16.sub(x, b));
      s3 = addMagnitudes(s3, i8x16.sub(x, average(a, b)));
      s4 = addMagnitudes(s4, i8x16.sub(x, paeth(a, b, c)));
    }
    left += total(s1);
    up += total(s2);
    middle += total(s3);
    nearest += total(s4);
  }
  let filter = 1, least = left;
  if (up < least) { least = up; filter = 2; }
  if (middle < least) { least = middle; filter = 3; }
  if (nearest < least) filter = 4;
  return filter;
}

// ---- Adler-32 ----

let plainSum: u32 = 0;
let weightedSum: u32 = 0;

export function adlerPlain(): u32 {
  return plainSum;
}
export function adlerWeighted(): u32 {
  return weightedSum;
}

/**
 * Sums of `size` (at most 4096) bytes: plain, and each weighted by its distance to the end (last byte: 1).
 */
export function sumBytes(at: usize, size: i32): void {
  let sums = i32x4.splat(0), earlier = i32x4.splat(0), weighted = i32x4.splat(0);
  const end = at + <usize>(size & ~15);
  const high = i16x8(16, 15, 14, 13, 12, 11, 10, 9), low = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  for (; at < end; at += 16) {
    const bytes = v128.load(at);
    earlier = i32x4.add(earlier, sums);
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
    weighted = i32x4.add(weighted, i32x4.add(
      i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), high),
      i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), low),
    ));
  }
  weighted = i32x4.add(weighted, i32x4.shl(earlier, 4));
  let plain: u32 = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  let byDistance: u32 = i32x4.extract_lane(weighted, 0) + i32x4.extract_lane(weighted, 1) + i32x4.extract_lane(weighted, 2) + i32x4.extract_lane(weighted, 3);
  for (let rest = size & 15; rest > 0; rest--, at++) {
    plain += load<u8>(at);
    byDistance += plain;
  }
  plainSum = plain;
  weightedSum = byDistance;
}

// ---- tokens ----

/** The end of the run of zeros at `at`, at most `end`. */
// @ts-ignore: decorator
@inline function endOfZeros(at: usize, end: usize): usize {
  while (at + 8 <= end && load<u64>(at) == 0) at += 8;
  while (at < end && load<u8>(at) == 0) at++;
  return at;
}
/** The next match of a run with `left` (3 or more) bytes to go: never leaves 1 or 2. */
// @ts-ignore: decorator
@inline function matchLength(left: i32): i32 {
  return min<i32>(left, left == 259 || left == 260 ? 255 : 258);
}

export function buildPairs(tables: usize): void {
  let pair = tables + PAIRS;
  for (let second: usize = 0; second < 256; second++) {
    const b = load<u32>(tables + (second << 2));
    for (let first: usize = 0; first < 256; first++) {
      const a = load<u32>(tables + (first << 2)), length = a & 31;
      store<u32>(pair, (((a >> 5) | ((b >> 5) << length)) << 5) | (length + (b & 31)));
      pair += 4;
    }
  }
}

/** Writes `size` bytes: runs of 8 or more zeros as a literal zero and matches, others as literals. */
export function encodeBytes(tables: usize, at: usize, size: i32): void {
  let buffer = bitBuffer, count = bitCount, out = outputAt;
  const end = at + <usize>size, pairs = tables + PAIRS;
  while (at + 8 <= end) {
    const word = load<u64>(at);
    if (word == 0) {
      const stop = endOfZeros(at + 8, end);
      let left = <i32>(stop - at) - 1;
      let entry = load<u32>(tables);
      buffer |= <u64>(entry >> 5) << count;
      count += <u64>(entry & 31);
      store<u64>(out, buffer);
      out += <usize>(count >> 3);
      buffer >>= count & 56;
      count &= 7;
      while (left >= 3) {
        const length = matchLength(left);
        entry = load<u32>(tables + (<usize>length << 2), MATCHES);
        left -= length;
        buffer |= <u64>(entry >> 5) << count;
        count += <u64>(entry & 31);
        store<u64>(out, buffer);
        out += <usize>(count >> 3);
        buffer >>= count & 56;
        count &= 7;
      }
      at = stop;
      continue;
    }
    // A run may begin in this word's last bytes.
    const zeros = <usize>(clz<u64>(word) >> 3);
    if (zeros && at + 16 - zeros <= end && load<u64>(at + 8 - zeros) == 0) {
      for (const stop = at + 8 - zeros; at < stop; at++) {
        const entry = load<u32>(tables + (<usize>load<u8>(at) << 2));
        buffer |= <u64>(entry >> 5) << count;
        count += <u64>(entry & 31);
        store<u64>(out, buffer);
        out += <usize>(count >> 3);
        buffer >>= count & 56;
        count &= 7;
      }
      continue;
    }
    const low = <u32>word, high = <u32>(word >> 32);
    const p0 = load<u32>(pairs + (<usize>(low & 0xffff) << 2)), p1 = load<u32>(pairs + (<usize>(low >> 16) << 2));
    const p2 = load<u32>(pairs + (<usize>(high & 0xffff) << 2)), p3 = load<u32>(pairs + (<usize>(high >> 16) << 2));
    const l0 = <u64>(p0 & 31), l2 = <u64>(p2 & 31);
    buffer |= (<u64>(p0 >> 5) | (<u64>(p1 >> 5) << l0)) << count;
    count += l0 + <u64>(p1 & 31);
    store<u64>(out, buffer);
    out += <usize>(count >> 3);
    buffer >>= count & 56;
    count &= 7;
    buffer |= (<u64>(p2 >> 5) | (<u64>(p3 >> 5) << l2)) << count;
    count += l2 + <u64>(p3 & 31);
    store<u64>(out, buffer);
    out += <usize>(count >> 3);
    buffer >>= count & 56;
    count &= 7;
    at += 8;
  }
  for (; at < end; at++) {
    const entry = load<u32>(tables + (<usize>load<u8>(at) << 2));
    buffer |= <u64>(entry >> 5) << count;
    count += <u64>(entry & 31);
    store<u64>(out, buffer);
    out += <usize>(count >> 3);
    buffer >>= count & 56;
    count &= 7;
  }
  bitBuffer = buffer;
  bitCount = count;
  outputAt = out;
}

// @ts-ignore: decorator
@inline function countOne(at: usize): void { store<u32>(at, load<u32>(at) + 1); }

/** Adds the counts of what encodeBytes would write. */
export function countBytes(at: usize, size: i32, counts: usize): void {
  const end = at + <usize>size;
  while (at + 8 <= end) {
    const word = load<u64>(at);
    if (word == 0) {
      const stop = endOfZeros(at + 8, end);
      let left = <i32>(stop - at) - 1;
      countOne(counts + LITERAL_COUNTS);
      while (left >= 3) {
        const length = matchLength(left);
        left -= length;
        countOne(counts + MATCH_COUNTS + (<usize>length << 2));
      }
      at = stop;
      continue;
    }
    const zeros = <usize>(clz<u64>(word) >> 3);
    const stop = zeros && at + 16 - zeros <= end && load<u64>(at + 8 - zeros) == 0 ? at + 8 - zeros : at + 8;
    for (; at < stop; at++) countOne(counts + LITERAL_COUNTS + (<usize>load<u8>(at) << 2));
  }
  for (; at < end; at++) countOne(counts + LITERAL_COUNTS + (<usize>load<u8>(at) << 2));
}

// ---- splicing ----

function appendFew(source: usize, position: u32, length: u32): void {
  while (length > 0) {
    const few = min<u32>(length, 32);
    const bits = (load<u64>(source + <usize>(position >> 3)) >> <u64>(position & 7)) & ((<u64>1 << <u64>few) - 1);
    putBits(<u32>bits, few);
    position += few;
    length -= few;
  }
}

/** Appends `length` bits of another stream, starting at bit `position`. Reads up to 17 bytes past it. */
export function appendBits(source: usize, position: u32, length: u32): void {
  if (length < 64) {
    appendFew(source, position, length);
    return;
  }
  const need = <u32>(8 - bitCount) & 7;
  if (need) {
    appendFew(source, position, need);
    position += need;
    length -= need;
  }
  const shift = <i32>(position & 7), bytes = <usize>(length >> 3);
  let from = source + <usize>(position >> 3), out = outputAt;
  if (shift == 0) {
    memory.copy(out, from, bytes);
  } else {
    const end = out + bytes, rest = 8 - shift;
    for (; out + 16 <= end; out += 16, from += 16) {
      v128.store(out, v128.or(i64x2.shr_u(v128.load(from), shift), i64x2.shl(v128.load(from, 1), rest)));
    }
    for (; out < end; out++, from++) store<u8>(out, <u8>(<u32>load<u16>(from) >> shift));
  }
  outputAt += bytes;
  appendFew(source, position + (<u32>bytes << 3), length & 7);
}

// ---- CRC-32, sixteen bytes at a time ----

/** Fills u32[16][256] at `tables`. */
export function buildCrcTables(tables: usize): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xedb88320 : crc >> 1;
    store<u32>(tables + (<usize>byte << 2), crc);
  }
  for (let slice: usize = 1; slice < 16; slice++) {
    for (let byte: usize = 0; byte < 256; byte++) {
      const before = load<u32>(tables + ((slice - 1) << 10) + (byte << 2));
      store<u32>(tables + (slice << 10) + (byte << 2), (before >> 8) ^ load<u32>(tables + (<usize>(before & 255) << 2)));
    }
  }
}

// @ts-ignore: decorator
@inline function crcWord(tables: usize, word: u32, slice: usize): u32 {
  return load<u32>(tables + ((slice + 3) << 10) + (<usize>(word & 255) << 2))
    ^ load<u32>(tables + ((slice + 2) << 10) + (<usize>((word >> 8) & 255) << 2))
    ^ load<u32>(tables + ((slice + 1) << 10) + (<usize>((word >> 16) & 255) << 2))
    ^ load<u32>(tables + (slice << 10) + (<usize>(word >> 24) << 2));
}

/** CRC-32 of `size` bytes, continuing from `crc` (initially 0). */
export function crc32(tables: usize, at: usize, size: usize, crc: u32): u32 {
  crc = ~crc;
  const end = at + size;
  for (; at + 16 <= end; at += 16) {
    crc = crcWord(tables, load<u32>(at) ^ crc, 12) ^ crcWord(tables, load<u32>(at, 4), 8)
      ^ crcWord(tables, load<u32>(at, 8), 4) ^ crcWord(tables, load<u32>(at, 12), 0);
  }
  for (; at < end; at++) crc = (crc >> 8) ^ load<u32>(tables + (<usize>((crc ^ load<u8>(at)) & 255) << 2));
  return ~crc;
}
