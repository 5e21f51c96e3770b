// WebP to RGBA, whole or reduced, row by row: lossy (VP8 key frames, RFC 6386) by rows of macroblocks, with
// or without alpha, and lossless (VP8L, RFC 9649). At full size, every byte equals libwebp's; reduction is as
// for PNG, or in YUV if it is by half or more and there is no alpha.
// The caller lays out memory, describes the picture (webp/records.ts) and takes rows as they are completed;
// this module never allocates. Any doubt about the data ends with a fault. All rows are validated, including
// those that are not requested.

import { address, field } from './fields';
import {
  END_COLUMN, FIRST_COLUMN, HEIGHT, IS_REDUCED, IS_YUV, OUT, OUT_HEIGHT, OUT_LEFT, OUT_ROWS, OUT_TOP, OUT_WIDTH,
  ROW,
} from './reduction/records.ts';
import { beginCopy, copyRow, isCopyOpaque } from './reduction/copy';
import {
  addRow, beginReduce, closeRow, completesRow, endRow, hasShares, isPast, isReducedOpaque,
} from './reduction/reduce';
import { beginAlpha, decodeAlpha, hasAlpha, validateAlpha, writeAlpha } from './webp/alpha';
import { setLowest } from './webp/bits';
import { readHeader } from './webp/header';
import { beginPixels, decodedPixels, decodePixels, judgePixels } from './webp/lossless/stream';
import {
  CHUNK, CHUNK_BYTES, END, FAULT_HEADER, FINISHED, INPUT_LEAD, IS_LOSSLESS, ROWS_READY, START,
} from './webp/records.ts';
import { beginRows, decodeRest, decodeTo, writePairs, writePixels } from './webp/rows';

let nextRow: i32 = 0;
let height: i32 = 0;
let isLossless: bool = false;
let isReduced: bool = false;
/** whether it is reduced before the colour conversion */
let isYuv: bool = false;
let pixels: usize = 0;
let start: usize = 0;
let end: usize = 0;
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

/** Returns ROWS_READY or a fault. */
export function beginPicture(picture: usize): i32 {
  const chunk = address(picture, CHUNK);
  const sizeBytes = address(picture, CHUNK_BYTES);
  nextRow = 0;
  height = field(picture, HEIGHT);
  isLossless = field(picture, IS_LOSSLESS) != 0;
  isReduced = field(picture, IS_REDUCED) != 0;
  isYuv = isReduced && field(picture, IS_YUV) != 0;
  pixels = address(picture, ROW);
  start = address(picture, isReduced ? FIRST_COLUMN : START);
  end = address(picture, isReduced ? END_COLUMN : END);
  out = address(picture, OUT);
  outRows = field(picture, OUT_ROWS);
  outTop = field(picture, OUT_TOP);
  outLeft = address(picture, OUT_LEFT) << 2;
  outBytes = address(picture, OUT_WIDTH) << 2;
  ready = 0;
  isTaken = false;
  rowsLeft = field(picture, OUT_HEIGHT);
  if (isReduced) beginReduce(picture);
  else beginCopy(picture);
  if (isLossless) return beginPixels(picture);
  reverseBytes(chunk, sizeBytes);
  setLowest(chunk - INPUT_LEAD);
  beginRows(picture, isYuv ? end << 1 : end);
  return readHeader(chunk, sizeBytes) ? beginAlpha(picture) : FAULT_HEADER;
}

/** Number of rows at OUT after `run` returned ROWS_READY or FINISHED. */
export function readyRows(): i32 {
  return ready;
}

/** Whether all pixels of the result have alpha 255. */
export function isResultOpaque(): bool {
  return isReduced ? isReducedOpaque() : isCopyOpaque();
}

/** Continues until rows are ready or everything is done. Return values: webp/records.ts. */
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
    if (isReduced && (nextRow == height || isPast(nextRow))) isWritten = endRow(to);
    else if (isReduced && completesRow(nextRow)) isWritten = closeRow(to);
    else {
      const fault = isLossless ? decodePixels() : decodeLossy();
      if (fault) return fault;
      isWritten = !isReduced && nextRow >= outTop;
      if (isWritten || (isReduced && hasShares(nextRow))) {
        let row = pixels;
        if (isLossless) row = decodedPixels();
        else if (isYuv) writePairs(nextRow, start, end, row + (start << 2));
        else writePixels(nextRow, start, end, row + (start << 2));
        if (!isLossless && hasAlpha()) writeAlpha(start, end, row + (start << 2));
        if (isReduced) addRow(nextRow, row, start, end);
        else copyRow(row + outLeft, to);
      }
      nextRow++;
    }
    if (isWritten) {
      ready++;
      rowsLeft--;
    }
  }
  const fault = isLossless ? judgePixels(height) : decodeRest() || validateAlpha(height);
  if (fault) return fault;
  isTaken = true;
  return FINISHED;
}

/** Decodes what the next row needs, including alpha. Returns 0 or a fault. */
function decodeLossy(): i32 {
  const fault = decodeTo(nextRow);
  return fault || !hasAlpha() ? fault : decodeAlpha();
}

/** Reverses the order of bytes. */
function reverseBytes(from: usize, sizeBytes: usize): void {
  let low = from;
  let high = from + sizeBytes;
  for (; low + 32 <= high; low += 16) {
    high -= 16;
    const first = v128.load(low);
    v128.store(low, reversed(v128.load(high)));
    v128.store(high, reversed(first));
  }
  for (; low + 1 < high; low++) {
    high--;
    const first = load<u8>(low);
    store<u8>(low, load<u8>(high));
    store<u8>(high, first);
  }
}

// @ts-ignore: decorator
@inline function reversed(bytes: v128): v128 {
  return i8x16.shuffle(bytes, bytes, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}
