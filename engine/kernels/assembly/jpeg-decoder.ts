// JPEG to RGBA: 8-bit grey and YCC, sequential and progressive, at N/8 of the size for N from 1 to 8. At 8/8,
// every byte equals libjpeg-turbo's.
// The caller parses headers, lays out memory and describes it in the structures of jpeg/records.ts; this
// module never reads a header and never allocates. Any doubt about the data ends with a fault, never with a
// partial picture.
// Faults: jpeg/records.ts.

import {
  LOOKUP, LOOKUP_BITS, bitsAt, bitsUsed, buildTable, extend, fault, leavePlace, longCode, markerAddress, markerCode,
  place, setFault, setPlace, takePlace, unstuff,
} from './jpeg/bits';
import { bandRows, beginRows, writeRows } from './jpeg/color';
import { address, field } from './fields';
import {
  BLOCKS, BLOCKS_PER_MCU, BLOCKS_STRIDE, BLOCKS_X, BLOCKS_Y, COEFFICIENTS, COMPONENT_BYTES, END_X, END_Y, FACTOR_X,
  FACTOR_Y, FAULT_BITS, FAULT_CODE, FAULT_SEGMENT, FIRST_X, FIRST_Y, LAST, LAST_NEEDED, LUMA_ROWS_PER_MCU, MCUS_X,
  MCUS_Y, PREDICTORS, RECORDS, RECORD_BYTES, RESTART_INTERVAL, SCAN_AC_TABLE, SCAN_BOTTOM, SCAN_BUFFER, SCAN_BYTES,
  SCAN_COMPONENTS, SCAN_COUNT, SCAN_PARTNER, SCAN_DC_TABLE, SCAN_FIRST, SCAN_HIGH, SCAN_INTERVAL, SCAN_LAST, SCAN_LOW,
  SCAN_MCUS_LEFT, SCAN_NEXT, SCAN_POSITIONS, SCAN_PREDICTOR, SCAN_PREDICTORS, SCAN_RUN, SCAN_SEGMENT, SCAN_SEGMENTS,
  SCAN_SEGMENT_COUNT, SCAN_TOP, SCAN_VALID, SCRATCH, SCRATCH_BLOCK, SCRATCH_PASSES, SEGMENT_TABLE, SLOTS, SLOT_BYTES,
  STORED_BASE, STORED_BYTES, STORED_MASK, STORED_STEP, STRETCH_Y, TARGET, TARGET_BASE, TARGET_STEP, TRANSFORM,
} from './jpeg/records.ts';
import { bandRun, firstAc, passFirstAc, setBandRun } from './jpeg/progressive';
import { refineRow, refineRowOfTwo } from './jpeg/refinement';
import {
  beginBlocks, beginMcu, beginScan, bitsThere, endScan, isBeyond, resumeScan, suspendScan, top,
} from './jpeg/scan-reader';
import { decodeBlocks } from './jpeg/sequential';
import { transformBlock } from './jpeg/transform';

export { bandRows, buildTable, markerAddress, markerCode, unstuff };

/** First byte of memory not used by the module itself. */
export function heapBase(): usize {
  return __heap_base;
}

// @ts-ignore: decorator
@inline function clearBlock(at: usize): void {
  const zero = i64x2.splat(0);
  v128.store(at, zero);
  v128.store(at, zero, 16);
  v128.store(at, zero, 32);
  v128.store(at, zero, 48);
  v128.store(at, zero, 64);
  v128.store(at, zero, 80);
  v128.store(at, zero, 96);
  v128.store(at, zero, 112);
}

/** All blocks of an MCU. */
function clearBlocks(scratch: usize): void {
  for (let block = scratch; block < scratch + SCRATCH_PASSES; block += SCRATCH_BLOCK) clearBlock(block);
}

/** Sets every block's target to the start of a row of MCUs. */
function beginRow(records: usize, end: usize, slot: i32): void {
  for (let record = records; record < end; record += RECORD_BYTES) {
    store<u32>(record, load<u32>(record, TARGET_BASE) + <u32>slot * load<u32>(record, SLOT_BYTES), TARGET);
  }
}

// @ts-ignore: decorator
@inline function moveTarget(record: usize): void {
  store<u32>(record, load<u32>(record, TARGET) + load<u32>(record, TARGET_STEP), TARGET);
}

/** Rows that are complete after a row of MCUs; the last row of upsampled chroma waits for the next. */
// @ts-ignore: decorator
@inline function rowsAfter(picture: usize, y: i32): i32 {
  return (y + 1) * field(picture, LUMA_ROWS_PER_MCU) - (field(picture, STRETCH_Y) && y + 1 < field(picture, MCUS_Y) ? 1 : 0);
}

/** Before the first row of MCUs of a sequential picture of one scan. */
export function beginSequential(picture: usize): void {
  beginScan();
  beginRows(picture);
}

/**
 * Decodes row `y` of a sequential picture's MCUs; rows must follow in order. Transforms it if requested, and
 * writes the rows completed by it. Returns a fault or 0.
 */
