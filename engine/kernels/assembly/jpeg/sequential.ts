// Coefficients of one block of a sequential scan (T.81 F.2.2).

import { LOOKUP_BITS, buffer, count, extend, longCode, next, setFault, setReader } from './bits';
import { AC_TABLE, DC_TABLE, POSITIONS, PREDICTOR, address } from './records';

/**
 * Decodes a block into `coefficients` (zero before) and returns the zigzag index of its last coefficient. Two symbols are taken with one look-up where both
 * fit; positions beyond the block point to the needless place, so that a run may overflow before it is noticed.
 */
export function decodeBlock(record: usize, coefficients: usize): i32 {
  let bits = buffer;
  let valid = count;
  let from = next;
  const dcTable = address(record, DC_TABLE);
  const acTable = address(record, AC_TABLE);
  const positions = address(record, POSITIONS);
  const predictor = address(record, PREDICTOR);

  bits |= load<u64>(from) >> <u64>valid;
  from -= <usize>((63 - valid) >> 3);
  valid |= 56;
  let entry = <i32>load<u32>(dcTable + (<usize>(bits >> (64 - LOOKUP_BITS)) << 2));
  if (entry == 0) {
    entry = longCode(dcTable, bits);
    if (entry < 0) {
      setFault(2);
      return 0;
    }
  }
  let length = <i64>(entry & 255);
  let size = <i64>(entry >> 8);
  let rest = bits << <u64>length;
  const dc = extend(rest, size) + load<i32>(predictor);
  bits = rest << <u64>size;
  valid -= length + size;
  store<i32>(predictor, dc);
  store<i16>(coefficients, <i16>dc);

  let k: i32 = 0;
  while (true) {
    bits |= load<u64>(from) >> <u64>valid;
    from -= <usize>((63 - valid) >> 3);
    valid |= 56;
    let pair = load<u64>(acTable + (<usize>(bits >> (64 - LOOKUP_BITS)) << 3));
    let run = <i32>(pair >> 16) & 255;
    if (run) {
      k += run;
      store<i16>(coefficients + <usize>load<u8>(positions + <usize>k), <i16>(pair >> 32));
      if (k >= 63) {
        length = <i64>(pair >> 8) & 255;
        bits <<= <u64>length;
        valid -= length;
        break;
      }
      k += <i32>(pair >> 24) & 255;
      store<i16>(coefficients + <usize>load<u8>(positions + <usize>k), <i16>(pair >> 48));
      length = <i64>(pair & 255);
      bits <<= <u64>length;
      valid -= length;
      if (k >= 63) break;
      // after two look-ups of 10 bits at least 36 of the 56 bits are left: no load in between
      pair = load<u64>(acTable + (<usize>(bits >> (64 - LOOKUP_BITS)) << 3));
      run = <i32>(pair >> 16) & 255;
      if (run) {
        k += run;
        store<i16>(coefficients + <usize>load<u8>(positions + <usize>k), <i16>(pair >> 32));
        if (k >= 63) {
          length = <i64>(pair >> 8) & 255;
          bits <<= <u64>length;
          valid -= length;
          break;
        }
        k += <i32>(pair >> 24) & 255;
        store<i16>(coefficients + <usize>load<u8>(positions + <usize>k), <i16>(pair >> 48));
        length = <i64>(pair & 255);
        bits <<= <u64>length;
        valid -= length;
        if (k >= 63) break;
        continue;
      }
    }
    // the symbol is known but its value does not fit the look-up, or the code is longer
    let symbol: i32;
    length = <i64>(pair >> 8) & 255;
    if (length) symbol = <i32>(pair >> 32);
    else {
      const found = longCode(acTable, bits);
      if (found < 0) {
        setFault(2);
        break;
      }
      symbol = found >> 8;
      length = <i64>(found & 255);
    }
    size = <i64>(symbol & 15);
    if (size == 0) {
      bits <<= <u64>length;
      valid -= length;
      if (symbol != 0xf0) {
        k += 128;
        break;
      }
      k += 16;
      if (k >= 63) break;
      continue;
    }
    rest = bits << <u64>length;
    const value = extend(rest, size);
    bits = rest << <u64>size;
    valid -= length + size;
    k += (symbol >> 4) + 1;
    store<i16>(coefficients + <usize>load<u8>(positions + <usize>k), <i16>value);
    if (k >= 63) break;
  }
  setReader(from, bits, valid);
  // 64 to 127: a run past the end of the block; 128 and more: ended by the end-of-block code
  if ((k & 0xc0) == 0x40) setFault(3);
  return k & 127;
}
