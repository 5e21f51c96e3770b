// PNG to RGBA, whole or reduced, row by row: inflated, unfiltered and reduced while the bytes are in the
// cache. At full size, every byte equals libpng's.
// The caller parses chunks, lays out memory and describes the picture (png/records.ts), passes the compressed
// data in pieces and takes rows as they are completed; this module never reads a chunk and never allocates.
// Any doubt about the data ends with a fault. All rows are validated, including those that are not requested.

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
import { beginRows, rowAt, rowSpanEnd, rowSpanStart, undoRow, validateRow } from './png/rows';

export { addToCrc, endInput };

/** The window that matches may refer to. */
const HISTORY_BYTES: usize = 32768;

let input: usize = 0;
let windowAt: usize = 0;
let windowEnd: usize = 0;
/** the filter byte of the next row */
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
/** rows at `out`, and whether the caller has taken them */
let ready: i32 = 0;
let isTaken: bool = false;
/** rows still to be written */
let rowsLeft: i32 = 0;

/** First byte of memory not used by the module itself. */
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

/** Makes room for the next piece of input. Returns its address; endInput must follow. */
export function moveInput(): usize {
  return moveInputTo(input);
}

/** Number of rows at OUT after `run` returned ROWS_READY or FINISHED. */
export function readyRows(): i32 {
  return ready;
}

/** Whether all pixels of the result have alpha 255. */
export function isResultOpaque(): bool {
  return isReduced ? isReducedOpaque() : isCopyOpaque();
}

/** Continues until rows are ready, input is needed, or everything is done. Return values: png/records.ts. */
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
    const fault = validateRow(rowFrom);
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
  // the next row is already in the window and may be unfiltered together with this one
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

/** Refills the window. */
function inflateMore(): i32 {
  const end = inflateOutput();
  // retains the window of matches and unused data
  const keep = min<usize>(rowFrom, max<usize>(windowAt + HISTORY_BYTES, end) - HISTORY_BYTES);
  const by = keep - windowAt;
  if (by) {
    memory.copy(windowAt, keep, end - keep);
    moveOutput(by, windowAt);
    rowFrom -= by;
  }
  const missing = inflateTo(windowEnd);
  // Faults after the available rows, such as a missing checksum, are found once more data is read.
  if (inflateOutput() - rowFrom >= strideBytes) return 0;
  return missing ? missing : FAULT_END;
}