export function decodeRow(picture: usize, y: i32): i32 {
  const width = field(picture, MCUS_X);
  const interval = field(picture, RESTART_INTERVAL);
  const table = address(picture, SEGMENT_TABLE);
  const scratch = address(picture, SCRATCH);
  const predictors = address(picture, PREDICTORS);
  const records = picture + RECORDS;
  const end = records + <usize>field(picture, BLOCKS_PER_MCU) * RECORD_BYTES;
  const isWanted = y >= field(picture, FIRST_Y) && y < field(picture, END_Y);
  const firstX = isWanted ? field(picture, FIRST_X) : width;
  const endX = field(picture, END_X);
  if (isWanted) beginRow(records, end, y % field(picture, SLOTS));
  clearBlocks(scratch);
  for (let x: i32 = 0; x < width; x++) {
    const missing = beginMcu(table, interval, predictors);
    if (missing) return missing;
    decodeBlocks(records, end, scratch);
    if (fault) return fault;
    if (x >= firstX && x < endX) {
      let block = scratch;
      for (let record = records; record < end; record += RECORD_BYTES, block += SCRATCH_BLOCK) {
        const last = field(record, LAST);
        transformBlock(record, block, last, scratch);
        moveTarget(record);
        if (field(record, TRANSFORM) == 4) {
          // all that 4 x 4 samples need
          v128.store(block, i64x2.splat(0));
          v128.store(block, i64x2.splat(0), 16);
        } else if (last) clearBlock(block);
        else store<i16>(block, 0);
      }
    } else if (x == firstX - 1) {
      clearBlocks(scratch);
    }
    if (fault) return fault;
    if (bitsUsed(top) > bitsThere()) return FAULT_BITS;
  }
  if (isWanted) writeRows(picture, rowsAfter(picture, y));
  return 0;
}

/** After the last row of MCUs: a fault if restart intervals remain, or 0. */
export function endSequential(): i32 {
  return endScan();
}

/**
 * Row `y` of a progressive picture's MCUs: decoded from all of its `total` scans into the stored blocks (zero
 * before), refinements of AC after all others. The rows come in turn. Returns a fault or 0.
 */
export function decodeProgressiveRow(picture: usize, scans: usize, total: i32, y: i32): i32 {
  setFault(0);
  const end = scans + <usize>total * SCAN_BYTES;
  for (let scan = scans; scan < end; scan += SCAN_BYTES) {
    if (refinesAc(scan)) continue;
    resumeScan(scan);
    takePlace();
    const found = field(scan, SCAN_FIRST) ? decodeBand(picture, scan, y) : decodeDc(picture, scan, y);
    if (found) return found;
    leavePlace();
    suspendScan(scan);
  }
  for (let scan = scans; scan < end; scan += SCAN_BYTES) {
    if (!refinesAc(scan)) continue;
    const partner = address(scan, SCAN_PARTNER);
    if (partner == 0) refineRow(picture, scan, y);
    else if (partner < scan) refineRowOfTwo(picture, partner, scan, y);
    if (fault) return fault;
  }
  return y == field(picture, MCUS_Y) - 1 ? endScans(scans, end) : 0;
}

// @ts-ignore: decorator
@inline function refinesAc(scan: usize): bool {
  return field(scan, SCAN_FIRST) > 0 && field(scan, SCAN_HIGH) > 0;
}

function endScans(scans: usize, end: usize): i32 {
  for (let scan = scans; scan < end; scan += SCAN_BYTES) {
    resumeScan(scan);
    const rest = endScan();
    if (rest) return rest;
  }
  return 0;
}

/**
 * The DC coefficients of a row of MCUs. A scan of a single component visits only blocks that contain the
 * picture, each of which is an MCU.
 */
function decodeDc(picture: usize, scan: usize, y: i32): i32 {
  const components = field(scan, SCAN_COUNT);
  const high = field(scan, SCAN_HIGH);
  const low = field(scan, SCAN_LOW);
  const interval = field(scan, SCAN_INTERVAL);
  const table = address(scan, SCAN_SEGMENTS);
  const predictors = scan + SCAN_PREDICTORS;
  const only = scan + SCAN_COMPONENTS;
  const isAlone = components == 1;
  const width = isAlone ? field(only, BLOCKS_X) : field(picture, MCUS_X);
  const height = isAlone ? rowsOf(only, y) : 1;
  for (let row: i32 = 0; row < height; row++) {
    for (let x: i32 = 0; x < width; x++) {
      const missing = beginBlocks(table, interval, predictors);
      if (missing) return missing;
      let at = place;
      for (let component = only; component < only + <usize>components * COMPONENT_BYTES; component += COMPONENT_BYTES) {
        const across = isAlone ? 1 : field(component, FACTOR_X);
        const down = isAlone ? 1 : field(component, FACTOR_Y);
        const stride = address(component, BLOCKS_STRIDE) * STORED_BYTES;
        const dcTable = address(component, SCAN_DC_TABLE);
        const predictor = predictors + address(component, SCAN_PREDICTOR);
        let line = address(component, BLOCKS) + <usize>row * stride + <usize>(x * across) * STORED_BYTES;
        for (let j: i32 = 0; j < down; j++, line += stride) {
          const end = line + <usize>across * STORED_BYTES;
          for (let block = line; block < end; block += STORED_BYTES) {
            const bits = bitsAt(at);
            if (high) {
              store<i16>(block, load<i16>(block) | <i16>(<i32>(bits >> 63) << low));
              at--;
              continue;
            }
            const entry = load<i32>(dcTable + LOOKUP + (<usize>(bits >> (64 - LOOKUP_BITS)) << 2));
            let dc = load<i32>(predictor);
            if (entry & 255) {
              dc += entry >> 16;
              at -= <u64>(entry & 255);
            } else {
              const found = entry ? entry >> 8 : longCode(dcTable, bits, LOOKUP_BITS);
              if (found < 0) return FAULT_CODE;
              const length = found & 255;
              const size = found >> 8;
              dc += extend(bits << <u64>length, size);
              at -= <u64>(length + size);
            }
            store<i32>(predictor, dc);
            store<i16>(block, <i16>(dc << low));
          }
        }
      }
      setPlace(at);
      if (isBeyond()) return FAULT_BITS;
    }
  }
  return 0;
}

