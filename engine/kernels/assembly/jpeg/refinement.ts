// Refinement scans of a band of AC coefficients (T.81 G.1.2.3), two of them at a time.
//
// What takes the time is that each symbol waits for the one before: its code says which of the block's zeros
// it is about, that says how many corrections are passed, and only then is known where the next code begins.
// So two scans are read in one loop, a symbol of each in turn, and one goes on while the other waits. A scan
// that refines the component of the other stays a block behind it at least.
//
// A lane is the record of a scan, whose fields from LANE_KNOWN on say where it stands within a row of MCUs.

import { LOOKUP, LOOKUP_BITS, NOT_ONE, bitsAt, fault, longCode, setFault } from './bits';
import { address, field } from '../fields';
import {
  BIT_BYTES, BIT_TESTS, BLOCKS, BLOCKS_STRIDE, BLOCKS_X, BLOCKS_Y, BYTES_NEEDED, END_X, END_Y, FACTOR_X,
  FACTOR_Y, FAULT_BITS, FAULT_CODE, FAULT_RUN, FIRST_X, FIRST_Y, LANE_ADDED, LANE_AHEAD, LANE_BLOCK,
  LANE_BOTTOM, LANE_DONE, LANE_KNOWN, LANE_LIST, LANE_NEEDED_END, LANE_NEEDED_FROM, LANE_NEXT_BIT,
  LANE_PLACE, LANE_PLACES, LANE_ROWS, LANE_TAKEN, LANE_X, LAST_NEEDED, ORDER, PLACE_BYTES, PLACE_TESTS,
  RANKS, SCAN_AC_TABLE, SCAN_BOTTOM, SCAN_BUFFER, SCAN_COMPONENTS, SCAN_FIRST, SCAN_INTERVAL, SCAN_LAST,
  SCAN_LOW, SCAN_MCUS_LEFT, SCAN_NEXT, SCAN_PLACES, SCAN_POSITIONS, SCAN_PREDICTORS, SCAN_RUN, SCAN_SEGMENT,
  SCAN_SEGMENTS, SCAN_VALID, STORED_BYTES, STORED_MASK,
} from './records.ts';
import { bandOf } from './progressive';
import { beginMcu, resumeScan, suspendScan } from './scan-reader';

/** The state of a lane: reading a block's symbols, at the end of its row, or waiting for a block. */
const READING: i32 = 0;
const ENDED: i32 = 1;
const WAITING: i32 = 2;

/** The position of a coefficient outside the band: far from every other. */
const NONE: i32 = 255;
/** Added to the position of the band's last coefficient, after which the block ends. */
const END: i32 = 128;

/** Maximum of bits read after a code, sign and corrections: the next look-up still has its bits. */
const MOST_AT_ONCE: u64 = 25;

/** Blocks that a lane reads alone once the other one has caught up. */
const BLOCKS_AHEAD: i32 = 12;
const ALL: i32 = 0x7fffffff;

/** Decodes row `y` of MCUs of one scan. Sets the fault if anything is wrong. */
export function refineRow(picture: usize, scan: usize, y: i32): void {
  beginLane(picture, scan, 0, y);
  if (beginBlock(scan) == READING) readAlone(scan, ALL);
}

/** The same for two scans; the second one may refine the first. */
export function refineRowOfTwo(picture: usize, one: usize, two: usize, y: i32): void {
  const isSame = address(one, SCAN_COMPONENTS + BLOCKS) == address(two, SCAN_COMPONENTS + BLOCKS);
  beginLane(picture, one, 0, y);
  beginLane(picture, two, isSame ? one : 0, y);
  let first = beginBlock(one);
  let second = fault ? ENDED : beginBlock(two);
  while (fault == 0) {
    if (first == READING && second == READING) {
      const status = readBoth(one, two);
      first = status & 3;
      second = status >> 2;
    } else if (second == WAITING) {
      first = readAlone(one, BLOCKS_AHEAD);
      if (fault == 0) second = beginBlock(two);
    } else if (first == READING) first = readAlone(one, ALL);
    else if (second == READING) second = readAlone(two, ALL);
    else return;
  }
}

