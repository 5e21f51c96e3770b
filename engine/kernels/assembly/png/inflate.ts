// DEFLATE (RFC 1951) that can stop wherever the output reaches a limit or a piece of input ends, and resume
// there.
// The input position is counted in bits, and the next bits are loaded from there: at least 57, of which the
// lowest two are already used, so that masked bits are the offset of a table entry. Entries: codes.ts.
// Except in the last piece, decoding stops LOOKAHEAD bytes before its end. Zeros follow the last one: a
// truncated stream is detected when more bits were used than exist.

import {
  CODE_LENGTHS, DISTANCES, FAULT_BLOCKS, FAULT_CUT, FAULT_STREAM, INPUT_LEAD, INPUT_TAIL, LITERALS, LOOKAHEAD, NEEDS_INPUT,
  PATTERNS, PRECODE, STEPS,
} from './records.ts';
import {
  buildCodes, buildFixed, buildPrecode, codeShift, distanceBits, distancesOf, findLongDistance, findLongLiteral,
  forgetCodes, isEnd, isLiteral, KIND, KIND_LENGTH, KIND_LONG, lengthOf, literalBits, SPARE,
} from './codes';
import { swizzle } from '../relaxed-vectors';

/** The order in which the lengths of the precode are written (RFC 1951, 3.2.7). */
const PRECODE_ORDER: StaticArray<u8> = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** the next bit: the address of its byte times 8, plus its number in the byte (memory is below 2^29 bytes) */
let place: u32 = 0;
let inputEnd: usize = 0;
/** symbols that begin after this position are not decoded yet */
let lastPlace: u32 = 0;
let isLastPiece: bool = false;
let output: usize = 0;
/** the first byte that a match may refer to */
let windowStart: usize = 0;

const BETWEEN: i32 = 0;
const STORED: i32 = 1;
const CODED: i32 = 2;
const DONE: i32 = 3;
let state: i32 = 0;
/** the stream's fault: nothing more of it is read */
let broken: i32 = 0;
let isLastBlock: bool = false;
let storedLeft: usize = 0;
let blocksLeft: i32 = 0;

/** Fills the patterns that short matches repeat. Once per instance. */
export function buildPatterns(): void {
  for (let distance: usize = 1; distance <= 16; distance++) {
    for (let i: usize = 0; i < 16; i++) store<u8>(<usize>PATTERNS + (distance << 4) + i - 16, <u8>(i % distance));
    store<u8>(<usize>STEPS + distance - 1, <u8>(16 - (16 % distance)));
  }
}

/** Begins a stream whose first piece will be at `at`. */
export function beginInflate(at: usize, to: usize, mostBlocks: i32): void {
  inputEnd = at + INPUT_LEAD;
  place = <u32>inputEnd << 3;
  lastPlace = 0;
  isLastPiece = false;
  output = to;
  windowStart = to;
  state = BETWEEN;
  broken = 0;
  isLastBlock = false;
  blocksLeft = mostBlocks;
  forgetCodes();
}

/** Moves the remaining input to the beginning of its memory. Returns the address of the next piece. */
export function moveInput(at: usize): usize {
  const from = <usize>(place >> 3);
  const left = inputEnd - from;
  memory.copy(at, from - INPUT_LEAD, left + INPUT_LEAD);
  place = (<u32>(at + INPUT_LEAD) << 3) | (place & 7);
  inputEnd = at + INPUT_LEAD + left;
  return inputEnd;
}

/** The input now ends at `end`. */
export function endInput(end: usize, isLast: bool): void {
  inputEnd = end;
  isLastPiece = isLast;
  memory.fill(end, 0, INPUT_TAIL);
  lastPlace = <u32>(isLast ? end : end - LOOKAHEAD) << 3;
}

/** The first byte of which no bit has been used. */
// @ts-ignore: decorator
@inline function inputAt(): usize {
  return <usize>((place + 7) >> 3);
}

export function inflateOutput(): usize {
  return output;
}

/** Notes that the output was moved down by `by` bytes. */
export function moveOutput(by: usize, start: usize): void {
  output -= by;
  windowStart = start;
}

