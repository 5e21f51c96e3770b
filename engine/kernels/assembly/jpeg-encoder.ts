// Baseline 4:2:0 JPEG: pixels to tokens (Huffman symbol and the bits behind it), and tokens to the entropy-coded stream.
//
// Every step is libjpeg-turbo's arithmetic (jccolor.c, jcsample.c h2v2, jfdctint.c, exact rounded division), so the plain
// TypeScript definition (engine/src/encoding/jpeg/jpeg-reference.ts), this file and libjpeg-turbo agree bit for bit.
// The int16 AAN transform would save about 1 ms in 5 megapixels and lose precision above quality 95.
//
// The caller owns all memory: it lays out tables, a band of pixel rows, tokens and output, and keeps room for the worst case.
// A token is a u32: bits 0-7 the symbol (run << 4 | size), 8-9 its table (DC luma, DC chroma, AC luma, AC chroma),
// 16-31 the `size` bits of the value.
// Tables block at T:
//      0  luma quantiser: 64 x i16 reciprocal, 64 x i16 scale (natural order; see quantiser.ts)
//    256  chroma quantiser, the same
//    512  codes u32[4][256], by table and symbol: (code << size) << 5 | length of code and value together
//   4608  zigzag index -> byte offset of the coefficient, u8[64]
//   4672  per row of 8 coefficients: bits that are not zero -> their zigzag positions, u64[8][256]
//  21056  scratch: six blocks of 64 x i16 (Y Y Y Y Cb Cr)

const CHROMA_QUANTISER: usize = 256;
const CODES: usize = 512;
const ZIGZAG_OFFSETS: usize = 4608;
const ZIGZAG_MASKS: usize = 4672;
const BLOCKS: usize = 21056;

const DC_LUMA: u32 = 0;
const DC_CHROMA: u32 = 1 << 8;
const AC_LUMA: u32 = 2 << 8;
const AC_CHROMA: u32 = 3 << 8;

/** First byte of memory that the module itself does not use. */
export function heapBase(): usize {
  return __heap_base;
}

// ---- colour: sRGB pixels to six blocks of samples, centred on zero ----

// @ts-ignore: decorator
@inline function redGreen(pixels: v128): v128 {
  return i8x16.swizzle(pixels, i8x16(0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1));
}
// @ts-ignore: decorator
@inline function blueGreen(pixels: v128): v128 {
  return i8x16.swizzle(pixels, i8x16(2, -1, 1, -1, 5, -1, 4, -1, 8, -1, 7, -1, 11, -1, 10, -1));
}
// 0.299 R + 0.587 G + 0.114 B - 128; green is split 0.337 + 0.250 because 0.587 * 65536 does not fit 16 bits.
// @ts-ignore: decorator
@inline function lumaOf(rg: v128, bg: v128): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(rg, i16x8(19595, 22086, 19595, 22086, 19595, 22086, 19595, 22086)),
    i32x4.dot_i16x8_s(bg, i16x8(7471, 16384, 7471, 16384, 7471, 16384, 7471, 16384)),
  );
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32768 - (128 << 16))), 16);
}
// @ts-ignore: decorator
@inline function cbOf(rg: v128, bg: v128): v128 {
  const half = i32x4.shr_u(i32x4.shl(bg, 16), 1);
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(rg, i16x8(-11059, -21709, -11059, -21709, -11059, -21709, -11059, -21709)),
    half,
  );
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32767)), 16);
}
// @ts-ignore: decorator
@inline function crOf(rg: v128, bg: v128): v128 {
  const half = i32x4.shr_u(i32x4.shl(rg, 16), 1);
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(bg, i16x8(-5329, -27439, -5329, -27439, -5329, -27439, -5329, -27439)),
    half,
  );
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(32767)), 16);
}
// Vertical sums of 8 pixels in two registers -> 4 chroma samples; the bias alternates 1, 2 as in libjpeg's h2v2.
// @ts-ignore: decorator
@inline function averageOf(left: v128, right: v128): v128 {
  const pairs = i32x4.dot_i16x8_s(i16x8.narrow_i32x4_s(left, right), i16x8.splat(1));
  return i32x4.shr_s(i32x4.add(pairs, i32x4(1, 2, 1, 2)), 2);
}

