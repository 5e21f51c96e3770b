// Decodes scans of a progressive picture (T.81 G.1.2) into stored blocks; AC refinements are in
// refinement.ts.

import {
  LOOKUP, LOOKUP_BITS, bitsAt, extend, longCode, place, setFault, setPlace,
} from './bits';
import { FAULT_CODE, FAULT_RUN, STORED_MASK } from './records.ts';

/** blocks left in the last end-of-band run */
export let bandRun: i32 = 0;

export function setBandRun(blocks: i32): void {
  bandRun = blocks;
}

/** A bit for each coefficient of a band. */
// @ts-ignore: decorator
@inline export function bandOf(first: i32, last: i32): u64 {
  return (<u64>-1 >> <u64>(63 - last)) & (<u64>-1 << <u64>first);
}

/**
 * First scan of a band of AC coefficients, `first`..`last` in zigzag order, outside end-of-band runs.
 * `isNeeded`, a constant: if false, only the mask of non-zero coefficients is stored, for later scans.
 */
// @ts-ignore: decorator
@inline function readFirstAc(block: usize, table: usize, positions: usize, first: i32, last: i32, low: i32, isNeeded: bool): void {
  let at = place;
  let bits = bitsAt(at);
  let head = bits;
  let k: i32 = first - 1;
  const step = 1 << low;
  // the end of a block marks the previous coefficient again: one of the band, or none
  let mask: u64 = 0;
  let value: i32;
  let length: i32;
  while (true) {
    const pair = load<u64>(table + LOOKUP + (<usize>(head >> (64 - LOOKUP_BITS)) << 3));
    const run = <i32>(pair >> 16) & 255;
    if (run) {
      k += run;
      value = <i32><i16>(pair >> 32);
      if (isNeeded) store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>(value * step));
      mask |= rotl<u64>(1, <u64>k);
      if (k >= last) {
        at -= (pair >> 8) & 255;
        break;
      }
      k += <i32>(pair >> 24) & 255;
      value = <i32><i16>(pair >> 48);
      if (isNeeded) store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>(value * step));
      mask |= rotl<u64>(1, <u64>k);
      // the next look-up does not depend on this load
      at -= pair & 255;
      head = bits << (pair & 255);
      bits = bitsAt(at);
      if (k >= last) break;
      continue;
    }
    let symbol: i32;
    length = <i32>(pair >> 8) & 255;
    if (length) symbol = <i32>(pair >> 32);
    else {
      const found = longCode(table, bits, LOOKUP_BITS);
      if (found < 0) {
        setFault(FAULT_CODE);
        break;
      }
      symbol = found >> 8;
      length = (found & 255);
    }
    const size = symbol & 15;
    bits <<= <u64>length;
    at -= <u64>length;
    if (size == 0) {
      if (symbol == 0xf0) {
        k += 16;
        head = bits;
        bits = bitsAt(at);
        if (k >= last) break;
        continue;
      }
      const more = symbol >> 4;
      bandRun = (1 << more) - 1 + <i32>((bits >> 1) >> <u64>(63 - more));
      at -= <u64>more;
      k += 128;
      break;
    }
    value = extend(bits, size);
    at -= <u64>size;
    bits = bitsAt(at);
    head = bits;
    k += (symbol >> 4) + 1;
    if (isNeeded) store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>(value * step));
    mask |= rotl<u64>(1, <u64>k);
    if (k >= last) break;
  }
  setPlace(at);
  store<u64>(block, load<u64>(block, STORED_MASK) | (mask & bandOf(first, last)), STORED_MASK);
  if (k < 128 && k > last) setFault(FAULT_RUN);
}

export function firstAc(block: usize, table: usize, positions: usize, first: i32, last: i32, low: i32): void {
  readFirstAc(block, table, positions, first, last, low, true);
}

/** The same for a block whose coefficients are not needed. */
export function passFirstAc(block: usize, table: usize, first: i32, last: i32): void {
  readFirstAc(block, table, 0, first, last, 0, false);
}
