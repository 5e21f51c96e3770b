// Rows of macroblocks, decoded and filtered, and the rows of pixels in them.

import { address } from '../fields';
import { HEIGHT, WIDTH } from '../reduction/records.ts';
import { isBeyond } from './bits';
import { writeColors } from './colors';
import { filterMacroblock } from './filter';
import { filterType, lastPartition, SEGMENT_FACTORS_BYTES, FACTORS, STRENGTH_TABLE } from './header';
import { isOfBlocks, isSkipped, LEFT_MODES, readModes, segment } from './modes';
import { beginRow, reconstruct, transformSecond } from './predict';
import {
  FAULT_COEFFICIENT, FAULT_END, RETAINED_ROWS, STRENGTHS, TOP_CONTEXTS, TOP_MODES, TOPS, U_ROWS, UV_STRIDE, V_ROWS, Y_ROWS,
  Y_STRIDE,
} from './records.ts';
import { COEFFICIENTS, COEFFICIENTS_BYTES, KINDS, LEFT_CONTEXTS, readTokens } from './tokens';

// @ts-ignore: decorator
@inline const RETAINED: usize = RETAINED_ROWS;
// @ts-ignore: decorator
@inline const RETAINED_CHROMA: usize = RETAINED_ROWS / 2;

let width: usize = 0;
let height: usize = 0;
let columns: usize = 0;
let rows: usize = 0;
/** rows of macroblocks that are decoded */
let decoded: usize = 0;
let tops: usize = 0;
let topModes: usize = 0;
let topContexts: usize = 0;
let strengths: usize = 0;
let yRows: usize = 0;
let uRows: usize = 0;
let vRows: usize = 0;
let yStride: usize = 0;
let uvStride: usize = 0;
/** filtered macroblocks: a column is changed by its own filter and by the next one's */
let filteredColumns: usize = 0;
/** whether no more pixels are requested */
let isValidating: bool = false;

/** `end`: the end of the pixels of a row that will be written. */
export function beginRows(picture: usize, end: usize): void {
  width = address(picture, WIDTH);
  height = address(picture, HEIGHT);
  columns = (width + 15) >> 4;
  rows = (height + 15) >> 4;
  decoded = 0;
  filteredColumns = min(columns, (min(width, end) + 15 >> 4) + 1);
  isValidating = false;
  tops = address(picture, TOPS);
  topModes = address(picture, TOP_MODES);
  topContexts = address(picture, TOP_CONTEXTS);
  strengths = address(picture, STRENGTHS);
  yRows = address(picture, Y_ROWS);
  uRows = address(picture, U_ROWS);
  vRows = address(picture, V_ROWS);
  yStride = address(picture, Y_STRIDE);
  uvStride = address(picture, UV_STRIDE);
  memory.fill(COEFFICIENTS, 0, COEFFICIENTS_BYTES);
  memory.fill(topModes, 0, columns << 2);
  memory.fill(topContexts, 0, columns << 4);
}

/** Decodes until row y of pixels can be written. Returns 0 or a fault. */
export function decodeTo(y: usize): i32 {
  while (decoded < rows && y + RETAINED - 1 >= decoded << 4) {
    const fault = decodeRow();
    if (fault) return fault;
  }
  return 0;
}

/** Validates the rest, whose pixels are not requested. Returns 0 or a fault. */
export function decodeRest(): i32 {
  isValidating = true;
  return decodeTo(height);
}

/** Writes pixels of row y, from `start` (even) to `end` and up to 15 after, as RGBA. */
export function writePixels(y: usize, start: usize, end: usize, to: usize): void {
  const luma = yRows + (y + RETAINED - ((decoded - 1) << 4)) * yStride;
  const last = ((height + 1) >> 1) - 1;
  const near = y >> 1;
  const far = y & 1 ? min(near + 1, last) : near > 0 ? near - 1 : 0;
  const first = RETAINED_CHROMA - ((decoded - 1) << 3);
  const nearAt = (near + first) * uvStride;
  const farAt = (far + first) * uvStride;
  extend(uRows + nearAt);
  extend(uRows + farAt);
  extend(vRows + nearAt);
  extend(vRows + farAt);
  writeColors(luma, uRows + nearAt, uRows + farAt, vRows + nearAt, vRows + farAt, start, end, to);
}