function beginLane(picture: usize, lane: usize, ahead: usize, y: i32): void {
  const only = lane + SCAN_COMPONENTS;
  const factorX = field(only, FACTOR_X);
  const factorY = field(only, FACTOR_Y);
  const rowsLeft = field(only, BLOCKS_Y) - y * factorY;
  // the blocks that are transformed, where the scale needs any of the band
  const isNeeded = field(only, LAST_NEEDED) >= field(lane, SCAN_FIRST) && y >= field(picture, FIRST_Y) && y < field(picture, END_Y);
  store<i32>(lane, isNeeded ? field(picture, FIRST_X) * factorX : ALL, LANE_NEEDED_FROM);
  store<i32>(lane, field(picture, END_X) * factorX, LANE_NEEDED_END);
  store<i32>(lane, rowsLeft < factorY ? rowsLeft : factorY, LANE_ROWS);
  store<i32>(lane, 0, LANE_X);
  store<u32>(lane, load<u32>(only, BLOCKS), LANE_BLOCK);
  store<i32>(lane, 0, LANE_DONE);
  store<u32>(lane, <u32>ahead, LANE_AHEAD);
  takeReader(lane);
  memory.fill(lane + LANE_PLACES + 80, <u8>NONE, 80);
}

/** Skips blocks in end-of-band runs, up to the next block with symbols. Returns the lane's new state. */
function beginBlock(lane: usize): i32 {
  const only = lane + SCAN_COMPONENTS;
  const first = field(lane, SCAN_FIRST);
  const last = field(lane, SCAN_LAST);
  const band = bandOf(first, last);
  const ahead = address(lane, LANE_AHEAD);
  while (true) {
    if (field(lane, LANE_X) == field(only, BLOCKS_X)) {
      const padding = field(only, BLOCKS_STRIDE) - field(only, BLOCKS_X);
      store<u32>(lane, load<u32>(lane, LANE_BLOCK) + <u32>(padding * <i32>STORED_BYTES), LANE_BLOCK);
      store<i32>(lane, field(lane, LANE_ROWS) - 1, LANE_ROWS);
      store<i32>(lane, 0, LANE_X);
    }
    if (field(lane, LANE_ROWS) <= 0) {
      endLane(lane);
      return ENDED;
    }
    if (ahead != 0 && field(ahead, LANE_DONE) <= field(lane, LANE_DONE)) return WAITING;
    const mcusLeft = field(lane, SCAN_MCUS_LEFT);
    if (mcusLeft) store<i32>(lane, mcusLeft - 1, SCAN_MCUS_LEFT);
    else if (!beginSegment(lane)) return ENDED;
    const known = load<u64>(address(lane, LANE_BLOCK), STORED_MASK) & band;
    store<u64>(lane, known, LANE_KNOWN);
    const run = field(lane, SCAN_RUN);
    if (run == 0) {
      listPlaces(lane + LANE_PLACES, band & ~known, last, address(only, SCAN_PLACES));
      store<u32>(lane, <u32>(lane + LANE_PLACES), LANE_LIST);
      store<i32>(lane, first - 1, LANE_PLACE);
      store<u64>(lane, 0, LANE_TAKEN);
      store<u64>(lane, 0, LANE_ADDED);
      return READING;
    }
    store<i32>(lane, run - 1, SCAN_RUN);
    corrections = 0;
    nextBit = load<u64>(lane, LANE_NEXT_BIT);
    takeCorrections(popcnt<u64>(known));
    if (!endBlock(lane, known, 0)) return ENDED;
  }
  return ENDED;
}

/** Starts the lane's next segment. Returns whether there is one. */
function beginSegment(lane: usize): bool {
  endLane(lane);
  resumeScan(lane);
  const missing = beginMcu(address(lane, SCAN_SEGMENTS), field(lane, SCAN_INTERVAL), lane + SCAN_PREDICTORS);
  if (missing) {
    setFault(missing);
    return false;
  }
  suspendScan(lane);
  takeReader(lane);
  return true;
}

/** Resumes the scan where it was suspended. */
function takeReader(lane: usize): void {
  store<u64>(lane, (<u64>load<u32>(lane, SCAN_NEXT) << 3) + 8 + <u64>load<u32>(lane, SCAN_VALID), LANE_NEXT_BIT);
  store<u64>(lane, <u64>load<u32>(lane, SCAN_BOTTOM) << 3, LANE_BOTTOM);
}

