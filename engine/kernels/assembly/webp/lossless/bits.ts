// Bits of a VP8L stream (RFC 9649, section 3.2), lowest first.
// `value` has the next bits, `held` is their number. The chunk is followed by BITS_TAIL zeros, and nothing is
// loaded after them: reads beyond the chunk return zeros, a fault that is detected later.

/** Readers hold at least this many bits after `more`. */
export const MOST_BITS = 56;

export let value: u64 = 0;
export let held: u32 = 0;
/** of the next byte not yet loaded */
export let at: usize = 0;
/** loads from here on return only zeros */
export let lastLoad: usize = 0;
let start: usize = 0;
let sizeBits: usize = 0;

/** Begins to read `sizeBytes` bytes at `from`, less than 2^29. */
export function beginBits(from: usize, sizeBytes: usize): void {
  value = 0;
  held = 0;
  at = from;
  start = from;
  lastLoad = from + sizeBytes + 8;
  sizeBits = sizeBytes << 3;
}

export function keepBits(nextValue: u64, nextHeld: u32, nextAt: usize): void {
  value = nextValue;
  held = nextHeld;
  at = nextAt;
}

/** The next number of up to 18 bits. */
export function readBits(count: u32): u32 {
  more();
  const bits = <u32>value & ((1 << count) - 1);
  skip(count);
  return bits;
}

// @ts-ignore: decorator
@inline export function more(): void {
  value |= load<u64>(at) << held;
  at = min<usize>(at + ((63 - held) >> 3), lastLoad);
  held |= 56;
}

// @ts-ignore: decorator
@inline export function skip(count: u32): void {
  value >>= count;
  held -= count;
}

/** Whether more was read than exists. */
export function isBeyond(): bool {
  return ((at - start) << 3) - held > sizeBits;
}
