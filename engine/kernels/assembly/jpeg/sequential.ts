// Coefficients of the blocks of a sequential scan (T.81 F.2.2).
//
// What takes the time is that each look-up waits for the one before, which says by how many bits the next
// one's index moves. So nothing else lies on that way: lengths are in a table of their own, and bits are
// loaded while a look-up is on its way, not before it. Then it is how often a branch is foreseen wrongly:
// once a block, at its end, and no more than that.

import { LENGTHS, LOOKUP, LOOKUP_BITS, TRIPLES, TRIPLE_BITS, buffer, count, extend, longCode, next, setFault, setReader } from './bits';
import { address } from '../fields';
import {
  AC_TABLE, DC_TABLE, FAULT_CODE, FAULT_RUN, LAST, POSITIONS, PREDICTOR, RECORD_BYTES, SCRATCH_BLOCK,
} from './records.ts';

/**
 * Stores up to three coefficients after the one at `at` in the positions; missing ones overwrite the previous
 * one's address first. Returns the last one's position.
 */
// @ts-ignore: decorator
@inline function put(coefficients: usize, at: usize, triple: usize): usize {
  const third = at + <usize>load<u8>(triple, 2);
  store<i16>(coefficients + <usize>load<u8>(third), <i16>load<i8>(triple, 7));
  store<i16>(coefficients + <usize>load<u8>(at + <usize>load<u8>(triple, 1)), <i16>load<i8>(triple, 6));
  store<i16>(coefficients + <usize>load<u8>(at + <usize>load<u8>(triple)), load<i16>(triple, 4));
  return third;
}

/**
 * Decodes the blocks of an MCU into `coefficients` and the bytes behind it (zero before) and says in each
 * record which zigzag index its last coefficient has. Three symbols are taken with one look-up where they
 * fit; positions beyond the block point to the unused coefficient, so that a run may overflow before it is
 * noticed. The reader holds at least 15 bits before and after each block, and does not leave the registers
 * between them.
 */
export function decodeBlocks(records: usize, endOfRecords: usize, coefficients: usize): void {
  let bits = buffer;
  let valid = count;
  let from = next;
  for (let record = records; record < endOfRecords; record += RECORD_BYTES, coefficients += SCRATCH_BLOCK) {
    const acTable = address(record, AC_TABLE);
    const positions = address(record, POSITIONS);
    const predictor = address(record, PREDICTOR);
    const dcTable = address(record, DC_TABLE);
    const dcEntry = load<i32>(dcTable + LOOKUP + (<usize>(bits >> (64 - LOOKUP_BITS)) << 2));
    bits |= load<u64>(from) >> <u64>valid;
    from -= <usize>((63 - valid) >> 3);
    valid |= 56;
    let dc = load<i32>(predictor);
    if (dcEntry & 255) {
      dc += dcEntry >> 16;
      bits <<= <u64>dcEntry;
      valid -= dcEntry & 255;
    } else {
      const found = dcEntry ? dcEntry >> 8 : longCode(dcTable, bits, LOOKUP_BITS);
      if (found < 0) {
        setFault(FAULT_CODE);
        return;
      }
      const size = found >> 8;
      bits <<= <u64>(found & 255);
      dc += extend(bits, size);
      bits <<= <u64>size;
      valid -= (found & 255) + size;
    }
    store<i32>(predictor, dc);
    store<i16>(coefficients, <i16>dc);

    let k: i32 = 0;
    const end = positions + 63;
    let triple: usize = 0;
    let at = positions;
    while (true) {
      while (true) {
        let index = <usize>(bits >> (64 - TRIPLE_BITS));
        let length = <i32>load<u8>(acTable + index, LENGTHS);
        triple = acTable + TRIPLES + (index << 3);
        bits |= load<u64>(from) >> <u64>valid;
        from -= <usize>((63 - valid) >> 3);
        valid |= 56;
        if (length == 0) break;
        at = put(coefficients, at, triple);
        if (at >= end) break;
        bits <<= <u64>length;
        valid -= length;
        // three look-ups of 12 bits leave 20 of 56
        index = <usize>(bits >> (64 - TRIPLE_BITS));
        length = <i32>load<u8>(acTable + index, LENGTHS);
        triple = acTable + TRIPLES + (index << 3);
        if (length == 0) break;
        at = put(coefficients, at, triple);
        if (at >= end) break;
        bits <<= <u64>length;
        valid -= length;
        index = <usize>(bits >> (64 - TRIPLE_BITS));
        length = <i32>load<u8>(acTable + index, LENGTHS);
        triple = acTable + TRIPLES + (index << 3);
        if (length == 0) break;
        at = put(coefficients, at, triple);
        if (at >= end) break;
        bits <<= <u64>length;
        valid -= length;
      }
      k = <i32>(at - positions);
      if (k >= 63) {
        let length = <i32>load<u8>(acTable + <usize>(bits >> (64 - TRIPLE_BITS)), LENGTHS);
        if (<u32>(k - 128) >= 63) {
          // no end-of-block code within the block: the entry's values after the block's last coefficient
          // belong to the next block
          const before = k - <i32>load<u8>(triple, 2);
          const first = before + <i32>load<u8>(triple);
          const second = before + <i32>load<u8>(triple, 1);
          if (first >= 63) {
            k = first;
            length = <i32>load<u8>(triple, 3) & 15;
          } else if (second >= 63) {
            k = second;
            length = <i32>load<u8>(triple, 3) >> 4;
          }
        }
        bits <<= <u64>length;
        valid -= length;
        break;
      }
      // the symbol is known but its value does not fit the look-up, or the code is longer
      bits |= load<u64>(from) >> <u64>valid;
      from -= <usize>((63 - valid) >> 3);
      valid |= 56;
      let symbol = <i32>load<u16>(triple, 4);
      let length = <i32>load<u8>(triple, 3);
      if (length == 0) {
        const found = longCode(acTable, bits, TRIPLE_BITS);
        if (found < 0) {
          setFault(FAULT_CODE);
          break;
        }
        symbol = found >> 8;
        length = found & 255;
      }
      bits <<= <u64>length;
      valid -= length;
      const size = symbol & 15;
      if (size == 0) {
        if (symbol != 0xf0) {
          k += 128;
          break;
        }
        k += 16;
        if (k >= 63) break;
        at = positions + <usize>k;
        continue;
      }
      k += (symbol >> 4) + 1;
      store<i16>(coefficients + <usize>load<u8>(positions + <usize>k), <i16>extend(bits, size));
      bits <<= <u64>size;
      valid -= size;
      if (k >= 63) break;
      at = positions + <usize>k;
    }
    // 64 to 127: a run past the end of the block; 128 and more: ended by the end-of-block code
    if ((k & 0xc0) == 0x40) setFault(FAULT_RUN);
    store<i32>(record, k & 127, LAST);
  }
  setReader(from, bits, valid);
}