/** Suspends the scan at the lane's position, if it has begun. */
function endLane(lane: usize): void {
  if (field(lane, SCAN_SEGMENT) == 0) return;
  const at = load<u64>(lane, LANE_NEXT_BIT);
  store<u32>(lane, <u32>(at >> 3) - 7, SCAN_NEXT);
  store<i32>(lane, 48 + (<i32>at & 7), SCAN_VALID);
  store<u64>(lane, bitsAt(at) & ~255, SCAN_BUFFER);
}

/** Ends the lane's block, after its signs and corrections were read. Returns whether the data is valid. */
// @ts-ignore: decorator
@inline function endBlock(lane: usize, known: u64, added: u64): bool {
  const block = address(lane, LANE_BLOCK);
  const x = field(lane, LANE_X);
  if (added != 0 || corrections != 0) {
    store<u64>(block, load<u64>(block, STORED_MASK) | added, STORED_MASK);
    if (x >= field(lane, LANE_NEEDED_FROM) && x < field(lane, LANE_NEEDED_END)) {
      refineBlock(lane + SCAN_COMPONENTS, block, known, added, field(lane, SCAN_LOW));
    }
  }
  store<u32>(lane, <u32>(block + STORED_BYTES), LANE_BLOCK);
  store<i32>(lane, x + 1, LANE_X);
  store<i32>(lane, field(lane, LANE_DONE) + 1, LANE_DONE);
  store<u64>(lane, nextBit, LANE_NEXT_BIT);
  if (<i64>nextBit + 56 >= load<i64>(lane, LANE_BOTTOM)) return true;
  setFault(FAULT_BITS);
  return false;
}

/**
 * Reads the symbol at which a lane stopped: one that ends the block, a run of sixteen zeros, a long code, or
 * one with many corrections.
 */
function rareSymbol(lane: usize): i32 {
  const table = address(lane, SCAN_COMPONENTS + SCAN_AC_TABLE);
  nextBit = load<u64>(lane, LANE_NEXT_BIT);
  corrections = load<u64>(lane, LANE_TAKEN);
  const known = load<u64>(lane, LANE_KNOWN);
  let added = load<u64>(lane, LANE_ADDED);
  let bits = bitsAt(nextBit);
  const entry = <i32>load<u16>(table + (<usize>(bits >> (64 - LOOKUP_BITS)) << 1), LOOKUP);
  const k = field(lane, LANE_PLACE) + 1;
  if (entry <= NOT_ONE << 8) {
    const found = longCode(table, bits, 0);
    if (found < 0 || (found & 0xf00) > 0x100) {
      setFault(FAULT_CODE);
      return ENDED;
    }
    nextBit -= <u64>(found & 255);
    bits = bitsAt(nextBit);
    const zeros = found >> 12;
    const hasSign = (found >> 8) & 1;
    const isRun = hasSign == 0 && zeros != 15;
    if (isRun) {
      store<i32>(lane, (1 << zeros) - 1 + <i32>((bits >> 1) >> <u64>(63 - zeros)), SCAN_RUN);
      nextBit -= <u64>zeros;
    } else {
      const list = address(lane, LANE_LIST) + <usize>zeros;
      const listed = <i32>load<u8>(list);
      if (listed != NONE) {
        const place = listed & (END - 1);
        nextBit -= <u64>hasSign;
        takeCorrections(<u64>(place - k - zeros));
        if (hasSign) {
          corrections = (corrections << 1) | (bits >> 63);
          added |= <u64>1 << <u64>place;
        }
        if (listed >= END) return endBlock(lane, known, added) ? beginBlock(lane) : ENDED;
        store<u32>(lane, <u32>list + 1, LANE_LIST);
        store<i32>(lane, place, LANE_PLACE);
        store<u64>(lane, corrections, LANE_TAKEN);
        store<u64>(lane, added, LANE_ADDED);
        store<u64>(lane, nextBit, LANE_NEXT_BIT);
        return READING;
      }
      if (hasSign) {
        setFault(FAULT_RUN);
        return ENDED;
      }
    }
  } else nextBit -= 64 - <u64>(entry & 255);
  takeCorrections(popcnt<u64>(known >> <u64>k));
  return endBlock(lane, known, added) ? beginBlock(lane) : ENDED;
}

