// What the WebP decoder's kernel and its host (engine/src/decoding/webp/) agree on beside
// reduction/records.ts. Plain constants only: this file runs in Node as it is.

import { DECODER_FIELDS } from '../reduction/records.ts';

/** the VP8 chunk (RFC 6386, section 9), behind INPUT_LEAD zeros; the kernel turns its bytes round */
export const CHUNK = DECODER_FIELDS;
export const CHUNK_BYTES = DECODER_FIELDS + 4;
/** for each macroblock the last unfiltered row above: 16 bytes of Y, 8 of U, 8 of V; one macroblock more */
export const TOPS = DECODER_FIELDS + 8;
/** for each macroblock the modes of the four blocks above, u8[4] */
export const TOP_MODES = DECODER_FIELDS + 12;
/** for each macroblock which blocks above have coefficients, u8[16]: 4 Y, 2 U, 2 V, Y2 */
export const TOP_CONTEXTS = DECODER_FIELDS + 16;
/** for each macroblock how it is filtered, u32 */
export const STRENGTHS = DECODER_FIELDS + 20;
/**
 * a row of macroblocks behind KEPT_ROWS (chroma: half of them) rows of the one above, each with ROW_MARGIN
 * bytes before and behind, which the address and the stride include
 */
export const Y_ROWS = DECODER_FIELDS + 24;
export const U_ROWS = DECODER_FIELDS + 28;
export const V_ROWS = DECODER_FIELDS + 32;
export const Y_STRIDE = DECODER_FIELDS + 36;
export const UV_STRIDE = DECODER_FIELDS + 40;
/** pixels of a row that are computed where the picture is not reduced */
export const START = DECODER_FIELDS + 44;
export const END = DECODER_FIELDS + 48;

export const INPUT_LEAD = 16;
export const ROW_MARGIN = 16;
/** Eight rows wait for the filter of the next row of macroblocks, two for its chroma. */
export const KEPT_ROWS = 10;

// What a call answers.
export const ROWS_READY = 0;
export const FINISHED = 1;
export const FAULT_HEADER = 2;
export const FAULT_END = 3;
export const FAULT_COEFFICIENT = 4;
