// The boolean decoder (RFC 6386, section 7). The chunk is stored in reverse, so that the next eight bytes are
// one load.
// `value` has the next bits on top, `range` is 1 to 255 and shifted up before the next bit is read. `bits` is
// the number of valid bits of `value` beyond eight.

/** The next eight bytes at `at`, for a reader that needs more bits. */
// @ts-ignore: decorator
@inline export function loadBits(at: usize): u64 {
  return load<u64>(max<usize>(at, lowest));
}

/** Reads beyond the chunk return the bytes here; that is a fault, detected later. */
let lowest: usize = 0;

export function setLowest(address: usize): void {
  lowest = address;
}

// The reader of the header and the modes. Tokens are read in a loop with separate state.
export let value: u64 = 0;
export let range: u32 = 0;
export let bits: i32 = 0;
export let at: usize = 0;
let start: usize = 0;
let size: usize = 0;

/** Begins to read `sizeBytes` bytes; the first eight are at `from`. */
export function beginBits(from: usize, sizeBytes: usize): void {
  value = 0;
  range = 255;
  bits = -8;
  at = from;
  start = from;
  size = sizeBytes;
}

export function keepBits(nextValue: u64, nextRange: u32, nextBits: i32, nextAt: usize): void {
  value = nextValue;
  range = nextRange;
  bits = nextBits;
  at = nextAt;
}

export function readBit(probability: u32): u32 {
  const shift = <u32>clz(range) - 24;
  range <<= shift;
  value <<= shift;
  bits -= shift;
  if (bits < 0) {
    value |= loadBits(at) >> (bits + 8);
    at -= 7;
    bits += 56;
  }
  const split = 1 + (((range - 1) * probability) >> 8);
  const bigsplit = <u64>split << 56;
  if (value < bigsplit) {
    range = split;
    return 0;
  }
  range -= split;
  value -= bigsplit;
  return 1;
}

/** A number of `count` bits. */
export function readNumber(count: i32): i32 {
  let number = 0;
  for (; count > 0; count--) number = (number << 1) | readBit(128);
  return number;
}

/** A signed number if a flag says that it is present, otherwise 0. */
export function readOptional(count: i32): i32 {
  return readBit(128) ? readSigned(count) : 0;
}

export function readSigned(count: i32): i32 {
  const number = readNumber(count);
  return readBit(128) ? -number : number;
}

/** Whether more was read than exists. */
export function isBeyond(): bool {
  return isPast(start, at, bits, size);
}

// @ts-ignore: decorator
@inline export function isPast(from: usize, to: usize, left: i32, sizeBytes: usize): bool {
  return ((<i32>(from - to)) << 3) - left > <i32>(sizeBytes << 3);
}
