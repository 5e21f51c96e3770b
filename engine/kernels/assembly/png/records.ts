// What the PNG decoder's kernel and its host (engine/src/decoding/png/) agree on: fixed addresses, the
// structure that describes a picture, and what a call may answer. Plain constants only: this file runs in
// Node as it is.

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
/** rows that wait to be added: their spans (u32 pairs) and shares (u32); spans of the three middle rows */
export const BAND_SPANS = 33920;
export const BAND_SHARES = 33984;
export const MIDDLE_SPANS = 34016;
/** CRC_STEP bytes that stand for all before, of a checksum */
export const CRC_STEP = 128;
export const CRC_STATE = 34048;
export const PICTURE = 34176;
export const PICTURE_BYTES = 256;
/** u32[32]: the least distance of each symbol, and what its extra bits may add in the upper half */
export const DISTANCE_RANGES = 34432;
/**
 * for two groups of four bytes, for each of the four, for each of eight half bytes sixteen numbers; the
 * register after a byte and 0 to 3 zeros, u32[4][256]
 */
export const CRC_FOLDS = 34560;
export const CRC_TABLES = 35584;
export const DYNAMIC = 39680;

/** which of the eight vectors of a step belong together: a digit each, the first one lowest */
export const CRC_GROUP_A = 0x7310;
export const CRC_GROUP_B = 0x6542;

// ---- the picture ----

export const WIDTH = 0;
export const HEIGHT = 4;
/** bytes of a row as stored, without its filter; bytes of a pixel for the filters, at least 1 */
export const ROW_BYTES = 8;
export const PIXEL_BYTES = 12;
export const FORMAT = 16;
/** bits of a palette's index; channels of a pixel of 16-bit samples */
export const DEPTH = 20;
export const CHANNELS = 24;
/** 1 where all pixels have alpha 255 */
export const IS_OPAQUE = 28;
/** u32[256], RGBA */
export const PALETTE = 32;
/** how many of these the file has */
export const PALETTE_SIZE = 36;
/** 1 where pixels of the colour KEY_RED, KEY_GREEN, KEY_BLUE are clear */
export const HAS_KEY = 40;
export const KEY_RED = 44;
export const KEY_GREEN = 48;
export const KEY_BLUE = 52;
/**
 * a piece of the compressed data, behind INPUT_LEAD bytes of the piece before and followed by INPUT_TAIL
 * zeros
 */
export const INPUT = 56;
export const INPUT_BYTES = 60;
/** inflated data: what matches refer to, and what is not read yet; WINDOW_SLACK bytes more may be written */
export const WINDOW = 64;
export const WINDOW_BYTES = 68;
/** a row as RGBA, behind ROW_LEAD zeros */
export const ROW = 72;
/** two rows as stored, for all formats but RGBA and RGB, STORED_STRIDE bytes apart */
export const STORED = 76;
export const STORED_STRIDE = 80;
/** memory for OUT_ROWS rows of the result */
export const OUT = 84;
export const OUT_ROWS = 88;
/** what is wanted of the picture at its size: pixels of a row, the first row, rows */
export const OUT_WIDTH = 92;
export const OUT_TOP = 96;
export const OUT_HEIGHT = 100;
/** the first pixel that is wanted, counted from the first one that is computed */
export const OUT_LEFT = 104;
/** most blocks that the data may have */
export const MOST_BLOCKS = 108;
/** 1 where the picture is reduced; all that follows is for that alone */
export const IS_REDUCED = 112;
/**
 * 8 bytes for each row: i32 the output row that its first share goes to, i16 that share, i16 that of the next
 * row
 */
export const ROW_SHARES = 116;
/**
 * for each output pixel the address of its first sum from the row's beginning, u32; an even number of them
 */
export const COLUMN_STARTS = 120;
/** two sums are weighted at a time: i16x8 for each pair */
export const COLUMN_WEIGHTS = 124;
export const TAP_PAIRS = 128;
/**
 * output pixels and rows that are computed: what is wanted and, where there is one, a neighbour on each side
 */
export const WORK_WIDTH = 132;
export const WORK_HEIGHT = 136;
/** of the computed rows the first that is wanted */
export const WORK_TOP = 140;
/** pixels of the picture that the computed columns need: multiples of 4 */
export const FIRST_COLUMN = 144;
export const END_COLUMN = 148;
/** sums of two output rows, SUM_BYTES each: i16 for each channel of a pixel */
export const SUMS = 152;
export const SUM_BYTES = 156;
/** three rows of output numbers and a sharpened one, MIDDLE_BYTES each */
export const MIDDLE = 160;
export const MIDDLE_BYTES = 164;
/** BAND_ROWS rows of pixels, BAND_BYTES each, then u32 for each four pixels of a row */
export const BAND = 168;
export const BAND_BYTES = 172;
/** sharpening per axis, of 32768; 0 for an axis that is not reduced */
export const SHARPEN_X = 176;
export const SHARPEN_Y = 180;
/** a second row as RGBA, likewise behind ROW_LEAD zeros, for all pictures */
export const UPPER_ROW = 184;

export const INPUT_LEAD = 8;
export const INPUT_TAIL = 64;
/** the header of a block has at most 570 bytes */
export const LOOKAHEAD = 1024;
export const WINDOW_SLACK = 1024;
export const ROW_LEAD = 16;
export const STORED_LEAD = 16;
export const BAND_ROWS = 8;
export const MIDDLE_LEAD = 16;

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
export const FAULT_END = 4;
export const FAULT_FILTER = 5;
export const FAULT_INDEX = 6;
export const FAULT_BLOCKS = 7;
export const FAULT_REST = 8;
export const FAULT_CHECKSUM = 9;
