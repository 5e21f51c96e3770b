// PNG to RGBA, whole or reduced, row by row: inflated, unfiltered and reduced while the bytes are in the
// cache. At full size every byte is the one that libpng gives.
//
// The caller parses chunks, lays out memory and describes the picture (png/records.ts), hands the compressed
// data over in pieces and takes rows as they come; this module never reads a chunk and never allocates. Any
// doubt about the data ends with a fault. All rows are judged, those too that are not wanted.

import { buildEntries } from './png/codes';
import { addToCrc } from './png/crc';
import {
  beginInflate, buildPatterns, endInput, inflateOutput, inflateTo, moveInput as moveInputTo, moveOutput,
} from './png/inflate';
import { address, field } from './fields';
import {
  FAULT_END, FINISHED, INPUT, MOST_BLOCKS, ROW_BYTES, ROWS_READY, WINDOW, WINDOW_BYTES,
} from './png/records.ts';
import { beginCopy, copyRow, isCopyOpaque } from './reduction/copy';
import {
  HEIGHT, IS_REDUCED, OUT, OUT_HEIGHT, OUT_LEFT, OUT_ROWS, OUT_TOP, OUT_WIDTH,
} from './reduction/records.ts';
import {
  addRow, beginReduce, closeRow, completesRow, endRow, isPast, isReducedOpaque,
} from './reduction/reduce';
import { beginRows, judgeRow, rowAt, rowSpanEnd, rowSpanStart, undoRow } from './png/rows';

export { addToCrc, endInput };

/** What matches may refer to. */
const HISTORY_BYTES: usize = 32768;

let input: usize = 0;
let windowAt: usize = 0;
let windowEnd: usize = 0;
/** the filter's byte of the next row */
let rowFrom: usize = 0;
let strideBytes: usize = 0;
let nextRow: i32 = 0;
let height: i32 = 0;
let isReduced: bool = false;
let out: usize = 0;
let outRows: i32 = 0;
let outTop: i32 = 0;
let outLeft: usize = 0;
let outBytes: usize = 0;
/** rows at `out`, and whether the caller has them */
let ready: i32 = 0;
let isTaken: bool = false;
/** rows that are still to be written */
let rowsLeft: i32 = 0;

/** First byte of memory that the module itself does not use. */
export function heapBase(): usize {
  return __heap_base;
}

/** Fills the constant tables. Once for each instance. */
export function initialize(): void {
  buildPatterns();
  buildEntries();
}

export function beginPicture(picture: usize): void {
  input = address(picture, INPUT);
  windowAt = address(picture, WINDOW);
  windowEnd = windowAt + address(picture, WINDOW_BYTES);
  rowFrom = windowAt;
  strideBytes = address(picture, ROW_BYTES) + 1;
  nextRow = 0;
  height = field(picture, HEIGHT);
  isReduced = field(picture, IS_REDUCED) != 0;
  out = address(picture, OUT);
  outRows = field(picture, OUT_ROWS);
  outTop = field(picture, OUT_TOP);
  outLeft = address(picture, OUT_LEFT) << 2;
  outBytes = address(picture, OUT_WIDTH) << 2;
  ready = 0;
  isTaken = false;
  rowsLeft = field(picture, OUT_HEIGHT);
  beginInflate(input, windowAt, field(picture, MOST_BLOCKS));
  beginRows(picture);
  if (isReduced) beginReduce(picture);
  else beginCopy(picture);
}

/** Makes room for the next piece of input. Returns where it goes; endInput must follow. */
export function moveInput(): usize {
  return moveInputTo(input);
}

/** Rows at OUT after a call of `run` that answered ROWS_READY or FINISHED. */
export function readyRows(): i32 {
  return ready;
}

/** Whether all pixels of the result have alpha 255. */
export function isResultOpaque(): bool {
  return isReduced ? isReducedOpaque() : isCopyOpaque();
}

/** Goes on until rows are ready, input is missing, or all is done. What it answers: png/records.ts. */
export function run(): i32 {
  if (isTaken) {
    ready = 0;
    isTaken = false;
  }
  while (rowsLeft > 0) {
    if (ready == outRows) {
      isTaken = true;
      return ROWS_READY;
    }
    const to = out + <usize>ready * outBytes;
    let isWritten: bool;
    if (!isReduced) {
      const missing = takeRow();
      if (missing) return missing;
      isWritten = nextRow > outTop;
      if (isWritten) copyRow(rowAt() + outLeft, to);
    } else if (nextRow == height || isPast(nextRow)) isWritten = endRow(to);
    else if (completesRow(nextRow)) isWritten = closeRow(to);
    else {
      const missing = takeRow();
      if (missing) return missing;
      addRow(nextRow - 1, rowAt(), rowSpanStart() >> 2, ((rowSpanEnd() + 15) >> 4) << 2);
      isWritten = false;
    }
    if (isWritten) {
      ready++;
      rowsLeft--;
    }
  }
  for (; nextRow < height; nextRow++) {
    const missing = inflateRow();
    if (missing) return missing;
    const fault = judgeRow(rowFrom);
    if (fault) return fault;
    rowFrom += strideBytes;
  }
  isTaken = true;
  return FINISHED;
}

// @ts-ignore: decorator
@inline function takeRow(): i32 {
  const missing = inflateRow();
  if (missing) return missing;
  const nextAt = rowFrom + strideBytes;
  // a row that waits in the window may be undone beside this one
  const isNextThere = nextRow + 1 < height && inflateOutput() - nextAt >= strideBytes;
  const fault = undoRow(rowFrom, isNextThere ? nextAt : 0);
  if (fault) return fault;
  rowFrom = nextAt;
  nextRow++;
  return 0;
}

// @ts-ignore: decorator
@inline function inflateRow(): i32 {
  return inflateOutput() - rowFrom < strideBytes ? inflateMore() : 0;
}

/** Fills the window again. */
function inflateMore(): i32 {
  const end = inflateOutput();
  // what matches may refer to stays, and what was not used yet
  const keep = min<usize>(rowFrom, max<usize>(windowAt + HISTORY_BYTES, end) - HISTORY_BYTES);
  const by = keep - windowAt;
  if (by) {
    memory.copy(windowAt, keep, end - keep);
    moveOutput(by, windowAt);
    rowFrom -= by;
  }
  const missing = inflateTo(windowEnd);
  // What is wrong behind the rows that are there, as a checksum that is missing, is noticed where more are.
  if (inflateOutput() - rowFrom >= strideBytes) return 0;
  return missing ? missing : FAULT_END;
}