// @ts-ignore: decorator
@inline function keep(lane: usize, nextBit: u64, list: usize, place: u64, taken: u64, added: u64): void {
  store<u64>(lane, nextBit, LANE_NEXT_BIT);
  store<u32>(lane, <u32>list, LANE_LIST);
  store<u32>(lane, <u32>place, LANE_PLACE);
  store<u64>(lane, taken, LANE_TAKEN);
  store<u64>(lane, added, LANE_ADDED);
}

/** Reads one lane until it has finished at least `blocks` more blocks, or its row. */
function readAlone(lane: usize, blocks: i32): i32 {
  const table = address(lane, SCAN_COMPONENTS + SCAN_AC_TABLE);
  let nextBit = load<u64>(lane, LANE_NEXT_BIT);
  let list = address(lane, LANE_LIST);
  let place = <u64>load<u32>(lane, LANE_PLACE);
  let taken = load<u64>(lane, LANE_TAKEN);
  let added = load<u64>(lane, LANE_ADDED);
  let bits = bitsAt(nextBit);
  const enough = blocks == ALL ? ALL : field(lane, LANE_DONE) + blocks;
  while (true) {
    const entry = <u64>load<u16>(table + (<usize>(bits >> (64 - LOOKUP_BITS)) << 1), LOOKUP);
    bits = bitsAt(nextBit);
    const zeros = entry >> 8;
    const to = <u64>load<u8>(list + <usize>zeros);
    const less = place + zeros - to;
    if (less >= -MOST_AT_ONCE) {
      bits = rotr<u64>(bits, entry);
      taken = rotr<u64>(taken, less) | (((bits << 1) >> less) & ~1) | (bits >> 63);
      added |= <u64>1 << to;
      nextBit += (entry & 255) + less - 64;
      list += <usize>zeros + 1;
      bits = rotr<u64>(bits, less);
      place = to;
    } else {
      keep(lane, nextBit, list, place, taken, added);
      const status = rareSymbol(lane);
      if (status != READING || field(lane, LANE_DONE) >= enough) return status;
      nextBit = load<u64>(lane, LANE_NEXT_BIT);
      list = address(lane, LANE_LIST);
      place = <u64>load<u32>(lane, LANE_PLACE);
      taken = load<u64>(lane, LANE_TAKEN);
      added = load<u64>(lane, LANE_ADDED);
      bits = bitsAt(nextBit);
    }
  }
  return ENDED;
}