/** One MCU of 16 x 16 pixels at `pixels` into the six blocks; `chromaRows` (1..8) rows of chroma are real, the last is repeated below them. */
function convertMcu(pixels: usize, stride: usize, blocks: usize, chromaRows: i32): void {
  for (let pair: usize = 0; pair < 8; pair++) {
    const upper = pixels + (pair << 1) * stride;
    const lower = upper + stride;
    const luma = blocks + ((pair >> 2) << 8) + ((pair & 3) << 5);

    const u0 = v128.load(upper), u1 = v128.load(upper, 12), u2 = v128.load(upper, 24), u3 = v128.load(upper, 36);
    const l0 = v128.load(lower), l1 = v128.load(lower, 12), l2 = v128.load(lower, 24), l3 = v128.load(lower, 36);
    const urg0 = redGreen(u0), ubg0 = blueGreen(u0), urg1 = redGreen(u1), ubg1 = blueGreen(u1);
    const lrg0 = redGreen(l0), lbg0 = blueGreen(l0), lrg1 = redGreen(l1), lbg1 = blueGreen(l1);
    v128.store(luma, i16x8.narrow_i32x4_s(lumaOf(urg0, ubg0), lumaOf(urg1, ubg1)));
    v128.store(luma, i16x8.narrow_i32x4_s(lumaOf(lrg0, lbg0), lumaOf(lrg1, lbg1)), 16);
    const cbLeft = averageOf(i32x4.add(cbOf(urg0, ubg0), cbOf(lrg0, lbg0)), i32x4.add(cbOf(urg1, ubg1), cbOf(lrg1, lbg1)));
    const crLeft = averageOf(i32x4.add(crOf(urg0, ubg0), crOf(lrg0, lbg0)), i32x4.add(crOf(urg1, ubg1), crOf(lrg1, lbg1)));

    const urg2 = redGreen(u2), ubg2 = blueGreen(u2), urg3 = redGreen(u3), ubg3 = blueGreen(u3);
    const lrg2 = redGreen(l2), lbg2 = blueGreen(l2), lrg3 = redGreen(l3), lbg3 = blueGreen(l3);
    v128.store(luma, i16x8.narrow_i32x4_s(lumaOf(urg2, ubg2), lumaOf(urg3, ubg3)), 128);
    v128.store(luma, i16x8.narrow_i32x4_s(lumaOf(lrg2, lbg2), lumaOf(lrg3, lbg3)), 144);
    const cbRight = averageOf(i32x4.add(cbOf(urg2, ubg2), cbOf(lrg2, lbg2)), i32x4.add(cbOf(urg3, ubg3), cbOf(lrg3, lbg3)));
    const crRight = averageOf(i32x4.add(crOf(urg2, ubg2), crOf(lrg2, lbg2)), i32x4.add(crOf(urg3, ubg3), crOf(lrg3, lbg3)));
    v128.store(blocks + (pair << 4), i16x8.narrow_i32x4_s(cbLeft, cbRight), 512);
    v128.store(blocks + (pair << 4), i16x8.narrow_i32x4_s(crLeft, crRight), 640);
  }
  for (let row = chromaRows; row < 8; row++) {
    const last = blocks + (<usize>(chromaRows - 1) << 4), at = blocks + (<usize>row << 4);
    v128.store(at, v128.load(last, 512), 512);
    v128.store(at, v128.load(last, 640), 640);
  }
}

// ---- transform: jfdctint.c, 13-bit constants, pass 1 keeps two bits more ----

// @ts-ignore: decorator
@inline function low16(a: v128, b: v128): v128 { return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11); }
// @ts-ignore: decorator
@inline function high16(a: v128, b: v128): v128 { return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15); }
// @ts-ignore: decorator
@inline function low32(a: v128, b: v128): v128 { return i32x4.shuffle(a, b, 0, 4, 1, 5); }
// @ts-ignore: decorator
@inline function high32(a: v128, b: v128): v128 { return i32x4.shuffle(a, b, 2, 6, 3, 7); }
// @ts-ignore: decorator
@inline function low64(a: v128, b: v128): v128 { return i64x2.shuffle(a, b, 0, 2); }
// @ts-ignore: decorator
@inline function high64(a: v128, b: v128): v128 { return i64x2.shuffle(a, b, 1, 3); }
// @ts-ignore: decorator
@inline function pairOf(first: i32, second: i32): v128 { return i32x4.splat((first & 0xffff) | (second << 16)); }
// (a * first + b * second, rounded) >> shift for interleaved a, b
// @ts-ignore: decorator
@inline function rotate(low: v128, high: v128, first: i32, second: i32, shift: i32): v128 {
  const factors = pairOf(first, second), round = i32x4.splat(1 << (shift - 1));
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, factors), round), shift),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, factors), round), shift),
  );
}
// (a * fa + b * fb + c * fc + d * fd, rounded) >> shift
// @ts-ignore: decorator
@inline function combine(abLow: v128, abHigh: v128, cdLow: v128, cdHigh: v128, fa: i32, fb: i32, fc: i32, fd: i32, shift: i32): v128 {
  const ab = pairOf(fa, fb), cd = pairOf(fc, fd), round = i32x4.splat(1 << (shift - 1));
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.add(i32x4.dot_i16x8_s(abLow, ab), i32x4.dot_i16x8_s(cdLow, cd)), round), shift),
    i32x4.shr_s(i32x4.add(i32x4.add(i32x4.dot_i16x8_s(abHigh, ab), i32x4.dot_i16x8_s(cdHigh, cd)), round), shift),
  );
}

