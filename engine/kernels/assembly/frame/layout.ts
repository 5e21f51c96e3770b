// The frame kernel's memory: what the host writes for a frame, and scratch memory for the steps of a chunk.
// The kernel and its host (engine/src/kernels/frame-kernel.ts) import these offsets; addresses are 32 bits.
// Plain constants only: this file also runs in Node.
import { GREATEST_LEVEL, GREATEST_LIGHT, LONGEST_CHUNK_PX, TONE_STEPS_PER_UNIT } from './constants.ts';

/** Unused bytes after every region, since whole vectors are loaded and stored. */
export const SLACK_BYTES = 64;

// ---- the frame's record: f64 ----

/** The homography, nine numbers row by row. */
export const MATRIX = 0;
/** Left and top of the frame's region in the picture. */
export const LEFT = 72;
export const TOP = 80;
/** Texels of the artwork: x = X_START + u * X_PER_U + v * X_PER_V, and likewise y. */
export const X_PER_U = 88;
export const X_PER_V = 96;
export const X_START = 104;
export const Y_PER_U = 112;
export const Y_PER_V = 120;
export const Y_START = 128;
/** Blended: converts coverage times alpha to parts of 65536. Lit: converts coverage to a share. */
export const OPACITY_SCALE = 136;

// ---- the frame's record: i32 and addresses ----

/** The region's width, and the artwork's size in texels. */
export const REGION_WIDTH = 144;
export const WIDTH = 148;
export const HEIGHT = 152;
/** 1 if all texels have alpha 255. */
export const IS_OPAQUE = 156;
/** A blend mode's formula, or TABLE_MODE. */
export const MODE = 160;
export const BLEND_TABLE = 164;
/** Tables of light, or 0: the frame is blended. */
export const LIGHT_TABLES = 168;
/** Layers of the band's rows, without gaps: per pixel a byte or four (f32), for light three. 0: none. */
export const COVERAGE = 172;
export const GRID_U = 176;
export const GRID_V = 180;
/** The scene under the band, RGB, and the bytes of its rows. */
export const SCENE = 184;
export const SCENE_STRIDE = 188;
/** The band's chunks: number of the first chunk of each row and of the row after the last (i32). */
export const ROW_CHUNKS = 192;
/** Of each chunk: start and length (i32), scales (f32). */
export const CHUNK_START = 196;
export const CHUNK_LENGTH = 200;
export const CHUNK_SCALE_U = 204;
export const CHUNK_SCALE_V = 208;
/**
 * Weights of all tables, 16 bytes per phase. Horizontal: 0 2 1 3 and zeros, summing to 16384; vertical: 0 0 1
 * 1 2 2 3 3, summing to 128.
 */
export const WEIGHTS_ACROSS = 212;
export const WEIGHTS_DOWN = 216;
/** The scratch below. */
export const BLOCK = 220;
/** How much of each pixel lies within the artwork's edges: a byte per pixel. 0: no edge crosses the frame. */
export const CUT = 224;
/** The background under the artwork: opaque RGBA. 0: none. */
export const BACKGROUND = 228;
/** Repetition of the artwork: 0 none, otherwise like padding (EXTENDS_WRAPPED, EXTENDS_MIRRORED). */
export const REPEAT = 232;

/** Up to eight light layers, in the order of lightFields; 0 for none. */
export const LIGHT_LAYERS = 240;

/** Mip levels of the artwork, by halvings across * 7 + halvings down. */
export const LEVELS = 272;
export const LEVEL_BYTES = 16;
export const FRAME_BYTES = LEVELS + (GREATEST_LEVEL + 1) * (GREATEST_LEVEL + 1) * LEVEL_BYTES;

// ---- a level ----

/** Address of the texel that is the first tap at position 0. */
export const LEVEL_FIRST = 0;
export const LEVEL_STRIDE = 4;
/** The greatest positions across and down. */
export const LEVEL_GREATEST_X = 8;
export const LEVEL_GREATEST_Y = 12;

// ---- the tables of light ----

/** Linear light of bytes, light of scene bytes, light of shade and highlights bytes: f64[256] each. */
export const LINEAR_LIGHT = 0;
export const SCENE_LIGHT = 2048;
export const LAYER_LIGHT = 4096;
/** The surface's light per channel: f64[3]. */
export const SURFACE_LIGHT = 6144;
/** The greatest step of light (i32), and a byte for each step. */
export const LAST_STEP = 6168;
export const BYTE_OF_STEP = 6176;
export const LIGHT_TABLES_BYTES = BYTE_OF_STEP + GREATEST_LIGHT * TONE_STEPS_PER_UNIT + 1;

// ---- blending ----

/** The mode has no formula here and is blended by its table, indexed by backdrop * 256 + source. */
export const TABLE_MODE = 0;
export const BLEND_TABLE_BYTES = 65536;

// ---- scratch: an entry per pixel in each, placed so that they do not share cache lines ----

export const TEXEL = 0;
export const WEIGHT_X = TEXEL + 4 * LONGEST_CHUNK_PX + 64;
export const WEIGHT_Y = WEIGHT_X + 4 * LONGEST_CHUNK_PX + 64;
/** Sampled colours: premultiplied RGBA. */
export const COLOR = WEIGHT_Y + 4 * LONGEST_CHUNK_PX + 64;
/** The current chunk. */
export const CHUNK = COLOR + 4 * LONGEST_CHUNK_PX + 64;
/** Four filtered pixels, i32 per channel. */
export const FILTERED = CHUNK + 192;
export const SCRATCH_BYTES = FILTERED + 64;

// ---- the chunk at work ----

export const CHUNK_PIXELS = 0;
export const FIRST = 4;
export const STRIDE = 8;
export const TABLE_X = 12;
export const TABLE_Y = 16;
export const GREATEST_X = 20;
export const GREATEST_Y = 24;
/** With a homography, f64: position = (FACTOR * px + START) / (FACTOR_W * px + START_W), along both axes. */
export const FACTOR_X = 32;
export const FACTOR_Y = 40;
export const START_X = 48;
export const START_Y = 56;
export const FACTOR_W = 64;
export const START_W = 72;
/** With a map, f64: position = FACTOR * u + FACTOR_V * v + START. */
export const FACTOR_X_V = 80;
export const FACTOR_Y_V = 88;
/** For a repeated texture, f64 for x, then y: the length of a copy (two if mirrored), its reciprocal. */
export const PERIOD_X = 96;
export const PER_PERIOD_X = 112;
/** Positions beyond half of it are mirrored; infinity if none are. */
export const TURN_X = 128;
