// Constants that determine a frame's pixels, shared by the kernel and the plain TypeScript. Plain constants
// only: this file also runs in Node.

/** The longest run of pixels sampled at once: three short loops over it stay in the first-level cache. */
export const LONGEST_CHUNK_PX = 256;

/** Texels of padding around a level: the farthest that 4 taps reach from a position 2 texels outside. */
export const TEXTURE_PAD = 4;

/** The highest mip level per axis: 1/64 of the decoded size. */
export const GREATEST_LEVEL = 6;

/** A smaller mip level is used from twice this local scale on: below, 4 taps filter well enough. */
export const LEVEL_THRESHOLD = 1.6;

/** Sample positions are rounded to 1/128 of a texel. */
export const PHASE_BITS = 7;
export const PHASE_COUNT = 128;

/** Position of a texel's left edge minus half a texel, from the start of the padding, in 1/128 of a texel. */
export const ORIGIN = TEXTURE_PAD * PHASE_COUNT - PHASE_COUNT / 2;

/** How far outside a level a position may be, in texels: clamped, so that taps stay in the padding. */
export const GREATEST_OUTSIDE = 2;
export const LEAST_POSITION = ORIGIN - GREATEST_OUTSIDE * PHASE_COUNT;

/** One table of weights per 1/16 of scale, from 0 to 3.25; as many again for mip levels. */
export const SCALE_STEPS_PER_UNIT = 16;
export const TABLE_COUNT = 53;

/** Steps of the table from light to bytes, per unit of light: 1/20 of a byte where the curve is steepest. */
export const TONE_STEPS_PER_UNIT = 65536;

/** End of the table: more light is 255 in every tone (the shoulder reaches 254.5/255 at 1.96). */
export const GREATEST_LIGHT = 2;

/** What a texture's padding repeats: its edge, its opposite side, its mirror image. */
export const EXTENDS_EDGE = 0;
export const EXTENDS_WRAPPED = 1;
export const EXTENDS_MIRRORED = 2;

/** Fractional bits of the weights that reduce repeated artwork, and of values between the two passes. */
export const REDUCTION_WEIGHT_BITS = 14;
export const REDUCTION_BETWEEN_BITS = 6;
