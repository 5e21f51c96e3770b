// Converts sRGB pixels to six blocks of samples, centred on zero: jccolor.c and jcsample.c (h2v2) of libjpeg.

// V8 rebuilds vector constants at each use, in three instructions; loading takes at most one.
const RED_GREEN = memory.data<u8>([0, 255, 1, 255, 3, 255, 4, 255, 6, 255, 7, 255, 9, 255, 10, 255]);
const BLUE_GREEN = memory.data<u8>([2, 255, 1, 255, 5, 255, 4, 255, 8, 255, 7, 255, 11, 255, 10, 255]);
// 0.299 R + 0.587 G + 0.114 B - 128; green is split 0.337 + 0.250 because 0.587 * 65536 does not fit 16 bits.
const LUMA_RED_GREEN = memory.data<i16>([19595, 22086, 19595, 22086, 19595, 22086, 19595, 22086]);
const LUMA_BLUE_GREEN = memory.data<i16>([7471, 16384, 7471, 16384, 7471, 16384, 7471, 16384]);
const LUMA_ROUNDING = memory.data<i32>([-8355840, -8355840, -8355840, -8355840]); // 32768 - (128 << 16)
const CB_RED_GREEN = memory.data<i16>([-11059, -21709, -11059, -21709, -11059, -21709, -11059, -21709]);
const CR_BLUE_GREEN = memory.data<i16>([-5329, -27439, -5329, -27439, -5329, -27439, -5329, -27439]);
const CHROMA_ROUNDING = memory.data<i32>([32767, 32767, 32767, 32767]);
const ONES = memory.data<i16>([1, 1, 1, 1, 1, 1, 1, 1]);
// The rounding bias of averages alternates, as in libjpeg's h2v2.
const AVERAGE_ROUNDING = memory.data<i32>([1, 2, 1, 2]);

// @ts-ignore: decorator
@inline function lumaOf(rg: v128, bg: v128, factorsRg: v128, factorsBg: v128, rounding: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(rg, factorsRg), i32x4.dot_i16x8_s(bg, factorsBg));
  return i32x4.shr_s(i32x4.add(sum, rounding), 16);
}
// Half of the channel `own` minus the contributions of the other two; not yet shifted down by 16.
// @ts-ignore: decorator
@inline function chromaOf(own: v128, others: v128, factors: v128, rounding: v128): v128 {
  const half = i32x4.shr_u(i32x4.shl(own, 16), 1);
  return i32x4.shr_s(i32x4.add(i32x4.add(i32x4.dot_i16x8_s(others, factors), half), rounding), 16);
}
// Vertical sums of 8 pixels in two registers to 4 chroma samples.
// @ts-ignore: decorator
@inline function averageOf(left: v128, right: v128, ones: v128, rounding: v128): v128 {
  const pairs = i32x4.dot_i16x8_s(i16x8.narrow_i32x4_s(left, right), ones);
  return i32x4.shr_s(i32x4.add(pairs, rounding), 2);
}

/**
 * Eight pixels of two rows: sixteen luma samples at `luma`, four of each chroma at `chroma`. Stored
 * immediately, so that V8 does not run out of registers.
 */
// @ts-ignore: decorator
@inline function convertEight(
  upper: usize, lower: usize, luma: usize, chroma: usize, redGreen: v128, blueGreen: v128, lumaRg: v128, lumaBg: v128, lumaRounding: v128,
): void {
  const u0 = v128.load(upper), u1 = v128.load(upper, 12), l0 = v128.load(lower), l1 = v128.load(lower, 12);
  const urg0 = i8x16.swizzle(u0, redGreen), ubg0 = i8x16.swizzle(u0, blueGreen), urg1 = i8x16.swizzle(u1, redGreen), ubg1 = i8x16.swizzle(u1, blueGreen);
  const lrg0 = i8x16.swizzle(l0, redGreen), lbg0 = i8x16.swizzle(l0, blueGreen), lrg1 = i8x16.swizzle(l1, redGreen), lbg1 = i8x16.swizzle(l1, blueGreen);
  v128.store(luma, i16x8.narrow_i32x4_s(lumaOf(urg0, ubg0, lumaRg, lumaBg, lumaRounding), lumaOf(urg1, ubg1, lumaRg, lumaBg, lumaRounding)));
  v128.store(luma, i16x8.narrow_i32x4_s(lumaOf(lrg0, lbg0, lumaRg, lumaBg, lumaRounding), lumaOf(lrg1, lbg1, lumaRg, lumaBg, lumaRounding)), 16);
  const rounding = v128.load(CHROMA_ROUNDING), ones = v128.load(ONES), averageRounding = v128.load(AVERAGE_ROUNDING);
  const cbFactors = v128.load(CB_RED_GREEN);
  const cb = averageOf(
    i32x4.add(chromaOf(ubg0, urg0, cbFactors, rounding), chromaOf(lbg0, lrg0, cbFactors, rounding)),
    i32x4.add(chromaOf(ubg1, urg1, cbFactors, rounding), chromaOf(lbg1, lrg1, cbFactors, rounding)), ones, averageRounding,
  );
  v128.store64_lane(chroma, i16x8.narrow_i32x4_s(cb, cb), 0);
  const crFactors = v128.load(CR_BLUE_GREEN);
  const cr = averageOf(
    i32x4.add(chromaOf(urg0, ubg0, crFactors, rounding), chromaOf(lrg0, lbg0, crFactors, rounding)),
    i32x4.add(chromaOf(urg1, ubg1, crFactors, rounding), chromaOf(lrg1, lbg1, crFactors, rounding)), ones, averageRounding,
  );
  v128.store64_lane(chroma, i16x8.narrow_i32x4_s(cr, cr), 0, 128);
}

/**
 * Converts one MCU of 16 x 16 pixels at `pixels` to its six blocks; `chromaRows` (1..8) rows of chroma are
 * real, the last one repeats below them.
 */
export function convertMcu(pixels: usize, stride: usize, blocks: usize, chromaRows: i32): void {
  const redGreen = v128.load(RED_GREEN), blueGreen = v128.load(BLUE_GREEN);
  const lumaRg = v128.load(LUMA_RED_GREEN), lumaBg = v128.load(LUMA_BLUE_GREEN), lumaRounding = v128.load(LUMA_ROUNDING);
  for (let pair: usize = 0; pair < 8; pair++) {
    const upper = pixels + (pair << 1) * stride;
    const lower = upper + stride;
    const luma = blocks + ((pair >> 2) << 8) + ((pair & 3) << 5), chroma = blocks + 512 + (pair << 4);
    convertEight(upper, lower, luma, chroma, redGreen, blueGreen, lumaRg, lumaBg, lumaRounding);
    convertEight(upper + 24, lower + 24, luma + 128, chroma + 8, redGreen, blueGreen, lumaRg, lumaBg, lumaRounding);
  }
  for (let row = chromaRows; row < 8; row++) {
    const last = blocks + (<usize>(chromaRows - 1) << 4), at = blocks + (<usize>row << 4);
    v128.store(at, v128.load(last, 512), 512);
    v128.store(at, v128.load(last, 640), 640);
  }
}
