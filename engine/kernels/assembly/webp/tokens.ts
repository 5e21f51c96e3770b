// The coefficients of a macroblock (RFC 6386, section 13).

import { isPast, loadBits } from './bits';
import {
  CHROMA_FACTORS, PARTITION_BYTES, PARTITIONS, PLACE_BYTES, PLACES_END, PROBABILITIES, REST_FACTORS, SECOND_FACTORS, TYPE_BYTES,
  ZIGZAG,
} from './header';

/**
 * i16[25][16]: those of luma, of chroma and of Y2, not dequantised. Zeros, except for blocks named in KINDS;
 * the transform of a block clears it
 */
export const COEFFICIENTS = memory.data(800, 16);
// @ts-ignore: decorator
@inline export const COEFFICIENTS_BYTES: usize = 800;
// @ts-ignore: decorator
@inline export const SECOND_BLOCK: usize = 24;
/** by block, u8: 0 no coefficient, 1 only the first, 2 others */
export const KINDS = memory.data(32, 16);
/** which blocks to the left have coefficients, u8[16]: 4 Y, 2 U, 2 V, Y2 */
export const LEFT_CONTEXTS = memory.data(16, 16);

/** by block its contexts above and to the left */
const ABOVE = memory.data<u8>([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 8]);
const BESIDE = memory.data<u8>([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8]);
/** probabilities of the extra bits of large coefficients, 12 for each of four categories, terminated by 0 */
const EXTRA_BITS = memory.data<u8>([
  173, 148, 140, 0, 0, 0, 0, 0, 0, 0, 0, 0, 176, 155, 140, 135, 0, 0, 0, 0, 0, 0, 0, 0,
  180, 157, 141, 134, 130, 0, 0, 0, 0, 0, 0, 0, 254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129, 0,
]);

/**
 * Transforms of larger coefficients would not fit into 16 bits, where decoders differ. No encoder writes
 * them: differences of pixels have at most 2040.
 */
// @ts-ignore: decorator
@inline export const MOST_COEFFICIENT: i32 = 2200;
// @ts-ignore: decorator
@inline const MOST_SECOND: i32 = 32767;

// The reader's state when `readLarge` takes over from `readTokens`.
let value: u64 = 0;
let range: u32 = 0;
let bits: i32 = 0;
let at: usize = 0;

// The boolean decoder (RFC 6386, section 7) on local variables: a call or a state in memory costs 5 to 11 %.
// A macro is written out wherever it stands (engine/kernels/expand-macros.ts).

// Shifts the value and its range up by `shift`.
/* #macro $normalise
  r = rotl<u32>(r, shift);
  v = rotl<u64>(v, shift);
  n -= shift;
  if (n < 0) {
    v |= loadBits(from) >> (n + 8);
    from -= 7;
    n += 56;
  }
*/

// Where the value is divided for a bit of this probability: `bigsplit`.
/* #macro $readSplit(chance)
  probability = chance;
  shift = shiftOf(r);
  split = splitOf(r, probability, shift);
  $normalise;
  bigsplit = <u64>split << 56;
*/

// The bit is 1.
/* #macro $takeUpper
  r -= split;
  v -= bigsplit;
*/

// Either, without a branch: `mask` is all ones where the bit is 1.
/* #macro $narrow
  mask = 0 - <u64>(v >= bigsplit);
  v -= bigsplit & mask;
  r = split + ((r - 2 * split) & <u32>mask);
*/

/**
 * Reads the blocks of a macroblock. Returns 0, or 1 if more was read than exists, or 2 if a coefficient is
 * too large. `contexts`: of the macroblock above, replaced by this one's. `factors`: of its segment.
 */
