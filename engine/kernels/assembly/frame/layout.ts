// The frame kernel's memory: what the host writes for a frame, and the scratch between the steps of a chunk.
// The kernel and its host (engine/src/kernels/frame-kernel.ts) import these offsets; addresses are 32 bits.
// Plain constants only: this file runs in Node as it is.
import { GREATEST_LEVEL, GREATEST_LIGHT, LONGEST_CHUNK_PX, TONE_STEPS_PER_UNIT } from './constants.ts';

/** Whole vectors are loaded and stored: bytes that hold nothing after every region. */
export const SLACK_BYTES = 64;

// ---- the frame's record: f64 ----

/** The homography, nine numbers in rows. */
export const MATRIX = 0;
/** Left and top of the frame's region in the picture. */
export const LEFT = 72;
export const TOP = 80;
/** Texels of the artwork: x = X_START + u * X_PER_U + v * X_PER_V, and so y. */
export const X_PER_U = 88;
export const X_PER_V = 96;
export const X_START = 104;
export const Y_PER_U = 112;
export const Y_PER_V = 120;
export const Y_START = 128;
/** Blended: turns coverage times alpha into parts of 65536. Lit: turns coverage into a share. */
export const OPACITY_SCALE = 136;

// ---- the frame's record: i32 and addresses ----

/** The region's width, and the artwork's size in texels. */
export const REGION_WIDTH = 144;
export const WIDTH = 148;
export const HEIGHT = 152;
/** 1 where no texel has alpha below 255. */
export const IS_OPAQUE = 156;
/** A blend mode's formula, or TABLE_MODE. */
export const MODE = 160;
export const BLEND_TABLE = 164;
/** Tables of light, or 0: the frame is blended. */
export const LIGHT_TABLES = 168;
/** Layers of the band's rows, without gaps: a byte or four (f32) a pixel, of light three. 0: none. */
export const COVERAGE = 172;
export const GRID_U = 176;
export const GRID_V = 180;
/** The scene under the band, RGB, and the bytes of a row of it. */
export const SCENE = 184;
export const SCENE_STRIDE = 188;
/** The band's chunks: number of the first chunk of each row and of the row behind the last (i32). */
export const ROW_CHUNKS = 192;
/** Of each chunk: start and length (i32), scales (f32). */
export const CHUNK_START = 196;
export const CHUNK_LENGTH = 200;
export const CHUNK_SCALE_U = 204;
export const CHUNK_SCALE_V = 208;
/**
 * Weights of all tables, 16 bytes a phase. Across: 0 2 1 3 and zeros, summing to 16384;
 * down: 0 0 1 1 2 2 3 3, summing to 128.
 */
export const WEIGHTS_ACROSS = 212;
export const WEIGHTS_DOWN = 216;
/** The scratch below. */
export const BLOCK = 220;
/** How much of each pixel lies within the artwork's own edges: a byte a pixel. 0: none of them cuts. */
export const CUT = 224;
/** What lies under the artwork: opaque RGBA. 0: nothing does. */
export const BACKGROUND = 228;
/** Copies of the artwork: 0 none, else as a texture's padding (EXTENDS_WRAPPED, EXTENDS_MIRRORED). */
export const REPEAT = 232;

/** Up to eight layers of light, in the order of lightFields; 0: there is none. */
export const LIGHT_LAYERS = 240;

/** Levels of the artwork, by halvings across * 7 + halvings down. */
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

/** The mode has no formula here and is blended by its table: result byte at backdrop * 256 + source. */
export const TABLE_MODE = 0;
export const BLEND_TABLE_BYTES = 65536;

// ---- the scratch: an entry per pixel of each, apart so that they do not fall on the same cache lines ----

export const TEXEL = 0;
export const WEIGHT_X = TEXEL + 4 * LONGEST_CHUNK_PX + 64;
export const WEIGHT_Y = WEIGHT_X + 4 * LONGEST_CHUNK_PX + 64;
/** Sampled colours: premultiplied RGBA. */
export const COLOR = WEIGHT_Y + 4 * LONGEST_CHUNK_PX + 64;
/** The chunk at work. */
export const CHUNK = COLOR + 4 * LONGEST_CHUNK_PX + 64;
/** Four filtered pixels, i32 a channel. */
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
/** By a homography, f64: position = (FACTOR * px + START) / (FACTOR_W * px + START_W), along both axes. */
export const FACTOR_X = 32;
export const FACTOR_Y = 40;
export const START_X = 48;
export const START_Y = 56;
export const FACTOR_W = 64;
export const START_W = 72;
/** By a map, f64: position = FACTOR * u + FACTOR_V * v + START. */
export const FACTOR_X_V = 80;
export const FACTOR_Y_V = 88;
/** In a repeated texture, f64 for x, then for y: positions of one copy (two where mirrored), 1 over it. */
export const PERIOD_X = 96;
export const PER_PERIOD_X = 112;
/** Positions beyond half of it run backwards; infinity where none do. */
export const TURN_X = 128;
