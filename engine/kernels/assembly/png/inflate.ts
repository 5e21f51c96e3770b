// DEFLATE (RFC 1951) that stops wherever the output reaches a limit or a piece of the input ends, and goes on
// there.
//
// Bits wait in a buffer of 64, refilled by one load of 8 bytes. Its two lowest bits are used already, so that
// masked bits are the offset of a table's entry. The meaning of entries: codes.ts.
//
// Until the last piece, decoding stops LOOKAHEAD bytes before its end. Zeros follow the last one: a stream
// that ends too early is noticed when more bits were used than there are.

import {
  CODE_LENGTHS, DISTANCES, FAULT_BLOCKS, FAULT_STREAM, INPUT_LEAD, INPUT_TAIL, LITERALS, LOOKAHEAD, NEEDS_INPUT,
  PATTERNS, PRECODE, STEPS,
} from './records.ts';
import {
  buildCodes, buildFixed, buildPrecode, distanceBaseOf, distanceBits, findLongDistance, findLongLiteral, forgetCodes,
  isEnd, isLiteral, KIND, KIND_LENGTH, KIND_LONG, lengthOf, literalBits,
} from './codes';

/** The order in which the lengths of the precode are written (RFC 1951, 3.2.7). */
const PRECODE_ORDER: StaticArray<u8> = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

let input: usize = 0;
let inputEnd: usize = 0;
/** decoding goes on up to here */
let lastInput: usize = 0;
let isLastPiece: bool = false;
let bits: u64 = 0;
// @ts-ignore: decorator
@inline const SPARE: u64 = 2;
/** bits in the buffer, with the spare ones */
let bitCount: u64 = SPARE;
let output: usize = 0;
/** the first byte that a match may refer to */
let windowStart: usize = 0;

const BETWEEN: i32 = 0;
const STORED: i32 = 1;
const CODED: i32 = 2;
const DONE: i32 = 3;
let state: i32 = 0;
let isLastBlock: bool = false;
let storedLeft: usize = 0;
let blocksLeft: i32 = 0;

/** The patterns that short matches repeat. Once for each instance. */
export function buildPatterns(): void {
  for (let distance: usize = 1; distance <= 16; distance++) {
    for (let i: usize = 0; i < 16; i++) store<u8>(<usize>PATTERNS + (distance << 4) + i - 16, <u8>(i % distance));
    store<u8>(<usize>STEPS + distance - 1, <u8>(16 - (16 % distance)));
  }
}

/** Begins a stream whose first piece will stand at `at`. */
export function beginInflate(at: usize, to: usize, mostBlocks: i32): void {
  input = at + INPUT_LEAD;
  inputEnd = input;
  lastInput = 0;
  isLastPiece = false;
  bits = 0;
  bitCount = SPARE;
  output = to;
  windowStart = to;
  state = BETWEEN;
  isLastBlock = false;
  blocksLeft = mostBlocks;
  forgetCodes();
}

/** Moves what is left of the input to the beginning of its memory. Returns where the next piece goes. */
export function moveInput(at: usize): usize {
  const left = inputEnd - input;
  // whole bytes in the buffer of bits may be given back
  memory.copy(at, input - INPUT_LEAD, left + INPUT_LEAD);
  input = at + INPUT_LEAD;
  inputEnd = input + left;
  return inputEnd;
}

/** The input now ends at `end`. */
export function endInput(end: usize, isLast: bool): void {
  inputEnd = end;
  isLastPiece = isLast;
  memory.fill(end, 0, INPUT_TAIL);
  // up to 7 bytes more are loaded than used
  lastInput = isLast ? end + 8 : end - LOOKAHEAD;
}

// @ts-ignore: decorator
@inline function inputAt(): usize {
  return input - <usize>((bitCount - SPARE) >> 3);
}

/** The first byte behind the stream; 0 where more input is needed to tell it. `bytes` must follow. */
export function streamEnd(bytes: usize): usize {
  return !isLastPiece && inputEnd < inputAt() + bytes ? 0 : inputAt();
}

/** Whether the input ends there. */
export function isInputEnd(at: usize): bool {
  return isLastPiece && at == inputEnd;
}

export function inflateOutput(): usize {
  return output;
}

/** The output was moved towards lower addresses by so many bytes. */
export function moveOutput(by: usize, start: usize): void {
  output -= by;
  windowStart = start;
}

export function isInflated(): bool {
  return state == DONE;
}

/**
 * Inflates until `limit` is reached, or passed by less than 272 bytes (64 more are written), or the stream
 * ends. 0, NEEDS_INPUT or a fault.
 */
export function inflateTo(limit: usize): i32 {
  while (output < limit && state != DONE) {
    if (input > lastInput) return isLastPiece ? FAULT_STREAM : NEEDS_INPUT;
    if (state == BETWEEN) {
      if (!beginBlock()) return FAULT_STREAM;
      if (blocksLeft < 0) return FAULT_BLOCKS;
    } else if (state == STORED) {
      const size = min<usize>(min<usize>(storedLeft, limit - output), inputEnd - min<usize>(input, inputEnd));
      if (size == 0) return FAULT_STREAM;
      memory.copy(output, input, size);
      input += size;
      output += size;
      storedLeft -= size;
      if (storedLeft == 0) endBlock();
    } else if (!decodeSymbols(limit)) return FAULT_STREAM;
    if (inputAt() > inputEnd) return FAULT_STREAM;
  }
  return 0;
}

function endBlock(): void {
  state = isLastBlock ? DONE : BETWEEN;
}

