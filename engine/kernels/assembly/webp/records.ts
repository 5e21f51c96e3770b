// What the WebP decoder's kernel and its host (engine/src/decoding/webp/) agree on beside png/records.ts,
// of which they use PICTURE and DYNAMIC, WIDTH, HEIGHT, ROW and all fields from OUT on: rows are reduced as
// those of a PNG. Plain constants only: this file runs in Node as it is.

/** the VP8 chunk (RFC 6386, section 9), behind INPUT_LEAD zeros; the kernel turns its bytes round */
export const CHUNK = 188;
export const CHUNK_BYTES = 192;
/** for each macroblock the last unfiltered row above: 16 bytes of Y, 8 of U, 8 of V; one macroblock more */
export const TOPS = 196;
/** for each macroblock the modes of the four blocks above, u8[4] */
export const TOP_MODES = 200;
/** for each macroblock which blocks above have coefficients, u8[16]: 4 Y, 2 U, 2 V, Y2 */
export const TOP_CONTEXTS = 204;
/** for each macroblock how it is filtered, u32 */
export const STRENGTHS = 208;
/**
 * a row of macroblocks behind KEPT_ROWS (chroma: half of them) rows of the one above, each with ROW_MARGIN
 * bytes before and behind, which the address and the stride include
 */
export const Y_ROWS = 212;
export const U_ROWS = 216;
export const V_ROWS = 220;
export const Y_STRIDE = 224;
export const UV_STRIDE = 228;
/** pixels of a row that are computed where the picture is not reduced */
export const START = 232;
export const END = 236;

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
