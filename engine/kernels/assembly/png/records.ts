// What the PNG decoder's kernel and its host (engine/src/decoding/png/) agree on beside reduction/records.ts:
// fixed addresses, the decoder's own fields of a picture, and what a call may answer. Plain constants only:
// this file runs in Node as it is.

import { DECODER_FIELDS } from '../reduction/records.ts';

// ---- fixed addresses: a look-up at a constant address needs no addition ----

/** Bits that a look-up of a literal or length, and of a distance, takes. */
export const TABLE_BITS = 11;
export const DISTANCE_BITS = 9;
/** The module's own constants lie below. */
export const FIXED = 4096;
/** u32[2048] each: the codes in use; one symbol an entry; up to two literals an entry */
export const LITERALS = 4096;
export const SINGLES = 12288;
export const PAIRS = 20480;
/** u32[512] */
export const DISTANCES = 28672;
/** u16[128]: the code of code lengths */
export const PRECODE = 30720;
/**
 * canonical codes: how many symbols have each length, u16[16], then the symbols in the code's order, u16 each
 */
export const LITERAL_CODE = 30976;
export const DISTANCE_CODE = 31616;
export const PRECODE_CODE = 31744;
/** u16[16] */
export const NEXT_PLACE = 31872;
/** u8[320] */
export const CODE_LENGTHS = 31936;
/** u32[288] and u32[32]: what symbols mean, without the bits of their codes */
export const LITERAL_ENTRIES = 32320;
export const DISTANCE_ENTRIES = 33472;
/** 16 bytes for each distance up to 16: a pattern of that period; then by how much such a vector goes on */
export const PATTERNS = 33600;
export const STEPS = 33888;
/** CRC_STEP bytes that stand for all before, of a checksum */
export const CRC_STEP = 128;
export const CRC_STATE = 33920;
/** u32[32]: the least distance of each symbol, and what its extra bits may add in the upper half */
export const DISTANCE_RANGES = 34432;
/**
 * for two groups of four bytes, for each of the four, for each of eight half bytes sixteen numbers; the
 * register after a byte and 0 to 3 zeros, u32[4][256]
 */
export const CRC_FOLDS = 34560;
export const CRC_TABLES = 35584;

/** which of the eight vectors of a step belong together: a digit each, the first one lowest */
export const CRC_GROUP_A = 0x7310;
export const CRC_GROUP_B = 0x6542;

// ---- the picture ----

/** bytes of a row as stored, without its filter; bytes of a pixel for the filters, at least 1 */
export const ROW_BYTES = DECODER_FIELDS;
export const PIXEL_BYTES = DECODER_FIELDS + 4;
export const FORMAT = DECODER_FIELDS + 8;
/** bits of a palette's index; channels of a pixel of 16-bit samples */
export const DEPTH = DECODER_FIELDS + 12;
export const CHANNELS = DECODER_FIELDS + 16;
/** u32[256], RGBA */
export const PALETTE = DECODER_FIELDS + 20;
/** 1 where pixels of the colour KEY_RED, KEY_GREEN, KEY_BLUE are clear */
export const HAS_KEY = DECODER_FIELDS + 24;
export const KEY_RED = DECODER_FIELDS + 28;
export const KEY_GREEN = DECODER_FIELDS + 32;
export const KEY_BLUE = DECODER_FIELDS + 36;
/** a piece of compressed data, behind INPUT_LEAD bytes of the one before, followed by INPUT_TAIL zeros */
export const INPUT = DECODER_FIELDS + 40;
export const INPUT_BYTES = DECODER_FIELDS + 44;
/** inflated data: what matches refer to, and what is not read yet; WINDOW_SLACK bytes more may be written */
export const WINDOW = DECODER_FIELDS + 48;
export const WINDOW_BYTES = DECODER_FIELDS + 52;
/** two rows as stored, for all formats but RGBA and RGB, STORED_STRIDE bytes apart */
export const STORED = DECODER_FIELDS + 56;
export const STORED_STRIDE = DECODER_FIELDS + 60;
/** most blocks that the data may have */
export const MOST_BLOCKS = DECODER_FIELDS + 64;
/** a second row as RGBA, likewise behind ROW_LEAD zeros, for all pictures */
export const UPPER_ROW = DECODER_FIELDS + 68;

export const INPUT_LEAD = 8;
export const INPUT_TAIL = 64;
/** the header of a block has at most 570 bytes */
export const LOOKAHEAD = 1024;
export const WINDOW_SLACK = 1024;
export const ROW_LEAD = 16;
export const STORED_LEAD = 16;

// How a row's bytes become RGBA.
export const FORMAT_RGBA = 0;
export const FORMAT_RGB = 1;
/** indices of DEPTH bits: a palette's, or greys */
export const FORMAT_INDEXED = 2;
export const FORMAT_GREY_ALPHA = 3;
/** RGB of which one colour is clear */
export const FORMAT_KEYED_RGB = 4;
/** CHANNELS samples of 16 bits */
export const FORMAT_WIDE = 5;

// What a call answers.
export const ROWS_READY = 0;
export const NEEDS_INPUT = 1;
export const FINISHED = 2;
export const FAULT_STREAM = 3;
/** the stream ends before all rows, the data before the stream */
export const FAULT_END = 4;
export const FAULT_CUT = 5;
export const FAULT_FILTER = 6;
export const FAULT_BLOCKS = 7;