/** Writes pairs of pixels of row y, from `start` to `end` and up to four after: two Y, U and V. */
export function writePairs(y: usize, start: usize, end: usize, to: usize): void {
  const luma = yRows + (y + RETAINED - ((decoded - 1) << 4)) * yStride;
  const chroma = ((y >> 1) + RETAINED_CHROMA - ((decoded - 1) << 3)) * uvStride;
  for (let x = start; x < end; x += 8, to += 32) {
    const lumas = v128.load(luma + (x << 1));
    const u = v128.load64_zero(uRows + chroma + x);
    const v = v128.load64_zero(vRows + chroma + x);
    const both = i8x16.shuffle(u, v, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    v128.store(to, i16x8.shuffle(lumas, both, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(to, i16x8.shuffle(lumas, both, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  }
}

/** Adds one sample on both sides of a row of chroma. No filter reads written rows. */
function extend(row: usize): void {
  const end = row + ((width + 1) >> 1);
  store<u8>(row - 1, load<u8>(row));
  store<u8>(end, load<u8>(end - 1));
}

function decodeRow(): i32 {
  const isFirstRow = decoded == 0;
  if (!isFirstRow) retainRows();
  const partition = decoded & lastPartition;
  store<u32>(LEFT_MODES, 0);
  v128.store(LEFT_CONTEXTS, i64x2.splat(0));
  beginRow(isFirstRow);
  const y = yRows + RETAINED * yStride;
  const u = uRows + RETAINED_CHROMA * uvStride;
  const v = vRows + RETAINED_CHROMA * uvStride;
  for (let column: usize = 0; column < columns; column++) {
    readModes(topModes + (column << 2));
    const contexts = topContexts + (column << 4);
    v128.store(KINDS, i64x2.splat(0));
    v128.store(KINDS, i64x2.splat(0), 16);
    const factors = FACTORS + <usize>segment * SEGMENT_FACTORS_BYTES;
    if (isSkipped) {
      store<u64>(contexts, 0);
      store<u64>(LEFT_CONTEXTS, 0);
      if (!isOfBlocks) {
        store<u8>(contexts, 0, 8);
        store<u8>(LEFT_CONTEXTS, 0, 8);
      }
    } else {
      const fault = readTokens(partition, contexts, factors, isOfBlocks);
      if (fault) return fault == 1 ? FAULT_END : FAULT_COEFFICIENT;
    }
    if (isValidating) {
      if (isSkipped) continue;
      if (!isOfBlocks && !transformSecond(factors)) return FAULT_COEFFICIENT;
      memory.fill(COEFFICIENTS, 0, COEFFICIENTS_BYTES);
      continue;
    }
    if (!reconstruct(
      factors, tops + (column << 5), isFirstRow, column == 0, column + 1 == columns,
      y + (column << 4), u + (column << 3), v + (column << 3), yStride, uvStride,
    )) return FAULT_COEFFICIENT;
    const hasCoefficients = v128.any_true(v128.load(KINDS)) || load<u64>(KINDS, 16) != 0;
    const strength = load<u32>(STRENGTH_TABLE + ((<usize>segment << 1 | <usize>isOfBlocks) << 2));
    store<u32>(strengths + (column << 2), strength | (isOfBlocks || hasCoefficients ? 1 << 24 : 0));
  }
  if (isBeyond()) return FAULT_END;
  if (filterType != 0 && !isValidating) {
    for (let column: usize = 0; column < filteredColumns; column++) {
      filterMacroblock(
        load<u32>(strengths + (column << 2)), y + (column << 4), u + (column << 3), v + (column << 3),
        yStride, uvStride, column > 0, !isFirstRow,
      );
    }
  }
  decoded++;
  return 0;
}

/** Moves the rows that are still needed to the top. */
function retainRows(): void {
  memory.copy(yRows - 16, yRows - 16 + (yStride << 4), RETAINED * yStride);
  memory.copy(uRows - 16, uRows - 16 + (uvStride << 3), RETAINED_CHROMA * uvStride);
  memory.copy(vRows - 16, vRows - 16 + (uvStride << 3), RETAINED_CHROMA * uvStride);
}
