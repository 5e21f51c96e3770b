// Baseline 4:2:0 JPEG: pixels to tokens (Huffman symbol and the bits behind it), and tokens to the
// entropy-coded stream.
//
// Every step is libjpeg-turbo's arithmetic (jccolor.c, jcsample.c h2v2, jfdctint.c, exact rounded division),
// so the plain TypeScript definition (engine/test/reference/jpeg-reference.ts), this file and
// libjpeg-turbo agree bit for bit. The int16 AAN transform would save about 1 ms in 5 megapixels and lose
// precision above quality 95.
//
// The caller owns all memory: it lays out tables, a band of pixel rows, tokens and output, each large enough
// for the worst case. A token is a u32: bits 0-7 the symbol (run << 4 | size), 8-9 its table (DC luma, DC
// chroma, AC luma, AC chroma), 16-31 the `size` bits of the value. The tables block: blocks/layout.ts.
import { convertMcu } from './blocks/convert';
import {
  BLOCKS, CHROMA_QUANTISER, CODES, LUMA_QUANTISER, RECORD_BYTES, RECORD_PREDICTORS, RECORD_TOKENS, ZIGZAG_OFFSETS,
} from './blocks/layout.ts';
import { transformBlock } from './blocks/transform';

const DC_LUMA: u32 = 0;
const DC_CHROMA: u32 = 1 << 8;
const AC_LUMA: u32 = 2 << 8;
const AC_CHROMA: u32 = 3 << 8;

/** First byte of memory that the module itself does not use. */
export function heapBase(): usize {
  return __heap_base;
}

// ---- pixels to tokens ----

let tokenAt: usize = 0;
let predictorY: i32 = 0;
let predictorCb: i32 = 0;
let predictorCr: i32 = 0;

/** Sets the address of the next token. Predictors start at zero. */
export function startTokens(at: usize): void {
  tokenAt = at;
  predictorY = 0;
  predictorCb = 0;
  predictorCr = 0;
}

export function setPredictors(y: i32, cb: i32, cr: i32): void {
  predictorY = y;
  predictorCb = cb;
  predictorCr = cr;
}

export function tokenAddress(): usize {
  return tokenAt;
}

// @ts-ignore: decorator
@inline function countToken(counts: usize, token: u32): void {
  const at = counts + (<usize>(token & 0x3ff) << 2);
  store<u32>(at, load<u32>(at) + 1);
}
/** A value's size, and its bits as JPEG stores them: negative ones as value - 1, the low `size` bits. */
// @ts-ignore: decorator
@inline function valueToken(table: u32, run: i32, value: i32): u32 {
  const size = 32 - clz<i32>(abs<i32>(value));
  const bits = <u32>(value + (value >> 31)) & ((<u32>1 << size) - 1);
  return table | (run << 4) | size | (bits << 16);
}

/** Stores one block's tokens and returns its DC, the next block's predictor. */
function tokenizeBlock(tables: usize, block: usize, mask: u64, dcTable: u32, acTable: u32, predictor: i32, counts: usize): i32 {
  let out = tokenAt;
  const dc = <i32>load<i16>(block);
  let token = valueToken(dcTable, 0, dc - predictor);
  store<u32>(out, token);
  out += 4;
  countToken(counts, token);
  mask &= ~(<u64>1);
  let previous: i32 = 0;
  const offsets = tables + ZIGZAG_OFFSETS;
  while (mask) {
    const at = <i32>ctz<u64>(mask);
    mask &= mask - 1;
    let run = at - previous - 1;
    previous = at;
    for (; run > 15; run -= 16) {
      store<u32>(out, acTable | 0xf0);
      out += 4;
      countToken(counts, acTable | 0xf0);
    }
    token = valueToken(acTable, run, <i32>load<i16>(block + <usize>load<u8>(offsets + <usize>at)));
    store<u32>(out, token);
    out += 4;
    countToken(counts, token);
  }
  if (previous != 63) {
    store<u32>(out, acTable);
    out += 4;
    countToken(counts, acTable);
  }
  tokenAt = out;
  return dc;
}

