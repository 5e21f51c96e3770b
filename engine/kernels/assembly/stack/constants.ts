// Constants for the operations of a stack, shared by the plain TypeScript and the kernel. Plain constants
// only: this file also runs in Node.

/** Pixels blended at once, so that intermediate values stay in the first-level cache. */
export const RUN_PX = 512;

/** Maximum number of pixels that go through all operations at once. */
export const BAND_PX = 16384;

/** A surface: red, green, blue and alpha of the band's pixels, f32, 0..1, straight alpha. */
export const PLANE_BYTES = 4 * BAND_PX + 1104;
export const SURFACE_BYTES = 4 * PLANE_BYTES;

/** Colours along an edge of a cube: errors stay below 0.1 of 255; with 17 they would not. */
export const CUBE_SIDE = 33;

/** Least divisor for alpha: below it, nothing is divided. */
export const LEAST_ALPHA = 1e-30;

// Kinds of adjustments.
export const BY_TABLES = 0;
export const BY_CUBE = 1;
export const BY_THRESHOLD = 2;
