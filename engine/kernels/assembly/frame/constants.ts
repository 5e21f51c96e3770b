// Numbers that define a frame's pixels, for the kernel and for the plain TypeScript that it equals.
// Plain constants only: this file runs in Node as it is.

/**
 * The longest run of pixels that is sampled at once: three short loops over it stay in the first-level cache.
 */
export const LONGEST_CHUNK_PX = 256;

/**
 * Texels of repeated edge around a level: the farthest that 4 taps reach from a position 2 texels outside.
 */
export const TEXTURE_PAD = 4;

/** An artwork is halved so many times per axis at most: 1/64 of the decoded size. */
export const GREATEST_LEVEL = 6;

/** A halved level is read from twice this local scale on: 4 taps filter well enough below it. */
export const LEVEL_THRESHOLD = 1.6;

/** Sample positions are rounded to 1/128 of a texel. */
export const PHASE_BITS = 7;
export const PHASE_COUNT = 128;

/**
 * Position of a texel's left edge minus half a texel, counted from the level's padding, in 1/128 of a texel.
 */
export const ORIGIN = TEXTURE_PAD * PHASE_COUNT - PHASE_COUNT / 2;

/** How far outside a level a position may lie, in texels: clamped, so that taps stay in the padding. */
export const GREATEST_OUTSIDE = 2;
export const LEAST_POSITION = ORIGIN - GREATEST_OUTSIDE * PHASE_COUNT;

/** One table of weights per 1/16 of scale, from 0 to 3.25; as many again for halved levels. */
export const SCALE_STEPS_PER_UNIT = 16;
export const TABLE_COUNT = 53;

/** Steps of the table from light to bytes, per unit of light: 1/20 of a byte where the curve is steepest. */
export const TONE_STEPS_PER_UNIT = 65536;

/** The table ends here: light from here on is 255 in every tone (the shoulder reaches 254.5/255 at 1.96). */
export const GREATEST_LIGHT = 2;

/** What a texture's padding repeats: its edge, its other side, itself mirrored. */
export const EXTENDS_EDGE = 0;
export const EXTENDS_WRAPPED = 1;
export const EXTENDS_MIRRORED = 2;

/** Fraction bits of the weights that reduce a repeated artwork, and of what lies between its two passes. */
export const REDUCTION_WEIGHT_BITS = 14;
export const REDUCTION_BETWEEN_BITS = 6;