/**
 * Inflates until `limit` is reached, or exceeded by less than 258 bytes (64 more are written), or the stream
 * ends. Returns 0, NEEDS_INPUT or a fault.
 */
export function inflateTo(limit: usize): i32 {
  if (broken) return broken;
  const found = inflate(limit);
  if (found != NEEDS_INPUT) broken = found;
  return found;
}

// @ts-ignore: decorator
@inline function inflate(limit: usize): i32 {
  while (output < limit && state != DONE) {
    if (place > lastPlace) return isLastPiece ? FAULT_CUT : NEEDS_INPUT;
    const before = output;
    if (state == BETWEEN) {
      if (!beginBlock()) return FAULT_STREAM;
      if (blocksLeft < 0) return FAULT_BLOCKS;
    } else if (state == STORED) {
      const from = inputAt();
      const size = min<usize>(min<usize>(storedLeft, limit - output), inputEnd - min<usize>(from, inputEnd));
      if (size == 0) return FAULT_STREAM;
      memory.copy(output, from, size);
      place += <u32>size << 3;
      output += size;
      storedLeft -= size;
      if (storedLeft == 0) endBlock();
    } else if (!decodeSymbols(limit)) return FAULT_STREAM;
    if (inputAt() > inputEnd) {
      // some of it was read from beyond the data
      output = before;
      return FAULT_CUT;
    }
  }
  return 0;
}

function endBlock(): void {
  state = isLastBlock ? DONE : BETWEEN;
}

/** The next bits, up to 16, without consuming them. */
// @ts-ignore: decorator
@inline function peek(count: u32): u32 {
  return (load<u32>(<usize>(place >> 3)) >> (place & 7)) & ((1 << count) - 1);
}

// @ts-ignore: decorator
@inline function take(count: u32): u32 {
  const value = peek(count);
  place += count;
  return value;
}

function beginBlock(): bool {
  blocksLeft--;
  isLastBlock = take(1) != 0;
  const kind = take(2);
  if (kind == 0) return beginStored();
  state = CODED;
  if (kind == 1) {
    buildFixed();
    return true;
  }
  return kind == 2 && readCodes();
}

function beginStored(): bool {
  // the rest of the byte
  const at = inputAt();
  const size = load<u16>(at);
  if (size != (load<u16>(at, 2) ^ 0xffff)) return false;
  place = <u32>(at + 4) << 3;
  storedLeft = size;
  state = STORED;
  if (size == 0) endBlock();
  return true;
}

/** The codes of a block (RFC 1951, 3.2.7). */
function readCodes(): bool {
  const literals = <usize>take(5) + 257;
  const distances = <usize>take(5) + 1;
  const precodes = <i32>take(4) + 4;
  if (literals > 286 || distances > 30) return false;
  memory.fill(CODE_LENGTHS, 0, 320);
  for (let i = 0; i < precodes; i++) {
    store<u8>(<usize>CODE_LENGTHS + <usize>PRECODE_ORDER[i], <u8>take(3));
  }
  const precodeBits = buildPrecode();
  if (precodeBits == 0) return false;
  memory.fill(CODE_LENGTHS, 0, 320);
  const all = literals + distances;
  let before: u8 = 0;
  for (let i: usize = 0; i < all; ) {
    const entry = <u32>load<u16>(<usize>peek(precodeBits) << 1, PRECODE);
    place += entry & 7;
    const symbol = entry >> 3;
    if (symbol < 16) {
      before = <u8>symbol;
      store<u8>(<usize>CODE_LENGTHS + i++, before);
      continue;
    }
    let count: usize;
    if (symbol == 16) {
      if (i == 0) return false;
      count = 3 + take(2);
    } else {
      before = 0;
      count = symbol == 17 ? 3 + take(3) : 11 + take(7);
    }
    if (count > all - i) return false;
    memory.fill(<usize>CODE_LENGTHS + i, before, count);
    i += count;
  }
  return buildCodes(literals, distances);
}

// ---- symbols ----