/** Reads two lanes until one of them stops reading. Returns their states: one | two << 2. */
function readBoth(laneA: usize, laneB: usize): i32 {
  const tableA = address(laneA, SCAN_COMPONENTS + SCAN_AC_TABLE);
  const tableB = address(laneB, SCAN_COMPONENTS + SCAN_AC_TABLE);
  let nextBitA = load<u64>(laneA, LANE_NEXT_BIT);
  let listA = address(laneA, LANE_LIST);
  let placeA = <u64>load<u32>(laneA, LANE_PLACE);
  let takenA = load<u64>(laneA, LANE_TAKEN);
  let addedA = load<u64>(laneA, LANE_ADDED);
  let bitsA = bitsAt(nextBitA);
  let nextBitB = load<u64>(laneB, LANE_NEXT_BIT);
  let listB = address(laneB, LANE_LIST);
  let placeB = <u64>load<u32>(laneB, LANE_PLACE);
  let takenB = load<u64>(laneB, LANE_TAKEN);
  let addedB = load<u64>(laneB, LANE_ADDED);
  let bitsB = bitsAt(nextBitB);
  while (true) {
    const entryA = <u64>load<u16>(tableA + (<usize>(bitsA >> (64 - LOOKUP_BITS)) << 1), LOOKUP);
    bitsA = bitsAt(nextBitA);
    const zerosA = entryA >> 8;
    const toA = <u64>load<u8>(listA + <usize>zerosA);
    const lessA = placeA + zerosA - toA;
    if (lessA >= -MOST_AT_ONCE) {
      bitsA = rotr<u64>(bitsA, entryA);
      takenA = rotr<u64>(takenA, lessA) | (((bitsA << 1) >> lessA) & ~1) | (bitsA >> 63);
      addedA |= <u64>1 << toA;
      nextBitA += (entryA & 255) + lessA - 64;
      listA += <usize>zerosA + 1;
      bitsA = rotr<u64>(bitsA, lessA);
      placeA = toA;
    } else {
      keep(laneA, nextBitA, listA, placeA, takenA, addedA);
      const status = rareSymbol(laneA);
      if (status != READING) {
        keep(laneB, nextBitB, listB, placeB, takenB, addedB);
        return status;
      }
      nextBitA = load<u64>(laneA, LANE_NEXT_BIT);
      listA = address(laneA, LANE_LIST);
      placeA = <u64>load<u32>(laneA, LANE_PLACE);
      takenA = load<u64>(laneA, LANE_TAKEN);
      addedA = load<u64>(laneA, LANE_ADDED);
      bitsA = bitsAt(nextBitA);
    }
    const entryB = <u64>load<u16>(tableB + (<usize>(bitsB >> (64 - LOOKUP_BITS)) << 1), LOOKUP);
    bitsB = bitsAt(nextBitB);
    const zerosB = entryB >> 8;
    const toB = <u64>load<u8>(listB + <usize>zerosB);
    const lessB = placeB + zerosB - toB;
    if (lessB >= -MOST_AT_ONCE) {
      bitsB = rotr<u64>(bitsB, entryB);
      takenB = rotr<u64>(takenB, lessB) | (((bitsB << 1) >> lessB) & ~1) | (bitsB >> 63);
      addedB |= <u64>1 << toB;
      nextBitB += (entryB & 255) + lessB - 64;
      listB += <usize>zerosB + 1;
      bitsB = rotr<u64>(bitsB, lessB);
      placeB = toB;
    } else {
      keep(laneB, nextBitB, listB, placeB, takenB, addedB);
      const status = rareSymbol(laneB);
      if (status != READING) {
        keep(laneA, nextBitA, listA, placeA, takenA, addedA);
        return status << 2;
      }
      nextBitB = load<u64>(laneB, LANE_NEXT_BIT);
      listB = address(laneB, LANE_LIST);
      placeB = <u64>load<u32>(laneB, LANE_PLACE);
      takenB = load<u64>(laneB, LANE_TAKEN);
      addedB = load<u64>(laneB, LANE_ADDED);
      bitsB = bitsAt(nextBitB);
    }
  }
  return 0;
}

/**
 * Lists the places of the ones in `free` at `list`, then sixteen times none: as far as a run goes. 80 bytes.
 * `last`: the band's last place. `table`: see SCAN_PLACES.
 */
// @ts-ignore: decorator
@inline function listPlaces(list: usize, free: u64, last: i32, table: usize): void {
  list = listOfByte(list, free, table, 0);
  list = listOfByte(list, free, table, 1);
  list = listOfByte(list, free, table, 2);
  list = listOfByte(list, free, table, 3);
  list = listOfByte(list, free, table, 4);
  list = listOfByte(list, free, table, 5);
  list = listOfByte(list, free, table, 6);
  list = listOfByte(list, free, table, 7);
  v128.store(list, i8x16.splat(<i8>NONE));
  if ((free >> <u64>last) & 1) store<u8>(list - 1, <u8>(last | END));
}

// @ts-ignore: decorator
@inline function listOfByte(list: usize, free: u64, table: usize, byte: u64): usize {
  const ones = <usize>(free >> (byte * 8)) & 255;
  store<u64>(list, load<u64>(table + (ones << 3)) + byte * 0x0808080808080808);
  return list + popcnt<usize>(ones);
}

/** The read position of the current lane: see `bitsAt`. */
let nextBit: u64 = 0;

/** Signs and corrections of the current block, in zigzag order, the last one lowest. */
let corrections: u64 = 0;