/** One of the two passes: transposes the block, then transforms down its columns. `first` is a constant at each call. */
// @ts-ignore: decorator
@inline function transformPass(block: usize, first: bool): void {
  const r0 = v128.load(block), r1 = v128.load(block, 16), r2 = v128.load(block, 32), r3 = v128.load(block, 48);
  const r4 = v128.load(block, 64), r5 = v128.load(block, 80), r6 = v128.load(block, 96), r7 = v128.load(block, 112);
  const a0 = low16(r0, r1), a1 = high16(r0, r1), a2 = low16(r2, r3), a3 = high16(r2, r3);
  const a4 = low16(r4, r5), a5 = high16(r4, r5), a6 = low16(r6, r7), a7 = high16(r6, r7);
  const b0 = low32(a0, a2), b1 = high32(a0, a2), b2 = low32(a1, a3), b3 = high32(a1, a3);
  const b4 = low32(a4, a6), b5 = high32(a4, a6), b6 = low32(a5, a7), b7 = high32(a5, a7);
  const d0 = low64(b0, b4), d1 = high64(b0, b4), d2 = low64(b1, b5), d3 = high64(b1, b5);
  const d4 = low64(b2, b6), d5 = high64(b2, b6), d6 = low64(b3, b7), d7 = high64(b3, b7);

  const s0 = i16x8.add(d0, d7), s7 = i16x8.sub(d0, d7), s1 = i16x8.add(d1, d6), s6 = i16x8.sub(d1, d6);
  const s2 = i16x8.add(d2, d5), s5 = i16x8.sub(d2, d5), s3 = i16x8.add(d3, d4), s4 = i16x8.sub(d3, d4);
  const e0 = i16x8.add(s0, s3), e3 = i16x8.sub(s0, s3), e1 = i16x8.add(s1, s2), e2 = i16x8.sub(s1, s2);
  const shift = first ? 11 : 15;
  const sum = i16x8.add(e0, e1), difference = i16x8.sub(e0, e1);
  if (first) {
    v128.store(block, i16x8.shl(sum, 2));
    v128.store(block, i16x8.shl(difference, 2), 64);
  } else {
    v128.store(block, i16x8.shr_s(i16x8.add(sum, i16x8.splat(2)), 2));
    v128.store(block, i16x8.shr_s(i16x8.add(difference, i16x8.splat(2)), 2), 64);
  }
  const e32Low = low16(e3, e2), e32High = high16(e3, e2);
  v128.store(block, rotate(e32Low, e32High, 10703, 4433, shift), 32);
  v128.store(block, rotate(e32Low, e32High, 4433, -10704, shift), 96);
  // The odd half of jfdctint.c multiplied out: its products are exact in 32 bits, so the regrouping changes nothing.
  const s45Low = low16(s4, s5), s45High = high16(s4, s5), s67Low = low16(s6, s7), s67High = high16(s6, s7);
  v128.store(block, combine(s45Low, s45High, s67Low, s67High, 2260, 6437, 9633, 11363, shift), 16);
  v128.store(block, combine(s45Low, s45High, s67Low, s67High, -6436, -11362, -2259, 9633, shift), 48);
  v128.store(block, combine(s45Low, s45High, s67Low, s67High, 9633, 2261, -11362, 6437, shift), 80);
  v128.store(block, combine(s45Low, s45High, s67Low, s67High, -11363, 9633, -6436, 2260, shift), 112);
}

/** Division by eight times the step, rounded to nearest, halves away from zero: two rounding multiplications that quantiser.ts proves exact. */
// @ts-ignore: decorator
@inline function quantise(at: usize, quantiser: usize): v128 {
  const value = v128.load(at), sign = i16x8.shr_s(value, 15);
  const scaled = i16x8.q15mulr_sat_s(i16x8.q15mulr_sat_s(i16x8.abs(value), v128.load(quantiser)), v128.load(quantiser, 128));
  const signed = i16x8.sub(v128.xor(scaled, sign), sign);
  v128.store(at, signed);
  return signed;
}
// @ts-ignore: decorator
@inline function quantisePair(at: usize, quantiser: usize): u32 {
  const packed = i8x16.narrow_i16x8_s(quantise(at, quantiser), quantise(at + 16, quantiser + 16));
  return ~i8x16.bitmask(i8x16.eq(packed, i8x16.splat(0))) & 0xffff;
}