/** Copies `size` bytes from `distance` before, and up to 64 more. */
// @ts-ignore: decorator
@inline function copyMatch(at: usize, source: usize, distance: usize, end: usize): void {
  if (at + 16 >= end) {
    // most matches are short: no branch depends on their distance
    v128.store(at, swizzle(v128.load(source), v128.load(min<usize>(distance, 16) << 4, PATTERNS - 16)));
  } else if (distance >= 16) {
    v128.store(at, v128.load(source));
    v128.store(at, v128.load(source, 16), 16);
    for (at += 32, source += 32; at < end; at += 32, source += 32) {
      v128.store(at, v128.load(source));
      v128.store(at, v128.load(source, 16), 16);
    }
  } else {
    const pattern = swizzle(v128.load(source), v128.load(distance << 4, PATTERNS - 16));
    const step = <usize>load<u8>(distance, STEPS - 1);
    do {
      v128.store(at, pattern);
      v128.store(at + step, pattern);
      at += step << 1;
    } while (at < end);
  }
}

/** The distance of an entry that has one and is the first in `word`. */
// @ts-ignore: decorator
@inline function distanceOf(entry: u32, word: u64): usize {
  const range = distancesOf(entry);
  return <usize>((range & 0xffff) + ((<u32>word >> codeShift(entry)) & (range >> 16)));
}

/** At least 57 bits, starting at `from`. */
// @ts-ignore: decorator
@inline function bitsAt(from: u32): u64 {
  return load<u64>(<usize>(from >> 3)) >> <u64>(from & 7);
}

/**
 * Decodes symbols of a block up to the limit, the end of the block, or of the input. False where none says
 * this.
 *
 * The next symbol is looked up in the bits of this one, and before bytes are copied: what the look-up after
 * it needs is loaded meanwhile, and no symbol waits for that. A symbol has up to 28 bits of 55.
 */
function decodeSymbols(limit: usize): bool {
  let at = output;
  // two bits before the next one
  let from = place - SPARE;
  const last = lastPlace - SPARE;
  const start = windowStart;
  const literalMask = ((1 << literalBits) - 1) << 2;
  const distanceMask = ((1 << distanceBits) - 1) << 2;
  let isSound = true;
  let word = bitsAt(from);
  let entry = load<u32>(<usize>word & literalMask, LITERALS);
  while (at < limit && from <= last) {
    if (isLiteral(entry)) {
      store<u32>(at, entry >> 8);
      at += (entry >> 6) & 3;
      from += entry & 63;
      entry = load<u32>(<usize>(word >> entry) & literalMask, LITERALS);
      word = bitsAt(from);
      continue;
    }
    if (entry & KIND) {
      if ((entry & KIND) == KIND_LONG) {
        entry = findLongLiteral(entry, word);
        if (isLiteral(entry)) continue;
      }
      if ((entry & KIND) != KIND_LENGTH) {
        isSound = isEnd(entry);
        if (!isSound) break;
        from += entry & 63;
        endBlock();
        break;
      }
      const end = at + (entry >> 16) + ((<u32>word & ((4 << entry) - 1)) >> codeShift(entry));
      from += entry & 63;
      entry = load<u32>(<usize>(word >> entry) & distanceMask, DISTANCES);
      word = bitsAt(from);
      if (entry & KIND) {
        if ((entry & KIND) == KIND_LONG) entry = findLongDistance(entry, word);
        if (entry & KIND) {
          isSound = false;
          break;
        }
      }
      from += entry & 63;
      const distance = distanceOf(entry, word);
      const source = at - distance;
      if (source < start) {
        isSound = false;
        break;
      }
      entry = load<u32>(<usize>(word >> entry) & literalMask, LITERALS);
      word = bitsAt(from);
      copyMatch(at, source, distance, end);
      at = end;
      continue;
    }
    from += entry & 63;
    const distance = distanceOf(entry, word);
    const end = at + lengthOf(entry);
    entry = load<u32>(<usize>(word >> entry) & literalMask, LITERALS);
    word = bitsAt(from);
    const source = at - distance;
    if (source < start) {
      isSound = false;
      break;
    }
    copyMatch(at, source, distance, end);
    at = end;
  }
  output = at;
  place = from + SPARE;
  return isSound;
}
