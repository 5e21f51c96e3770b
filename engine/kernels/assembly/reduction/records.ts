// Definitions shared by the decoders that reduce rows (PNG, WebP) and their hosts: fixed addresses, and the
// fields that describe a picture and the requested part. A decoder's own fixed addresses lie below BAND_SPANS
// or between the picture and DYNAMIC. Plain constants only: this file also runs in Node.

// ---- fixed addresses ----

/** rows waiting to be added: their spans (u32 pairs) and weights (u32); spans of the three middle rows */
export const BAND_SPANS = 34048;
export const BAND_SHARES = 34112;
export const MIDDLE_SPANS = 34144;
/** the structure that describes a picture: the fields below, then the decoder's own */
export const PICTURE = 34176;
export const PICTURE_BYTES = 256;
/** memory laid out for each picture begins here */
export const DYNAMIC = 39680;

// ---- the picture ----

export const WIDTH = 0;
export const HEIGHT = 4;
/** 1 if all pixels have alpha 255 */
export const IS_OPAQUE = 8;
/** a row as RGBA, after zeros if the decoder needs them */
export const ROW = 12;
/** memory for OUT_ROWS rows of the result */
export const OUT = 16;
export const OUT_ROWS = 20;
/** the requested part at the picture's size: pixels of a row, the first row, rows */
export const OUT_WIDTH = 24;
export const OUT_TOP = 28;
export const OUT_HEIGHT = 32;
/** the first requested pixel, counted from the first computed one */
export const OUT_LEFT = 36;
/** 1 if the picture is reduced; the rest applies only then */
export const IS_REDUCED = 40;
/** 8 bytes for each row: i32 the output row of its first weight, i16 that weight, i16 that of the next row */
export const ROW_SHARES = 44;
/** for each output pixel the offset of its first sum in the row, u32; an even number of them */
export const COLUMN_STARTS = 48;
/** two sums are weighted at a time: i16x8 for each pair */
export const COLUMN_WEIGHTS = 52;
export const TAP_PAIRS = 56;
/** computed output pixels and rows: the requested part and its existing neighbours on each side */
export const WORK_WIDTH = 60;
export const WORK_HEIGHT = 64;
/** the first requested one of the computed rows */
export const WORK_TOP = 68;
/** pixels of the picture that the computed columns need: multiples of 4 */
export const FIRST_COLUMN = 72;
export const END_COLUMN = 76;
/** sums of two output rows, SUM_BYTES each: i16 for each channel of a pixel */
export const SUMS = 80;
export const SUM_BYTES = 84;
/** three rows of output values and a sharpened one, MIDDLE_BYTES each */
export const MIDDLE = 88;
export const MIDDLE_BYTES = 92;
/** BAND_ROWS rows of pixels, BAND_BYTES each, then u32 for every four pixels of a row */
export const BAND = 96;
export const BAND_BYTES = 100;
/** sharpening per axis, of 32768; 0 for an axis that is not reduced */
export const SHARPEN_X = 104;
export const SHARPEN_Y = 108;
/**
 * 1 if the four channels are Y of two adjacent pixels and their U and V, so that FIRST_COLUMN, END_COLUMN and
 * the columns' starts and weights refer to such pairs
 */
export const IS_YUV = 112;
/** the decoder's own fields begin here */
export const DECODER_FIELDS = 116;

export const BAND_ROWS = 8;
export const MIDDLE_LEAD = 16;
