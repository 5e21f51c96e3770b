// What the operations of a stack compute with, for the plain TypeScript and the kernel. Plain constants only:
// this file runs in Node as it is.

/** Pixels that are blended at once, so that what is between the steps stays in the first-level cache. */
export const RUN_PX = 512;

/** At most so many pixels are drawn from the first operation to the last at once. */
export const BAND_PX = 16384;

/** A surface: red, green, blue and alpha of the band's pixels, f32, 0..1, not multiplied by alpha. */
export const PLANE_BYTES = 4 * BAND_PX + 1104;
export const SURFACE_BYTES = 4 * PLANE_BYTES;

/** Colours along an edge of a cube: errors stay below 0.1 of 255, with 17 they do not. */
export const CUBE_SIDE = 33;

/** In sums of two colours: less than a step of a byte, more than their rounding. */
export const HARD_MIX_LEAST = 1.00001;

/** Least divisor of a colour by its alpha: where there is none, nothing is divided. */
export const LEAST_ALPHA = 1e-30;

// Blending modes.
export const NORMAL = 0;
export const MULTIPLY = 1;
export const SCREEN = 2;
export const OVERLAY = 3;
export const DARKEN = 4;
export const LIGHTEN = 5;
export const COLOR_DODGE = 6;
export const COLOR_BURN = 7;
export const HARD_LIGHT = 8;
export const SOFT_LIGHT = 9;
export const DIFFERENCE = 10;
export const EXCLUSION = 11;
export const LINEAR_BURN = 12;
export const LINEAR_DODGE = 13;
export const VIVID_LIGHT = 14;
export const LINEAR_LIGHT = 15;
export const PIN_LIGHT = 16;
export const HARD_MIX = 17;
export const SUBTRACT = 18;
export const DIVIDE = 19;
export const HUE = 20;
export const SATURATION = 21;
export const COLOR = 22;
export const LUMINOSITY = 23;
export const DARKER_COLOR = 24;
export const LIGHTER_COLOR = 25;

// What an adjustment is.
export const BY_TABLES = 0;
export const BY_CUBE = 1;
export const BY_THRESHOLD = 2;