/** Rows of blocks in a row of MCUs that contain the picture. */
// @ts-ignore: decorator
@inline function rowsOf(component: usize, y: i32): i32 {
  const rows = field(component, FACTOR_Y);
  return min(field(component, BLOCKS_Y) - y * rows, rows);
}

/** A row of MCUs of a band of one component, in its first scan. */
function decodeBand(picture: usize, scan: usize, y: i32): i32 {
  const first = field(scan, SCAN_FIRST);
  const last = field(scan, SCAN_LAST);
  const low = field(scan, SCAN_LOW);
  const interval = field(scan, SCAN_INTERVAL);
  const table = address(scan, SCAN_SEGMENTS);
  const predictors = scan + SCAN_PREDICTORS;
  const only = scan + SCAN_COMPONENTS;
  const acTable = address(only, SCAN_AC_TABLE);
  const positions = address(only, SCAN_POSITIONS);
  const width = field(only, BLOCKS_X);
  const height = rowsOf(only, y);
  const lastNeeded = field(only, LAST_NEEDED);
  // the blocks that are transformed, if the scale needs any of the band
  const isNeeded = lastNeeded >= first && y >= field(picture, FIRST_Y) && y < field(picture, END_Y);
  const neededFrom = isNeeded ? field(picture, FIRST_X) * field(only, FACTOR_X) : width;
  const neededEnd = field(picture, END_X) * field(only, FACTOR_X);
  for (let row: i32 = 0; row < height; row++) {
    let block = address(only, BLOCKS) + <usize>(row * field(only, BLOCKS_STRIDE)) * STORED_BYTES;
    for (let x: i32 = 0; x < width; x++, block += STORED_BYTES) {
      const missing = beginBlocks(table, interval, predictors);
      if (missing) return missing;
      if (bandRun > 0) {
        setBandRun(bandRun - 1);
        continue;
      }
      if (x >= neededFrom && x < neededEnd) firstAc(block, acTable, positions, first, last, low);
      else passFirstAc(block, acTable, first, last);
      if (fault) return fault;
      if (isBeyond()) return FAULT_BITS;
    }
  }
  return 0;
}

/** Before the first row of a progressive picture is transformed. */
export function beginTransforms(picture: usize): void {
  setFault(0);
  beginRows(picture);
}

/** Transforms row `y` of a progressive picture's MCUs, and writes completed rows. Returns a fault or 0. */
export function transformRow(picture: usize, y: i32): i32 {
  const scratch = address(picture, SCRATCH);
  const firstX = field(picture, FIRST_X);
  const endX = field(picture, END_X);
  const records = picture + RECORDS;
  const end = records + <usize>field(picture, BLOCKS_PER_MCU) * RECORD_BYTES;
  beginRow(records, end, y % field(picture, SLOTS));
  for (let record = records; record < end; record += RECORD_BYTES) {
    const block = <usize>firstX * address(record, STORED_STEP);
    store<u32>(record, load<u32>(record, STORED_BASE) + <u32>(block * STORED_BYTES), COEFFICIENTS);
  }
  for (let x = firstX; x < endX; x++) {
    for (let record = records; record < end; record += RECORD_BYTES) {
      const block = address(record, COEFFICIENTS);
      const mask = load<u64>(block, STORED_MASK);
      transformBlock(record, block, mask ? 63 - <i32>clz<u64>(mask) : 0, scratch);
      moveTarget(record);
      store<u32>(record, <u32>(block + address(record, STORED_STEP) * STORED_BYTES), COEFFICIENTS);
    }
  }
  writeRows(picture, rowsAfter(picture, y));
  return fault;
}

/** Sets memory to zero. */
export function clear(at: usize, sizeBytes: usize): void {
  memory.fill(at, 0, sizeBytes);
}