/** Reads `number` (0 to 63) corrections. */
function takeCorrections(number: u64): void {
  if (number > 32) {
    corrections = (corrections << 32) | (bitsAt(nextBit) >> 32);
    nextBit -= 32;
    number -= 32;
  }
  corrections = (corrections << number) | ((bitsAt(nextBit) >> 1) >> (63 - number));
  nextBit -= number;
}

/** Up to this many coefficients are corrected one by one, more with vectors. */
const FEW: u64 = 5;

/**
 * Refines a block by `corrections`: known coefficients are corrected towards their sign, added ones become 1
 * or -1 times `1 << low`.
 */
function refineBlock(component: usize, block: usize, known: u64, added: u64, low: i32): void {
  const total = popcnt<u64>(known | added);
  const bits = corrections << (64 - total);
  if (total > FEW) refineMany(component, block, known | added, added, bits, low);
  else refineFew(component, block, known | added, added, bits, low);
}

// @ts-ignore: decorator
@inline function refineFew(component: usize, block: usize, all: u64, added: u64, bits: u64, low: i32): void {
  const positions = address(component, SCAN_POSITIONS);
  const step = 1 << low;
  for (let left = all; left; left &= left - 1) {
    const place = ctz<u64>(left);
    const at = block + <usize>load<u8>(positions + <usize>place);
    const due = <i32>(<i64>bits >> 63);
    if ((added >> place) & 1) store<i16>(at, <i16>((due & (step << 1)) - step));
    else {
      const old = <i32>load<i16>(at);
      const sign = old >> 31;
      store<i16>(at, <i16>(old + (((step ^ sign) - sign) & due)));
    }
    bits <<= 1;
  }
}

/**
 * Corrections become bytes of ones or zeros, sixteen at a time: first those of each coefficient in zigzag
 * order, then in the order of the block. What is added is there -1 or 1 for 1 or -1.
 */
function refineMany(component: usize, block: usize, all: u64, added: u64, bits: u64, low: i32): void {
  const ranks = address(component, SCAN_PLACES) + RANKS;
  const step = i16x8.splat(<i16>-(<i32>1 << low));
  const second = bits << popcnt<u64>(all & 0xffff);
  const third = second << popcnt<u64>(all & 0xffff0000);
  const a = v128.or(spreadCorrections(bits, all, ranks), onesOf(added, ranks));
  const b = v128.or(spreadCorrections(second, all >> 16, ranks), onesOf(added >> 16, ranks));
  const c = v128.or(spreadCorrections(third, all >> 32, ranks), onesOf(added >> 32, ranks));
  const d = v128.or(spreadCorrections(third << popcnt<u64>(all & 0xffff00000000), all >> 48, ranks), onesOf(added >> 48, ranks));
  let order = address(component, SCAN_POSITIONS) + ORDER;
  const end = block + <usize>field(component, BYTES_NEEDED);
  for (; block < end; block += 32, order += 64) {
    const due = v128.or(
      v128.or(i8x16.swizzle(a, v128.load(order)), i8x16.swizzle(b, v128.load(order, 16))),
      v128.or(i8x16.swizzle(c, v128.load(order, 32)), i8x16.swizzle(d, v128.load(order, 48))),
    );
    v128.store(block, corrected(v128.load(block), i16x8.mul(i16x8.extend_low_i8x16_s(due), step)));
    v128.store(block, corrected(v128.load(block, 16), i16x8.mul(i16x8.extend_high_i8x16_s(due), step)), 16);
  }
}

/** A byte for each of the lowest sixteen of `places`: 1 or 0. */
// @ts-ignore: decorator
@inline function onesOf(places: u64, ranks: usize): v128 {
  const tests = v128.load(ranks, PLACE_TESTS);
  const pair = i8x16.swizzle(i64x2.splat(<i64>places), v128.load(ranks, PLACE_BYTES));
  return i8x16.neg(i8x16.eq(v128.and(pair, tests), tests));
}

/** For the low sixteen of `known` a byte each: ones where its correction, the next of `bits`, is one. */
// @ts-ignore: decorator
@inline function spreadCorrections(bits: u64, known: u64, ranks: usize): v128 {
  const low = <usize>known & 255;
  const high = <usize>(known >> 8) & 255;
  // the next sixteen corrections as bytes
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
