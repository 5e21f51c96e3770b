// The layout of what the caller writes for a frame, and of the scratch between the steps of a chunk. All addresses are 32 bits.

// ---- the frame's record ----

/** The homography, nine f64 in rows. */
export const MATRIX: usize = 0;
/** Left and top of the frame's region in the picture, f64 each. */
export const LEFT: usize = 72;
export const TOP: usize = 80;
/** Where u and v lie on the artwork, f64 each: texel = offset + u * scale. */
export const SCALE_U: usize = 88;
export const OFFSET_U: usize = 96;
export const SCALE_V: usize = 104;
export const OFFSET_V: usize = 112;
/** Blended: turns coverage times alpha into parts of 65536. Lit: turns coverage into a share. f64. */
export const OPACITY_SCALE: usize = 120;

/** The region's width, and the artwork's size in texels. */
export const REGION_WIDTH: usize = 128;
export const WIDTH: usize = 132;
export const HEIGHT: usize = 136;
/** 1 where no texel has alpha below 255. */
export const IS_OPAQUE: usize = 140;
/** A blending mode by formula, or 0 = by its table. */
export const MODE: usize = 144;
export const BLEND_TABLE: usize = 148;
/** Tables of light, or 0 = the frame is blended. */
export const LIGHT_TABLES: usize = 152;
/** Layers of the band's rows, without gaps: a byte, or three, or four (f32) a pixel. 0 = there is none. */
export const COVERAGE: usize = 156;
export const SHADE: usize = 160;
export const HIGHLIGHTS: usize = 164;
export const GRID_U: usize = 168;
export const GRID_V: usize = 172;
/** The scene under the band, RGB, and the bytes of a row of it. */
export const SCENE: usize = 176;
export const SCENE_STRIDE: usize = 180;
/** The band's chunks: number of the first chunk of each row and of the row behind the last (i32); start, length (i32) and scales (f32) of each. */
export const ROW_CHUNKS: usize = 184;
export const CHUNK_START: usize = 188;
export const CHUNK_LENGTH: usize = 192;
export const CHUNK_SCALE_U: usize = 196;
export const CHUNK_SCALE_V: usize = 200;
/** Weights of all tables, 16 bytes a phase. Across: 0 2 1 3 and nothing, summing to 16384; down: 0 0 1 1 2 2 3 3, summing to 128. */
export const WEIGHTS_ACROSS: usize = 204;
export const WEIGHTS_DOWN: usize = 208;
/** The scratch below. */
export const BLOCK: usize = 212;

/** Levels of the artwork by halvings across * 7 + halvings down, 16 bytes each. */
export const LEVELS: usize = 256;
/** Address of the texel that is the first tap at position 0, bytes of a row, greatest positions across and down. */
export const LEVEL_FIRST: usize = 0;
export const LEVEL_STRIDE: usize = 4;
export const LEVEL_GREATEST_X: usize = 8;
export const LEVEL_GREATEST_Y: usize = 12;

// ---- the scratch: 256 entries of each, apart so that they do not fall on the same lines of the cache ----

export const TEXEL: usize = 0;
export const WEIGHT_X: usize = 1024 + 64;
export const WEIGHT_Y: usize = 2048 + 128;
/** Sampled colours: premultiplied RGBA. */
export const COLOR: usize = 3072 + 192;
/** The chunk at work. */
export const CHUNK: usize = 4096 + 256;
/** Four filtered pixels, i32 a channel. */
export const FILTERED: usize = CHUNK + 128;

// ---- the chunk at work, in the scratch ----

export const CHUNK_PIXELS: usize = 0;
export const FIRST: usize = 4;
export const STRIDE: usize = 8;
export const TABLE_X: usize = 12;
export const TABLE_Y: usize = 16;
export const GREATEST_X: usize = 20;
export const GREATEST_Y: usize = 24;
/** A Locator of sample-chunk.ts for each axis, f64: factors of x and y, starts of x and y. */
export const FACTOR_X: usize = 32;
export const FACTOR_Y: usize = 40;
export const START_X: usize = 48;
export const START_Y: usize = 56;
/** What positions by the homography are divided by: factor * px + start. */
export const FACTOR_W: usize = 64;
export const START_W: usize = 72;
