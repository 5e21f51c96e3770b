// The four kinds of scan of a progressive picture (T.81 G.1.2), into stored blocks.

import {
  LOOKUP, LOOKUP_BITS, buffer, count, extend, longCode, next, setFault, setReader,
} from './bits';
import { address, field } from './fields';
import {
  BIT_BYTES, BIT_TESTS, BYTES_NEEDED, FAULT_CODE, FAULT_RUN, ORDER, RANKS, SCAN_AC_TABLE, SCAN_PLACES, SCAN_POSITIONS, STORED_MASK,
} from './records.ts';

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

/** The place of a coefficient that the band does not have. */
const NONE: i32 = 64;

/** Corrections that are taken together with a symbol: then enough bits are left for the next look-up. */
const MOST_AT_ONCE: i32 = 24;

/**
 * Lists the places of the ones in `free` at `list`, then sixteen times none: as far as a run goes. 80 bytes.
 * `table`: see PLACES.
 */
// @ts-ignore: decorator
@inline function listPlaces(list: usize, free: u64, table: usize): void {
  list = listOfByte(list, free, table, 0);
  list = listOfByte(list, free, table, 1);
  list = listOfByte(list, free, table, 2);
  list = listOfByte(list, free, table, 3);
  list = listOfByte(list, free, table, 4);
  list = listOfByte(list, free, table, 5);
  list = listOfByte(list, free, table, 6);
  list = listOfByte(list, free, table, 7);
  v128.store(list, i8x16.splat(<i8>NONE));
}

// @ts-ignore: decorator
@inline function listOfByte(list: usize, free: u64, table: usize, byte: u64): usize {
  const ones = <usize>(free >> (byte * 8)) & 255;
  store<u64>(list, load<u64>(table + (ones << 3)) + byte * 0x0808080808080808);
  return list + popcnt<usize>(ones);
}

/** Bits of the block that correct coefficients, the last one lowest. */
let corrections: u64 = 0;

/** Takes `number` (0 to 63) corrections. */
function takeCorrections(number: i32): void {
  refill();
  if (number > 32) {
    corrections = (corrections << 32) | (buffer >> 32);
    setReader(next, buffer << 32, count - 32);
    refill();
    number -= 32;
  }
  corrections = (corrections << <u64>number) | ((buffer >> 1) >> <u64>(63 - number));
  setReader(next, buffer << <u64>number, count - number);
}

/**
 * One more bit of a band of AC coefficients; what was zero may become 1 or -1 times `1 << low`. Corrections
 * are collected, in zigzag order, and added at the end. `list`: 80 bytes of memory.
 */
export function refineAc(component: usize, block: usize, list: usize, first: i32, last: i32, low: i32): void {
  const known = knownOf(block, first, last);
  corrections = 0;
  const k = bandRun == 0 ? refineSymbols(component, block, list, known, first, last, low) : first;
  takeOfRun(known, k);
  if (corrections) addCorrections(component, block, known, low);
}

/** The same of a block whose coefficients are not needed. */
export function passRefinedAc(component: usize, block: usize, list: usize, first: i32, last: i32): void {
  const known = knownOf(block, first, last);
  takeOfRun(known, bandRun == 0 ? passSymbols(component, block, list, known, first, last) : first);
}

/** The band's coefficients that are not zero yet. */
// @ts-ignore: decorator
@inline function knownOf(block: usize, first: i32, last: i32): u64 {
  return load<u64>(block, STORED_MASK) & bandOf(first, last);
}

// @ts-ignore: decorator
@inline function bandOf(first: i32, last: i32): u64 {
  return (<u64>-1 >> <u64>(63 - last)) & (<u64>-1 << <u64>first);
}

/** Where a run covers the band from place `k` on: its corrections. */
// @ts-ignore: decorator
@inline function takeOfRun(known: u64, k: i32): void {
  if (bandRun == 0) return;
  bandRun--;
  const due = known >> <u64>k;
  if (due) takeCorrections(<i32>popcnt<u64>(due));
}

