// Definitions shared by the PNG decoder kernel and its host (engine/src/decoding/png/) in addition to
// reduction/records.ts: fixed addresses, the decoder's own fields of a picture, and return values. Plain
// constants only: this file also runs in Node.

import { DECODER_FIELDS } from '../reduction/records.ts';

// ---- fixed addresses: a look-up at a constant address needs no addition ----

/** Bits of a look-up of a literal or length, and of a distance. */
export const TABLE_BITS = 11;
export const DISTANCE_BITS = 9;
/** The module's own constants are below this address. */
export const FIXED = 4096;
/** u32[2048] each: the codes in use; one symbol an entry; up to two literals an entry */
export const LITERALS = 4096;
export const SINGLES = 12288;
export const PAIRS = 20480;
/** u32[512] */
export const DISTANCES = 28672;
/** u16[128]: the code of code lengths */
export const PRECODE = 30720;
/** canonical codes: the number of symbols per length, u16[16], then the symbols in order, u16 each */
export const LITERAL_CODE = 30976;
export const DISTANCE_CODE = 31616;
export const PRECODE_CODE = 31744;
/** u16[16] */
export const NEXT_PLACE = 31872;
/** u8[320] */
export const CODE_LENGTHS = 31936;
/** u32[288] and u32[32]: entries of the symbols, without the bits of their codes */
export const LITERAL_ENTRIES = 32320;
export const DISTANCE_ENTRIES = 33472;
/** 16 bytes for each distance up to 16: a pattern with that period; then the step of such a vector */
export const PATTERNS = 33600;
export const STEPS = 33888;
/** CRC_STEP bytes equivalent to everything before them in a checksum */
export const CRC_STEP = 128;
export const CRC_STATE = 33920;
/** u32[32]: the least distance of each symbol, and the range of its extra bits in the upper half */
export const DISTANCE_RANGES = 34432;
/**
 * for two groups of four bytes, for each of the four, for each of eight half bytes sixteen numbers; the
 * register after a byte and 0 to 3 zeros, u32[4][256]
 */
export const CRC_FOLDS = 34560;
export const CRC_TABLES = 35584;

/** which of a step's eight vectors belong together: a digit each, the first one lowest */
export const CRC_GROUP_A = 0x7310;
export const CRC_GROUP_B = 0x6542;

// ---- the picture ----

/** bytes of a stored row, without its filter byte; bytes per pixel for the filters, at least 1 */
export const ROW_BYTES = DECODER_FIELDS;
export const PIXEL_BYTES = DECODER_FIELDS + 4;
export const FORMAT = DECODER_FIELDS + 8;
/** bits of a palette index; channels of a pixel with 16-bit samples */
export const DEPTH = DECODER_FIELDS + 12;
export const CHANNELS = DECODER_FIELDS + 16;
/** u32[256], RGBA */
export const PALETTE = DECODER_FIELDS + 20;
/** 1 if pixels of the colour KEY_RED, KEY_GREEN, KEY_BLUE are transparent */
export const HAS_KEY = DECODER_FIELDS + 24;
export const KEY_RED = DECODER_FIELDS + 28;
export const KEY_GREEN = DECODER_FIELDS + 32;
export const KEY_BLUE = DECODER_FIELDS + 36;
/** a piece of compressed data, after INPUT_LEAD bytes of the previous one, followed by INPUT_TAIL zeros */
export const INPUT = DECODER_FIELDS + 40;
export const INPUT_BYTES = DECODER_FIELDS + 44;
/** inflated data: the window of matches, and what is not read yet; WINDOW_SLACK more bytes may be written */
export const WINDOW = DECODER_FIELDS + 48;
export const WINDOW_BYTES = DECODER_FIELDS + 52;
/** two stored rows, for all formats except RGBA and RGB, STORED_STRIDE bytes apart */
export const STORED = DECODER_FIELDS + 56;
export const STORED_STRIDE = DECODER_FIELDS + 60;
/** maximum number of blocks in the data */
export const MOST_BLOCKS = DECODER_FIELDS + 64;
/** a second row as RGBA, also after ROW_LEAD zeros, for all pictures */
export const UPPER_ROW = DECODER_FIELDS + 68;

export const INPUT_LEAD = 8;
export const INPUT_TAIL = 64;
/** the header of a block has at most 570 bytes */
export const LOOKAHEAD = 1024;
export const WINDOW_SLACK = 1024;
export const ROW_LEAD = 16;
export const STORED_LEAD = 16;

// How to convert a row's bytes to RGBA.
export const FORMAT_RGBA = 0;
export const FORMAT_RGB = 1;
/** palette indices or greys of DEPTH bits */
export const FORMAT_INDEXED = 2;
export const FORMAT_GREY_ALPHA = 3;
/** RGB with one transparent colour */
export const FORMAT_KEYED_RGB = 4;
/** CHANNELS samples of 16 bits */
export const FORMAT_WIDE = 5;

// Return values.
export const ROWS_READY = 0;
export const NEEDS_INPUT = 1;
export const FINISHED = 2;
export const FAULT_STREAM = 3;
/** the stream ends before all rows, or the data before the stream */
export const FAULT_END = 4;
export const FAULT_CUT = 5;
export const FAULT_FILTER = 6;
export const FAULT_BLOCKS = 7;