// @ts-ignore: decorator
@inline function refill(): void {
  bits |= load<u64>(input) << bitCount;
  input += <usize>((63 - bitCount) >> 3);
  bitCount |= 56;
}

// @ts-ignore: decorator
@inline function take(count: u64): u32 {
  const value = <u32>((bits >> SPARE) & ((1 << count) - 1));
  bits >>= count;
  bitCount -= count;
  return value;
}

function beginBlock(): bool {
  blocksLeft--;
  refill();
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
  // what is left of the byte, and whole bytes that were loaded ahead
  take((bitCount - SPARE) & 7);
  input = inputAt();
  bits = 0;
  bitCount = SPARE;
  const size = load<u16>(input);
  if (size != (load<u16>(input, 2) ^ 0xffff)) return false;
  input += 4;
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
    if (i == 8) refill();
    store<u8>(<usize>CODE_LENGTHS + <usize>PRECODE_ORDER[i], <u8>take(3));
  }
  const precodeBits = buildPrecode();
  if (precodeBits == 0) return false;
  memory.fill(CODE_LENGTHS, 0, 320);
  const all = literals + distances;
  let before: u8 = 0;
  for (let i: usize = 0; i < all; ) {
    refill();
    const entry = <u32>load<u16>((<usize>(bits >> SPARE) & ((1 << precodeBits) - 1)) << 1, PRECODE);
    take(entry & 7);
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
@inline function copyMatch(at: usize, distance: usize, size: usize): void {
  let source = at - distance;
  const end = at + size;
  if (distance >= 16) {
    // most matches are shorter: no branch that depends on their length
    v128.store(at, v128.load(source));
    v128.store(at, v128.load(source, 16), 16);
    for (at += 32, source += 32; at < end; at += 32, source += 32) {
      v128.store(at, v128.load(source));
      v128.store(at, v128.load(source, 16), 16);
    }
  } else {
    const pattern = i8x16.swizzle(v128.load(source), v128.load(distance << 4, PATTERNS - 16));
    const step = <usize>load<u8>(distance, STEPS - 1);
    do {
      v128.store(at, pattern);
      v128.store(at + step, pattern);
      at += step << 1;
    } while (at < end);
  }
}

/**
 * Decodes symbols of a block up to the limit, the end of the block, or of the input. False where none says
 * this.
 */
function decodeSymbols(limit: usize): bool {
  let at = output;
  let from = input;
  let b = bits;
  let n = bitCount;
  const last = lastInput;
  const start = windowStart;
  const literalMask = ((1 << literalBits) - 1) << 2;
  const distanceMask = ((1 << distanceBits) - 1) << 2;
  let isSound = true;
  while (at < limit) {
    if (from > last) break;
    b |= load<u64>(from) << n;
    from += <usize>((63 - n) >> 3) & 7;
    n |= 56;
    let entry = load<u32>(<usize>b & literalMask, LITERALS);
    if (isLiteral(entry)) {
      store<u32>(at, entry >> 8);
      at += (entry >> 6) & 3;
      b >>= entry;
      n -= <u64>entry;
      entry = load<u32>(<usize>b & literalMask, LITERALS);
      if (isLiteral(entry)) {
        store<u32>(at, entry >> 8);
        at += (entry >> 6) & 3;
        b >>= entry;
        n -= <u64>entry;
        entry = load<u32>(<usize>b & literalMask, LITERALS);
        if (isLiteral(entry)) {
          store<u32>(at, entry >> 8);
          at += (entry >> 6) & 3;
          b >>= entry;
          n -= <u64>entry;
          entry = load<u32>(<usize>b & literalMask, LITERALS);
          if (isLiteral(entry)) {
            store<u32>(at, entry >> 8);
            at += (entry >> 6) & 3;
            b >>= entry;
            n -= <u64>entry;
            continue;
          }
        }
      }
      b |= load<u64>(from) << n;
      from += <usize>((63 - n) >> 3) & 7;
      n |= 56;
    }
    let size: usize;
    if (entry & KIND) {
      if ((entry & KIND) == KIND_LONG) {
        entry = findLongLiteral(b >> SPARE);
        if (isLiteral(entry)) {
          store<u8>(at, entry >> 8);
          at++;
          b >>= entry;
          n -= <u64>entry;
          continue;
        }
      }
      if ((entry & KIND) != KIND_LENGTH) {
        isSound = isEnd(entry);
        if (!isSound) break;
        b >>= entry;
        n -= <u64>entry;
        endBlock();
        break;
      }
      size = (entry >> 16) + extraOf(entry, b);
      b >>= entry;
      n -= <u64>entry;
      // up to 20 bits of 54 are used: 28 are left for the longest distance
      entry = load<u32>(<usize>b & distanceMask, DISTANCES);
      if (entry & KIND) {
        if ((entry & KIND) == KIND_LONG) entry = findLongDistance(b >> SPARE);
        if (entry & KIND) {
          isSound = false;
          break;
        }
      }
    } else size = lengthOf(entry);
    const distance: usize = distanceBaseOf(entry) + extraOf(entry, b);
    b >>= entry;
    n -= <u64>entry;
    if (distance > at - start) {
      isSound = false;
      break;
    }
    copyMatch(at, distance, size);
    at += size;
  }
  output = at;
  input = from;
  bits = b;
  bitCount = n & 63;
  return isSound;
}

/** The extra bits of a length or distance, which follow its code. */
// @ts-ignore: decorator
@inline function extraOf(entry: u32, b: u64): u32 {
  return (<u32>(b >> SPARE) & ((1 << (entry & 63)) - 1)) >> ((entry >> 10) & 15);
}
