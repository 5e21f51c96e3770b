// Definitions shared by the WebP decoder kernel and its host (engine/src/decoding/webp/) in addition to
// reduction/records.ts. Plain constants only: this file also runs in Node.

import { DECODER_FIELDS, PICTURE, PICTURE_BYTES } from '../reduction/records.ts';

// ---- fixed addresses ----

/** u16: the symbols of a prefix code of VP8L, by length and then by number */
export const SORTED = PICTURE + PICTURE_BYTES;

// ---- the picture ----

/** the VP8 chunk (RFC 6386, section 9), after INPUT_LEAD zeros; the kernel reverses its bytes */
export const CHUNK = DECODER_FIELDS;
export const CHUNK_BYTES = DECODER_FIELDS + 4;
/** 1 for VP8L */
export const IS_LOSSLESS = DECODER_FIELDS + 8;

// ---- of VP8 ----

/** for each macroblock the last unfiltered row above: 16 bytes of Y, 8 of U, 8 of V; one macroblock more */
export const TOPS = DECODER_FIELDS + 12;
/** for each macroblock the modes of the four blocks above, u8[4] */
export const TOP_MODES = DECODER_FIELDS + 16;
/** for each macroblock whether the blocks above have coefficients, u8[16]: 4 Y, 2 U, 2 V, Y2 */
export const TOP_CONTEXTS = DECODER_FIELDS + 20;
/** for each macroblock its filter strength, u32 */
export const STRENGTHS = DECODER_FIELDS + 24;
/**
 * a row of macroblocks after RETAINED_ROWS (half of them for chroma) rows of the one above, each with
 * ROW_MARGIN bytes before and after, which the address and the stride include
 */
export const Y_ROWS = DECODER_FIELDS + 28;
export const U_ROWS = DECODER_FIELDS + 32;
export const V_ROWS = DECODER_FIELDS + 36;
export const Y_STRIDE = DECODER_FIELDS + 40;
export const UV_STRIDE = DECODER_FIELDS + 44;
/** pixels of a row that are computed if the picture is not reduced */
export const START = DECODER_FIELDS + 48;
export const END = DECODER_FIELDS + 52;

// ---- of VP8L, and of alpha stored as such a stream ----

/** the stream after its header (RFC 9649, section 3.5 on), followed by INPUT_TAIL zeros */
export const STREAM = DECODER_FIELDS + 56;
export const STREAM_BYTES = DECODER_FIELDS + 60;
/** coded pixels: all, or RING_PIXELS and two more rows */
export const RING = DECODER_FIELDS + 64;
export const RING_BYTES = DECODER_FIELDS + 68;
/** sub-images of the stream */
export const IMAGES = DECODER_FIELDS + 72;
export const IMAGES_BYTES = DECODER_FIELDS + 76;
/** codes */
export const TABLES = DECODER_FIELDS + 80;
export const TABLES_BYTES = DECODER_FIELDS + 84;
/** PIXEL_ROW_COUNT rows of this many bytes each */
export const PIXEL_ROWS = DECODER_FIELDS + 88;
export const PIXEL_ROW_BYTES = DECODER_FIELDS + 92;

// ---- alpha of a lossy picture ----

export const ALPHA_FORMAT = DECODER_FIELDS + 96;
export const ALPHA_FILTER = DECODER_FIELDS + 100;
/** a byte for each pixel, if the format is ALPHA_PLAIN */
export const ALPHA = DECODER_FIELDS + 104;
/** two rows of alpha, ALPHA_ROW_BYTES apart */
export const ALPHA_ROWS = DECODER_FIELDS + 108;
export const ALPHA_ROW_BYTES = DECODER_FIELDS + 112;

export const ALPHA_NONE = 0;
export const ALPHA_PLAIN = 1;
export const ALPHA_STREAM = 2;
/** as in the file */
export const FILTER_NONE = 0;
export const FILTER_HORIZONTAL = 1;
export const FILTER_VERTICAL = 2;
export const FILTER_GRADIENT = 3;

// ---- sizes ----

export const INPUT_LEAD = 16;
export const INPUT_TAIL = 16;
/** References reach 2^20 - 120 pixels back; copies of whole vectors write up to three excess pixels. */
export const RING_PIXELS = 1_048_576;
/** Colours of a palette, and 2^bits of them side by side for each of 256 indices. */
export const PALETTE_BYTES = 1024;
export const COLORS_BYTES = 8192;
/** Two for alternating transforms, and two of the predictor's. */
export const PIXEL_ROW_COUNT = 4;
/** Sub-images are longer by this much. */
export const IMAGE_SLACK_BYTES = 16;
/** Pictures with more prefix code groups are left to libwebp, whose encoder makes at most 2,600. */
export const MOST_GROUPS = 4096;
export const ROW_MARGIN = 16;
/** Eight rows wait for the filter of the next row of macroblocks, two more for its chroma. */
export const RETAINED_ROWS = 10;

// Return values.
export const ROWS_READY = 0;
export const FINISHED = 1;
export const FAULT_HEADER = 2;
export const FAULT_END = 3;
export const FAULT_COEFFICIENT = 4;
export const FAULT_REFERENCE = 5;
export const FAULT_MEMORY = 6;
export const FAULT_CODES = 7;
