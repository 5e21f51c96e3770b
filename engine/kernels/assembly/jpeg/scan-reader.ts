// The state of a scan's data: its segments, and its position between two rows of MCUs.

import {
  bitsUsed, buffer, count, leavePlace, next, place, segments, setFault, setReader, takePlace,
} from './bits';
import { address, field } from '../fields';
import { bandRun, setBandRun } from './progressive';
import {
  FAULT_REST, FAULT_SEGMENT, SCAN_BOTTOM, SCAN_BUFFER, SCAN_MCUS_LEFT, SCAN_NEXT, SCAN_RUN, SCAN_SEGMENT,
  SCAN_SEGMENT_COUNT, SCAN_TOP, SCAN_VALID,
} from './records.ts';

let segment: i32 = 0;
let segmentsThere: i32 = 0;
let mcusLeft: i32 = 0;
/** start and end of the segment's data, which is stored in reverse */
export let top: i64 = 0;
let bottom: i64 = 0;

export function beginScan(): void {
  setFault(0);
  segment = 0;
  segmentsThere = segments();
  mcusLeft = 0;
}

/** Resumes the scan where it was suspended. */
export function resumeScan(scan: usize): void {
  setReader(address(scan, SCAN_NEXT), load<u64>(scan, SCAN_BUFFER), field(scan, SCAN_VALID));
  setBandRun(field(scan, SCAN_RUN));
  segment = field(scan, SCAN_SEGMENT);
  segmentsThere = field(scan, SCAN_SEGMENT_COUNT);
  mcusLeft = field(scan, SCAN_MCUS_LEFT);
  top = <i64>load<u32>(scan, SCAN_TOP);
  bottom = <i64>load<u32>(scan, SCAN_BOTTOM);
}

export function suspendScan(scan: usize): void {
  store<u32>(scan, <u32>next, SCAN_NEXT);
  store<u64>(scan, buffer, SCAN_BUFFER);
  store<i32>(scan, count, SCAN_VALID);
  store<i32>(scan, bandRun, SCAN_RUN);
  store<i32>(scan, segment, SCAN_SEGMENT);
  store<i32>(scan, mcusLeft, SCAN_MCUS_LEFT);
  store<u32>(scan, <u32>top, SCAN_TOP);
  store<u32>(scan, <u32>bottom, SCAN_BOTTOM);
}

// @ts-ignore: decorator
@inline export function bitsThere(): i64 {
  return (top - bottom) * 8;
}

/** Whether the position is beyond the segment's data. */
// @ts-ignore: decorator
@inline export function isBeyond(): bool {
  return <i64>place + 56 < bottom * 8;
}

/** Starts the next segment once the last one is used up. Returns a fault or 0. */
export function beginMcu(table: usize, interval: i32, predictors: usize): i32 {
  if (mcusLeft == 0) {
    if (segment >= segmentsThere) return FAULT_SEGMENT;
    const entry = table + (<usize>segment << 3);
    top = <i64>load<u32>(entry);
    bottom = <i64>load<u32>(entry, 4);
    segment++;
    setReader(<usize>(top - 15), load<u64>(<usize>(top - 8)), 56);
    mcusLeft = interval ? interval : 0x7fffffff;
    setBandRun(0);
    store<u64>(predictors, 0);
    store<u64>(predictors, 0, 8);
  }
  mcusLeft--;
  return 0;
}

/** Like `beginMcu`, for a scan that is read at its position. */
// @ts-ignore: decorator
@inline export function beginBlocks(table: usize, interval: i32, predictors: usize): i32 {
  if (mcusLeft) {
    mcusLeft--;
    return 0;
  }
  if (segment) leavePlace();
  const missing = beginMcu(table, interval, predictors);
  takePlace();
  return missing;
}

/** Bytes after a segment's last block are ignored, as in browsers: scanners pad intervals. */
export function endScan(): i32 {
  return segment == segmentsThere ? 0 : FAULT_REST;
}