/** A luma block outside the picture: the previous DC again, and nothing else (libjpeg's dummy block). */
function tokenizeEmptyBlock(counts: usize): void {
  store<u32>(tokenAt, DC_LUMA);
  store<u32>(tokenAt, AC_LUMA, 4);
  tokenAt += 8;
  countToken(counts, DC_LUMA);
  countToken(counts, AC_LUMA);
}

/** The coefficients of one MCU; returns their address in the scratch blocks (for tests). */
export function mcuCoefficients(tables: usize, pixels: usize, stride: usize, chromaRows: i32): usize {
  const blocks = tables + BLOCKS;
  convertMcu(pixels, stride, blocks, chromaRows);
  for (let b: usize = 0; b < 6; b++) {
    transformBlock(tables, blocks + (b << 7), b < 4 ? tables + LUMA_QUANTISER : tables + CHROMA_QUANTISER);
  }
  return blocks;
}

/**
 * Tokens of MCUs [from, to) of a band of 16 pixel rows, added to `counts` (u32[4][256]). `columns` is the
 * number of 8-pixel columns that hold picture, `blockRows` (1 or 2) the same downwards; `chromaRows` as
 * above. Where `records` is not 0, each MCU's first token's address (u32) and predictors (three i16, two
 * bytes unused) are stored there, 12 bytes an MCU.
 */
export function tokenizeMcus(
  tables: usize, band: usize, stride: usize, from: i32, to: i32, columns: i32, blockRows: i32, chromaRows: i32, counts: usize, records: usize,
): void {
  const blocks = tables + BLOCKS;
  for (let mcu = from; mcu < to; mcu++) {
    if (records) {
      store<u32>(records, <u32>tokenAt, RECORD_TOKENS);
      store<i16>(records, <i16>predictorY, RECORD_PREDICTORS);
      store<i16>(records, <i16>predictorCb, RECORD_PREDICTORS + 2);
      store<i16>(records, <i16>predictorCr, RECORD_PREDICTORS + 4);
      records += RECORD_BYTES;
    }
    convertMcu(band + <usize>mcu * 48, stride, blocks, chromaRows);
    for (let b = 0; b < 4; b++) {
      if ((mcu << 1) + (b & 1) < columns && (b >> 1) < blockRows) {
        const block = blocks + (<usize>b << 7);
        predictorY = tokenizeBlock(tables, block, transformBlock(tables, block, tables), DC_LUMA, AC_LUMA, predictorY, counts);
      } else {
        tokenizeEmptyBlock(counts);
      }
    }
    const chroma = tables + CHROMA_QUANTISER, cb = blocks + 512, cr = blocks + 640;
    predictorCb = tokenizeBlock(tables, cb, transformBlock(tables, cb, chroma), DC_CHROMA, AC_CHROMA, predictorCb, counts);
    predictorCr = tokenizeBlock(tables, cr, transformBlock(tables, cr, chroma), DC_CHROMA, AC_CHROMA, predictorCr, counts);
  }
}

/** Adds `size` bytes of tokens to `counts`. */
export function countTokens(at: usize, size: usize, counts: usize): void {
  for (const end = at + size; at < end; at += 4) countToken(counts, load<u32>(at));
}

// ---- tokens to bits: most significant bit first; bitCount stays below 32 between calls ----

let bitBuffer: u64 = 0;
let bitCount: i32 = 0;
let outputAt: usize = 0;
let outputStart: usize = 0;

export function startStream(output: usize): void {
  bitBuffer = 0;
  bitCount = 0;
  outputAt = output;
  outputStart = output;
}

// Stores the pending bits, the first one first, always as 8 bytes: a branch on their number would be
// mispredicted at every third token.
// @ts-ignore: decorator
@inline function storeBits(out: usize, buffer: u64, count: i32, order: v128): void {
  v128.store64_lane(out, i8x16.swizzle(i64x2.splat(buffer << <u64>(64 - count)), order), 0);
}
const REVERSED = memory.data<u8>([7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0]);