function refineSymbols(component: usize, block: usize, list: usize, known: u64, first: i32, last: i32, low: i32): i32 {
  return readSymbols(component, block, list, known, first, last, low, true);
}

function passSymbols(component: usize, block: usize, list: usize, known: u64, first: i32, last: i32): i32 {
  return readSymbols(component, block, list, known, first, last, 0, false);
}

/**
 * The symbols of a block, each with the corrections of what it passes. Returns the place behind the last one.
 * Where a run over the rest of the band begins, its corrections are still to be taken. As in sequential.ts a
 * look-up does not wait for the bits that are loaded meanwhile. `isNeeded`: a constant, as above.
 */
// @ts-ignore: decorator
@inline function readSymbols(component: usize, block: usize, list: usize, known: u64, first: i32, last: i32, low: i32, isNeeded: bool): i32 {
  const table = address(component, SCAN_AC_TABLE);
  const positions = address(component, SCAN_POSITIONS);
  // the band's coefficients that are zero
  listPlaces(list, bandOf(first, last) & ~known, address(component, SCAN_PLACES));
  refill();
  let bits = buffer;
  let valid = count;
  let from = next;
  const step = 1 << low;
  let taken: u64 = 0;
  /** what is no longer zero */
  let added: u64 = 0;
  let k = first;
  do {
    let entry = <i32>load<u16>(table + LOOKUP + (<usize>(bits >> (64 - LOOKUP_BITS)) << 1));
    bits |= load<u64>(from) >> <u64>valid;
    from -= <usize>((63 - valid) >> 3);
    valid |= 56;
    /** corrections that are taken at once; -1 for sixteen zeros, which have no sign */
    let most = MOST_AT_ONCE;
    if ((entry & 0xf00) != 0x100) {
      if (entry == 0) entry = longCode(table, bits, LOOKUP_BITS);
      if (entry < 0 || (entry & 0xf00) > 0x100) {
        setFault(FAULT_CODE);
        break;
      }
      if ((entry & 0xf00) == 0) {
        const more = entry >> 12;
        if (more != 15) {
          bits <<= <u64>(entry & 255);
          bandRun = (1 << more) + <i32>((bits >> 1) >> <u64>(63 - more));
          bits <<= <u64>more;
          valid -= (entry & 255) + more;
          break;
        }
        most = -1;
      }
    }
    bits <<= <u64>(entry & 255);
    valid -= entry & 255;
    const zeros = entry >> 12;
    const place = <i32>load<u8>(list + <usize>zeros);
    list += <usize>zeros + 1;
    /** of the coefficients passed: those that were not zero */
    const number = place - k - zeros;
    const sign = <i32>(<i64>bits >> 63);
    if (i32(place == NONE) | i32(number > most)) {
      const hasSign = i32(most > 0);
      setReader(from, bits << <u64>hasSign, valid - hasSign);
      corrections = taken;
      takeCorrections(place == NONE ? <i32>popcnt<u64>(known >> <u64>k) : number);
      refill();
      taken = corrections;
      bits = buffer;
      valid = count;
      from = next;
      if (place == NONE) {
        if (hasSign) setFault(FAULT_RUN);
        break;
      }
      if (!hasSign) {
        k = place + 1;
        continue;
      }
    } else {
      if (isNeeded) taken = (taken << <u64>number) | ((bits & 0x7fffffffffffffff) >> <u64>(63 - number));
      bits <<= <u64>(number + 1);
      valid -= number + 1;
    }
    if (isNeeded) store<i16>(block + <usize>load<u8>(positions + <usize>place), <i16>((sign & (step << 1)) - step));
    added |= <u64>1 << <u64>place;
    k = place + 1;
  } while (k <= last);
  setReader(from, bits, valid);
  corrections = taken;
  if (added) store<u64>(block, load<u64>(block, STORED_MASK) | added, STORED_MASK);
  return k;
}

