// Scans of a progressive picture (T.81 G.1.2), into stored blocks; refinements of AC are in refinement.ts.

import {
  LOOKUP, LOOKUP_BITS, buffer, count, extend, longCode, next, refill, setFault, setReader,
} from './bits';
import { FAULT_CODE, FAULT_RUN, STORED_MASK } from './records.ts';

/** blocks that the last end-of-band run still covers */
export let bandRun: i32 = 0;

export function setBandRun(blocks: i32): void {
  bandRun = blocks;
}

/** First scan of a DC coefficient. */
export function firstDc(block: usize, table: usize, predictor: usize, low: i32): void {
  refill();
  const entry = load<i32>(table + LOOKUP + (<usize>(buffer >> (64 - LOOKUP_BITS)) << 2));
  let dc = load<i32>(predictor);
  if (entry & 255) {
    dc += entry >> 16;
    setReader(next, buffer << <u64>(entry & 255), count - (entry & 255));
  } else {
    const found = entry ? entry >> 8 : longCode(table, buffer, LOOKUP_BITS);
    if (found < 0) {
      setFault(FAULT_CODE);
      return;
    }
    const length = (found & 255);
    const size = found >> 8;
    const rest = buffer << <u64>length;
    dc += extend(rest, size);
    setReader(next, rest << <u64>size, count - length - size);
  }
  store<i32>(predictor, dc);
  store<i16>(block, <i16>(dc << low));
}

/** One more bit of a DC coefficient. */
export function refineDc(block: usize, low: i32): void {
  refill();
  if (<i64>buffer < 0) store<i16>(block, <i16>(<i32>load<i16>(block) | (1 << low)));
  setReader(next, buffer << 1, count - 1);
}

/**
 * First scan of a band of AC coefficients, `first`..`last` in zigzag order, for a block that no run covers.
 * `isNeeded`, a constant: else only which of them are not zero is noted, which later scans depend on.
 */
// @ts-ignore: decorator
@inline function readFirstAc(block: usize, table: usize, positions: usize, first: i32, last: i32, low: i32, isNeeded: bool): void {
  refill();
  let bits = buffer;
  let valid = count;
  let from = next;
  let k: i32 = first - 1;
  let mask = load<u64>(block, STORED_MASK);
  let value: i32;
  let length: i32;
  while (true) {
    const pair = load<u64>(table + LOOKUP + (<usize>(bits >> (64 - LOOKUP_BITS)) << 3));
    bits |= load<u64>(from) >> <u64>valid;
    from -= <usize>((63 - valid) >> 3);
    valid |= 56;
    const run = <i32>(pair >> 16) & 255;
    if (run) {
      k += run;
      value = <i32><i16>(pair >> 32);
      if (isNeeded) store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>(value << low));
      mask |= <u64>(value != 0) << <u64>(k & 63);
      if (k >= last) {
        length = <i32>(pair >> 8) & 255;
        bits <<= <u64>length;
        valid -= length;
        break;
      }
      k += <i32>(pair >> 24) & 255;
      value = <i32><i16>(pair >> 48);
      if (isNeeded) store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>(value << low));
      mask |= <u64>(value != 0) << <u64>(k & 63);
      length = <i32>(pair & 255);
      bits <<= <u64>length;
      valid -= length;
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
    valid -= length;
    if (size == 0) {
      if (symbol == 0xf0) {
        k += 16;
        if (k >= last) break;
        continue;
      }
      const more = symbol >> 4;
      bandRun = (1 << more) - 1 + <i32>((bits >> 1) >> <u64>(63 - more));
      bits <<= <u64>more;
      valid -= more;
      k += 128;
      break;
    }
    value = extend(bits, size);
    bits <<= <u64>size;
    valid -= size;
    k += (symbol >> 4) + 1;
    if (isNeeded) store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>(value << low));
    mask |= <u64>1 << <u64>(k & 63);
    if (k >= last) break;
  }
  setReader(from, bits, valid);
  store<u64>(block, mask, STORED_MASK);
  if (k < 128 && k > last) setFault(FAULT_RUN);
}

export function firstAc(block: usize, table: usize, positions: usize, first: i32, last: i32, low: i32): void {
  readFirstAc(block, table, positions, first, last, low, true);
}

/** The same of a block whose coefficients are not needed. */
export function passFirstAc(block: usize, table: usize, first: i32, last: i32): void {
  readFirstAc(block, table, 0, first, last, 0, false);
}
