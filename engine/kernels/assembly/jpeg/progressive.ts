// The four kinds of scan of a progressive picture (T.81 G.1.2), into stored blocks.

import { LOOKUP, LOOKUP_BITS, SYMBOLS, buffer, count, extend, longCode, next, setFault, setReader } from './bits';
import { FAULT_CODE, FAULT_RUN, STORED_MASK } from './records.ts';

/** blocks that the last end-of-band run still covers */
export let bandRun: i32 = 0;

export function setBandRun(blocks: i32): void {
  bandRun = blocks;
}

function refill(): void {
  const bits = buffer | (load<u64>(next) >> <u64>count);
  setReader(next - <usize>((63 - count) >> 3), bits, count | 56);
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
 */
export function firstAc(block: usize, table: usize, positions: usize, first: i32, last: i32, low: i32): void {
  let bits = buffer;
  let valid = count;
  let from = next;
  let k: i32 = first - 1;
  let mask = load<u64>(block, STORED_MASK);
  let value: i32;
  let length: i32;
  while (true) {
    bits |= load<u64>(from) >> <u64>valid;
    from -= <usize>((63 - valid) >> 3);
    valid |= 56;
    const pair = load<u64>(table + LOOKUP + (<usize>(bits >> (64 - LOOKUP_BITS)) << 3));
    const run = <i32>(pair >> 16) & 255;
    if (run) {
      k += run;
      value = <i32><i16>(pair >> 32);
      store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>(value << low));
      mask |= <u64>(value != 0) << <u64>(k & 63);
      if (k >= last) {
        length = <i32>(pair >> 8) & 255;
        bits <<= <u64>length;
        valid -= length;
        break;
      }
      k += <i32>(pair >> 24) & 255;
      value = <i32><i16>(pair >> 48);
      store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>(value << low));
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
    store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>(value << low));
    mask |= <u64>1 << <u64>(k & 63);
    if (k >= last) break;
  }
  setReader(from, bits, valid);
  store<u64>(block, mask, STORED_MASK);
  if (k < 128 && k > last) setFault(FAULT_RUN);
}

/** Adds the next bit of a coefficient that is not zero, towards its sign. */
// @ts-ignore: decorator
@inline function correct(at: usize, step: i32, bits: u64): void {
  const old = <i32>load<i16>(at);
  const sign = old >> 31;
  store<i16>(at, <i16>(old + (((step ^ sign) - sign) & -(<i32>(bits >> 63)))));
}

/** One more bit of a band of AC coefficients; what was zero may become 1 or -1 times `1 << low`. */
export function refineAc(block: usize, table: usize, positions: usize, first: i32, last: i32, low: i32): void {
  const step = 1 << low;
  let mask = load<u64>(block, STORED_MASK);
  /** coefficients of the band that were not zero and that got no correction yet */
  let due = mask & (<u64>-1 >> <u64>(63 - last)) & (<u64>-1 << <u64>first);
  if (bandRun > 0 && due == 0) {
    bandRun--;
    return;
  }
  let bits = buffer;
  let valid = count;
  let from = next;
  let k: i32 = first;
  if (bandRun == 0) {
    const before = mask;
    while (k <= last) {
      bits |= load<u64>(from) >> <u64>valid;
      from -= <usize>((63 - valid) >> 3);
      valid |= 56;
      let found = <i32>load<u16>(table + SYMBOLS + (<usize>(bits >> (64 - LOOKUP_BITS)) << 1));
      if (found == 0) {
        found = longCode(table, bits, LOOKUP_BITS);
        if (found < 0) {
          setFault(FAULT_CODE);
          break;
        }
      }
      bits <<= <u64>(found & 255);
      valid -= (found & 255);
      let zeros = found >> 12;
      let value = 0;
      const size = (found >> 8) & 15;
      if (size) {
        if (size != 1) {
          setFault(FAULT_CODE);
          break;
        }
        value = <i32>((bits >> 63) << 1) * step - step;
        bits <<= 1;
        valid--;
      } else if (zeros != 15) {
        bandRun = (1 << zeros) + <i32>((bits >> 1) >> <u64>(63 - zeros));
        bits <<= <u64>zeros;
        valid -= zeros;
        break;
      }
      // past `zeros` coefficients that are zero still, correcting the others on the way
      while (true) {
        const nextDue = due ? <i32>ctz<u64>(due) : last + 1;
        if (nextDue - k > zeros) {
          k += zeros;
          break;
        }
        zeros -= nextDue - k;
        k = nextDue;
        if (k > last) break;
        if (valid < 1) {
          bits |= load<u64>(from) >> <u64>valid;
          from -= <usize>((63 - valid) >> 3);
          valid |= 56;
        }
        correct(block + <usize>load<u8>(positions + <usize>k), step, bits);
        bits <<= 1;
        valid--;
        due &= due - 1;
        k++;
        if (k > last) break;
      }
      if (value) {
        if (k > last) {
          setFault(FAULT_RUN);
          break;
        }
        store<i16>(block + <usize>load<u8>(positions + <usize>k), <i16>value);
        mask |= <u64>1 << <u64>k;
      }
      k++;
    }
    if (mask != before) store<u64>(block, mask, STORED_MASK);
  }
  if (bandRun > 0) {
    while (due) {
      if (valid < 1) {
        bits |= load<u64>(from) >> <u64>valid;
        from -= <usize>((63 - valid) >> 3);
        valid |= 56;
      }
      correct(block + <usize>load<u8>(positions + <usize>ctz<u64>(due)), step, bits);
      bits <<= 1;
      valid--;
      due &= due - 1;
    }
    bandRun--;
  }
  setReader(from, bits, valid);
}