/** Up to so many coefficients are corrected one by one, more of them by vectors. */
const FEW: u64 = 5;

/** Adds to each of the coefficients `known`, towards its sign, its correction. */
function addCorrections(component: usize, block: usize, known: u64, low: i32): void {
  const total = popcnt<u64>(known);
  const bits = corrections << (64 - total);
  if (total > FEW) correctMany(component, block, known, bits, low);
  else correctFew(component, block, known, bits, low);
}

// @ts-ignore: decorator
@inline function correctFew(component: usize, block: usize, known: u64, bits: u64, low: i32): void {
  const positions = address(component, SCAN_POSITIONS);
  const step = 1 << low;
  for (let left = known; left; left &= left - 1) {
    const at = block + <usize>load<u8>(positions + <usize>ctz<u64>(left));
    const old = <i32>load<i16>(at);
    const sign = old >> 31;
    store<i16>(at, <i16>(old + (((step ^ sign) - sign) & <i32>(<i64>bits >> 63))));
    bits <<= 1;
  }
}

/**
 * Corrections become bytes of ones or zeros, sixteen at a time: first those of each coefficient in zigzag
 * order, then in the order of the block.
 */
function correctMany(component: usize, block: usize, known: u64, bits: u64, low: i32): void {
  const ranks = address(component, SCAN_PLACES) + RANKS;
  const step = i16x8.splat(<i16>(<i32>1 << low));
  const second = bits << popcnt<u64>(known & 0xffff);
  const third = second << popcnt<u64>(known & 0xffff0000);
  const a = spreadCorrections(bits, known, ranks);
  const b = spreadCorrections(second, known >> 16, ranks);
  const c = spreadCorrections(third, known >> 32, ranks);
  const d = spreadCorrections(third << popcnt<u64>(known & 0xffff00000000), known >> 48, ranks);
  let order = address(component, SCAN_POSITIONS) + ORDER;
  const end = block + <usize>field(component, BYTES_NEEDED);
  for (; block < end; block += 32, order += 64) {
    const due = v128.or(
      v128.or(i8x16.swizzle(a, v128.load(order)), i8x16.swizzle(b, v128.load(order, 16))),
      v128.or(i8x16.swizzle(c, v128.load(order, 32)), i8x16.swizzle(d, v128.load(order, 48))),
    );
    v128.store(block, corrected(v128.load(block), v128.and(i16x8.extend_low_i8x16_s(due), step)));
    v128.store(block, corrected(v128.load(block, 16), v128.and(i16x8.extend_high_i8x16_s(due), step)), 16);
  }
}

/** For the low sixteen of `known` a byte each: ones where its correction, the next of `bits`, is one. */
// @ts-ignore: decorator
@inline function spreadCorrections(bits: u64, known: u64, ranks: usize): v128 {
  const low = <usize>known & 255;
  const high = <usize>(known >> 8) & 255;
  // each of the next sixteen corrections as a byte
  const tests = v128.load(ranks, BIT_TESTS);
  const pair = i8x16.swizzle(i64x2.splat(<i64>bits), v128.load(ranks, BIT_BYTES));
  const next = i8x16.eq(v128.and(pair, tests), tests);
  const before = load<u64>(ranks + (high << 3)) + popcnt<u64>(<u64>low) * 0x0101010101010101;
  return i8x16.swizzle(next, i64x2.replace_lane(v128.load64_zero(ranks + (low << 3)), 1, <i64>before));
}

/** Coefficients with `step` added towards their sign. */
// @ts-ignore: decorator
@inline function corrected(coefficients: v128, step: v128): v128 {
  const sign = i16x8.shr_s(coefficients, 15);
  return i16x8.add(coefficients, i16x8.sub(v128.xor(step, sign), sign));
}