export function readTokens(partition: usize, contexts: usize, factors: usize, isOfBlocks: bool): i32 {
  const state = PARTITIONS + partition * PARTITION_BYTES;
  let v = load<u64>(state, 8);
  let r = load<u32>(state, 16);
  let n = load<i32>(state, 20);
  let from = <usize>load<u32>(state, 24);
  let isSound = true;
  let block: usize = 0;
  // of the first position that is read
  let probabilities: usize = PROBABILITIES + 3 * TYPE_BYTES;
  let blockFactors = factors;
  if (!isOfBlocks) {
    block = SECOND_BLOCK;
    probabilities = PROBABILITIES + TYPE_BYTES;
    blockFactors = factors + SECOND_FACTORS;
  }
  while (true) {
    const above = contexts + <usize>load<u8>(ABOVE + block);
    const beside = LEFT_CONTEXTS + <usize>load<u8>(BESIDE + block);
    const to = COEFFICIENTS + (block << 5);
    let p = probabilities + (<usize>(load<u8>(above) + load<u8>(beside)) << 4);
    while (true) {
      // whether another coefficient follows
      let probability = <u32>load<u8>(p);
      let shift = shiftOf(r);
      let split = splitOf(r, probability, shift);
      $normalise;
      let bigsplit = <u64>split << 56;
      if (v < bigsplit) {
        r = split;
        break;
      }
      $takeUpper;
      // Zeros. Half of the branches are mispredicted: the continuation of both outcomes is computed first.
      probability = <u32>load<u8>(p, 1);
      shift = shiftOf(r);
      split = splitOf(r, probability, shift);
      let otherShift: u32;
      let otherSplit: u32;
      while (true) {
        $normalise;
        bigsplit = <u64>split << 56;
        r -= split;
        probability = <u32>load<u8>(p, 2);
        otherShift = shiftOf(r);
        otherSplit = splitOf(r, probability, otherShift);
        probability = <u32>load<u8>(p | (PLACE_BYTES - 1), 2);
        shift = shiftOf(split);
        const nextSplit = splitOf(split, probability, shift);
        if (v >= bigsplit) break;
        r = split;
        split = nextSplit;
        p = (p | (PLACE_BYTES - 1)) + 1;
        if (p & PLACES_END) break;
      }
      if (p & PLACES_END) break;
      v -= bigsplit;
      // one or more
      shift = otherShift;
      split = otherSplit;
      $normalise;
      bigsplit = <u64>split << 56;
      const next = (p | (PLACE_BYTES - 1)) + 1;
      const place = to + <usize>load<u8>(p, ZIGZAG);
      let size: i32 = 1;
      let mask: u64;
      if (v < bigsplit) {
        r = split;
        p = next + 16;
      } else {
        $takeUpper;
        $readSplit(<u32>load<u8>(p, 3));
        if (v < bigsplit) {
          r = split;
          $readSplit(<u32>load<u8>(p, 4));
          if (v < bigsplit) {
            r = split;
            size = 2;
          } else {
            $takeUpper;
            $readSplit(<u32>load<u8>(p, 5));
            $narrow;
            size = 3 - <i32>mask;
          }
        } else {
          $takeUpper;
          $readSplit(<u32>load<u8>(p, 6));
          if (v < bigsplit) {
            r = split;
            $readSplit(<u32>load<u8>(p, 7));
            if (v < bigsplit) {
              r = split;
              $readSplit(159);
              $narrow;
              size = 5 - <i32>mask;
            } else {
              $takeUpper;
              $readSplit(165);
              $narrow;
              size = 7 - 2 * <i32>mask;
              $readSplit(145);
              $narrow;
              size -= <i32>mask;
            }
          } else {
            value = v - bigsplit;
            range = r - split;
            bits = n;
            at = from;
            size = readLarge(p);
            v = value;
            r = range;
            n = bits;
            from = at;
          }
          // smaller ones are valid with any step
          const most = block == SECOND_BLOCK ? MOST_SECOND : MOST_COEFFICIENT;
          isSound = isSound && size * <i32>load<u16>(blockFactors + (place - to)) <= most;
        }
        p = next + 32;
      }
      // the sign
      shift = shiftOf(r);
      $normalise;
      // at most half of the range, so that the difference has a sign
      bigsplit = <u64>((r + 1) >> 1) << 56;
      v -= bigsplit;
      mask = <u64>(<i64>v >> 63);
      v += bigsplit & mask;
      r = (r - <u32>mask) >> 1;
      store<i16>(place, (size ^ ~<i32>mask) - ~<i32>mask);
      if (p & PLACES_END) break;
    }
    const count = ((p - PROBABILITIES) / PLACE_BYTES) & 31;
    const has = <u32>(p >= probabilities + PLACE_BYTES);
    store<u8>(above, has);
    store<u8>(beside, has);
    store<u8>(KINDS + block, count > 1 ? 2 : <u32>(load<i16>(to) != 0));
    if (block == SECOND_BLOCK) {
      block = 0;
      probabilities = PROBABILITIES + PLACE_BYTES;
      blockFactors = factors + REST_FACTORS;
      continue;
    }
    if (++block == 16) {
      probabilities = PROBABILITIES + 2 * TYPE_BYTES;
      blockFactors = factors + CHROMA_FACTORS;
    } else if (block == 24) break;
  }
  store<u64>(state, v, 8);
  store<u32>(state, r, 16);
  store<i32>(state, n, 20);
  store<u32>(state, <u32>from, 24);
  if (isPast(<usize>load<u32>(state), from, n, <usize>load<u32>(state, 4))) return 1;
  return isSound ? 0 : 2;
}

/** The shift that normalises a range. V8 masks shift counts, unless they are already masked. */
// @ts-ignore: decorator
@inline function shiftOf(range: u32): u32 {
  return <u32>clz(range) & 7;
}
/** 1 + (range - 1) * probability / 256 of the range that is shifted up. */
// @ts-ignore: decorator
@inline function splitOf(range: u32, probability: u32, shift: u32): u32 {
  return (rotl<u32>(range * probability, shift) + (256 - probability)) >> 8;
}

/** A coefficient of eleven or more. */
function readLarge(p: usize): i32 {
  const high = readBit(load<u8>(p, 8));
  const category = 2 * high + readBit(load<u8>(p + 9 + <usize>high));
  let extra = EXTRA_BITS + <usize>category * 12;
  let rest = 0;
  for (; load<u8>(extra); extra++) rest = 2 * rest + readBit(load<u8>(extra));
  return rest + 3 + (8 << category);
}

// @ts-ignore: decorator
@inline function readBit(probability: u32): i32 {
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
