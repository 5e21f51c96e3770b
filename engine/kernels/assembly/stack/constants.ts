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

/** Least divisor of a colour by its alpha: where there is none, nothing is divided. */
export const LEAST_ALPHA = 1e-30;

// What an adjustment is.
export const BY_TABLES = 0;
export const BY_CUBE = 1;
export const BY_THRESHOLD = 2;