/** Writes `size` bytes of tokens with the codes of the tables block, up to 8 bytes past the stream's end. */
export function writeTokens(tables: usize, at: usize, size: usize): void {
  let buffer = bitBuffer, count = bitCount, out = outputAt;
  const codes = tables + CODES, order = v128.load(REVERSED);
  for (; count >= 8; out++) {
    count -= 8;
    store<u8>(out, <u8>(buffer >> <u64>count));
  }
  // Two tokens have at most 54 bits, after the 7 that are pending.
  for (const end = at + (size & ~7); at < end; at += 8) {
    const first = load<u32>(at), second = load<u32>(at, 4);
    const firstCode = load<u32>(codes + (<usize>(first & 0x3ff) << 2)), secondCode = load<u32>(codes + (<usize>(second & 0x3ff) << 2));
    const length = secondCode & 31;
    const bits = (<u64>((firstCode >> 5) | (first >> 16)) << <u64>length) | <u64>((secondCode >> 5) | (second >> 16));
    const both = length + (firstCode & 31);
    buffer = (buffer << <u64>both) | bits;
    count += both;
    storeBits(out, buffer, count, order);
    out += <usize>(count >> 3);
    count &= 7;
  }
  if (size & 4) {
    const token = load<u32>(at);
    const code = load<u32>(codes + (<usize>(token & 0x3ff) << 2));
    buffer = (buffer << <u64>(code & 31)) | <u64>((code >> 5) | (token >> 16));
    count += code & 31;
    storeBits(out, buffer, count, order);
    out += <usize>(count >> 3);
    count &= 7;
  }
  bitBuffer = buffer;
  bitCount = count;
  outputAt = out;
}

/** Number of bits in the stream so far. */
export function streamBits(): u32 {
  return <u32>((outputAt - outputStart) << 3) + <u32>bitCount;
}

/** Appends `count` bits of a finished stream starting at its bit `first`. Reads up to 8 bytes past them. */
export function copyBits(from: usize, first: u32, count: u32): void {
  let buffer = bitBuffer, out = outputAt;
  const pending = <u64>bitCount;
  let at = from + <usize>(first >> 3);
  const offset = <u64>(first & 7);
  for (; count >= 32; count -= 32, at += 4, out += 4) {
    buffer = (buffer << 32) | ((bswap<u64>(load<u64>(at)) << offset) >> 32);
    store<u32>(out, bswap<u32>(<u32>(buffer >> pending)));
  }
  if (count > 0) {
    buffer = (buffer << <u64>count) | ((bswap<u64>(load<u64>(at)) << offset) >> <u64>(64 - count));
    bitCount += count;
    if (bitCount >= 32) {
      bitCount -= 32;
      store<u32>(out, bswap<u32>(<u32>(buffer >> <u64>bitCount)));
      out += 4;
    }
  }
  bitBuffer = buffer;
  outputAt = out;
}

/** Pads with ones to a whole byte and returns the stream's length in bytes. */
export function finishStream(): usize {
  const pad = (8 - (bitCount & 7)) & 7;
  bitBuffer = (bitBuffer << <u64>pad) | ((<u64>1 << <u64>pad) - 1);
  for (bitCount += pad; bitCount > 0; outputAt++) {
    bitCount -= 8;
    store<u8>(outputAt, <u8>(bitBuffer >> <u64>bitCount));
  }
  return outputAt - outputStart;
}

/** Number of 0xff bytes. */
export function countMarkers(from: usize, size: usize): usize {
  let total: usize = 0;
  const end = from + size;
  for (; from + 16 <= end; from += 16) total += <usize>popcnt<i32>(i8x16.bitmask(i8x16.eq(v128.load(from), i8x16.splat(-1))));
  for (; from < end; from++) total += <usize>(load<u8>(from) == 0xff);
  return total;
}

/** Copies, with a zero byte after every 0xff, and returns the size. Writes at most 16 bytes past the end. */
export function stuffBytes(from: usize, size: usize, output: usize): usize {
  let out = output;
  const end = from + size;
  while (from + 16 <= end) {
    const bytes = v128.load(from);
    const markers = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(-1)));
    v128.store(out, bytes);
    if (markers == 0) {
      out += 16;
      from += 16;
    } else {
      const kept = <usize>ctz<i32>(markers) + 1;
      out += kept;
      from += kept;
      store<u8>(out, 0);
      out++;
    }
  }
  for (; from < end; from++) {
    const byte = load<u8>(from);
    store<u8>(out, byte);
    out++;
    if (byte == 0xff) {
      store<u8>(out, 0);
      out++;
    }
  }
  return out - output;
}
