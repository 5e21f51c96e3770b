// The JPEG encoder kernel's tables block, and the record of an MCU. The kernel and its host
// (engine/src/encoding/jpeg/jpeg-kernel.ts) import these offsets. Plain constants only: this file also runs
// in Node.

/**
 * Quantisers of luma and of chroma: 64 x i16 reciprocal, 64 x i16 scale each (natural order; see
 * quantiser.ts).
 */
export const LUMA_QUANTISER = 0;
export const CHROMA_QUANTISER = 256;
/** u32[4][256], by table and symbol: (code << size) << 5 | length of code and value together. */
export const CODES = 512;
/** Zigzag index -> byte offset of the coefficient, u8[64]. */
export const ZIGZAG_OFFSETS = 4608;
/** Per row of 8 coefficients: bit mask of non-zero ones -> their zigzag positions, u64[8][256]. */
export const ZIGZAG_MASKS = 4672;
/** Scratch: six blocks of 64 x i16 (Y Y Y Y Cb Cr). */
export const BLOCKS = 21056;
export const TABLES_BYTES = BLOCKS + 6 * 128;

/** How often each symbol occurs: u32[4][256]. */
export const COUNTS_BYTES = 4 * 4 * 256;

/** An MCU: address of its first token, and the DC predictors of Y, Cb and Cr (i16). */
export const RECORD_TOKENS = 0;
export const RECORD_PREDICTORS = 4;
export const RECORD_BYTES = 12;