/** Samples to quantised coefficients in natural order; returns which of them, in zigzag order, are not zero. */
function transformBlock(tables: usize, block: usize, quantiser: usize): u64 {
  transformPass(block, true);
  transformPass(block, false);
  const m0 = quantisePair(block, quantiser), m1 = quantisePair(block + 32, quantiser + 32);
  const m2 = quantisePair(block + 64, quantiser + 64), m3 = quantisePair(block + 96, quantiser + 96);
  const masks = tables + ZIGZAG_MASKS;
  return load<u64>(masks + <usize>((m0 & 255) << 3))
    | load<u64>(masks + <usize>((m0 >> 8) << 3), 2048)
    | load<u64>(masks + <usize>((m1 & 255) << 3), 4096)
    | load<u64>(masks + <usize>((m1 >> 8) << 3), 6144)
    | load<u64>(masks + <usize>((m2 & 255) << 3), 8192)
    | load<u64>(masks + <usize>((m2 >> 8) << 3), 10240)
    | load<u64>(masks + <usize>((m3 & 255) << 3), 12288)
    | load<u64>(masks + <usize>((m3 >> 8) << 3), 14336);
}

// ---- pixels to tokens ----

let tokenAt: usize = 0;
let predictorY: i32 = 0;
let predictorCb: i32 = 0;
let predictorCr: i32 = 0;

/** Where the next token goes. Predictors begin at zero. */
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

/** A luma block outside the picture: the DC before it again, and nothing else (what libjpeg calls a dummy block). */
function tokenizeEmptyBlock(counts: usize): void {
  store<u32>(tokenAt, DC_LUMA);
  store<u32>(tokenAt, AC_LUMA, 4);
  tokenAt += 8;
  countToken(counts, DC_LUMA);
  countToken(counts, AC_LUMA);
}

/** The coefficients of one MCU, in the scratch blocks; their address is returned (for tests against the plain definition). */
export function mcuCoefficients(tables: usize, pixels: usize, stride: usize, chromaRows: i32): usize {
  const blocks = tables + BLOCKS;
  convertMcu(pixels, stride, blocks, chromaRows);
  for (let b: usize = 0; b < 6; b++) {
    transformBlock(tables, blocks + (b << 7), b < 4 ? tables : tables + CHROMA_QUANTISER);
  }
  return blocks;
}

/**
 * Tokens of MCUs [from, to) of a band of 16 pixel rows, added to `counts` (u32[4][256]). `columns` is the number of 8-pixel
 * columns that hold picture, `blockRows` (1 or 2) the same downwards; `chromaRows` as above. Where `records` is not 0, each
 * MCU's first token's address (u32) and predictors (three i16, two bytes unused) are stored there, 12 bytes an MCU.
 */
export function tokenizeMcus(
  tables: usize, band: usize, stride: usize, from: i32, to: i32, columns: i32, blockRows: i32, chromaRows: i32, counts: usize, records: usize,
): void {
  const blocks = tables + BLOCKS;
  for (let mcu = from; mcu < to; mcu++) {
    if (records) {
      store<u32>(records, <u32>tokenAt);
      store<i16>(records, <i16>predictorY, 4);
      store<i16>(records, <i16>predictorCb, 6);
      store<i16>(records, <i16>predictorCr, 8);
      records += 12;
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

/** Writes `size` bytes of tokens under the codes of the tables block. */
export function writeTokens(tables: usize, at: usize, size: usize): void {
  let buffer = bitBuffer, count = bitCount, out = outputAt;
  const codes = tables + CODES;
  for (const end = at + size; at < end; at += 4) {
    const token = load<u32>(at);
    const code = load<u32>(codes + (<usize>(token & 0x3ff) << 2));
    const length = code & 31;
    buffer = (buffer << <u64>length) | <u64>((code >> 5) | (token >> 16));
    count += length;
    if (count >= 32) {
      count -= 32;
      store<u32>(out, bswap<u32>(<u32>(buffer >> <u64>count)));
      out += 4;
    }
  }
  bitBuffer = buffer;
  bitCount = count;
  outputAt = out;
}

/** How many bits the stream has so far. */
export function streamBits(): u32 {
  return <u32>((outputAt - outputStart) << 3) + <u32>bitCount;
}

/** Appends `count` bits of a finished stream from its bit `first` on. Reads up to 8 bytes past them. */
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

/** Pads with ones to a whole byte and returns how many bytes the stream has. */
export function finishStream(): usize {
  const pad = (8 - (bitCount & 7)) & 7;
  bitBuffer = (bitBuffer << <u64>pad) | ((<u64>1 << <u64>pad) - 1);
  for (bitCount += pad; bitCount > 0; outputAt++) {
    bitCount -= 8;
    store<u8>(outputAt, <u8>(bitBuffer >> <u64>bitCount));
  }
  return outputAt - outputStart;
}

/** How many bytes of 0xff there are. */
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
