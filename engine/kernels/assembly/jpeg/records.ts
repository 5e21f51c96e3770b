// How the caller describes a picture to the kernel: structures of i32 at addresses that it chooses. engine/src/decoding/jpeg/jpeg-layout.ts
// writes them; the offsets here and there must agree.

// The picture.
export const BLOCKS_PER_MCU: usize = 0;
export const MCUS_X: usize = 4;
export const MCUS_Y: usize = 8;
export const RESTART_INTERVAL: usize = 12;
export const SEGMENT_TABLE: usize = 16;
/** 3,328 bytes: for each of ten blocks coefficients (0..127) and a place for those that no scale needs (192), then room for transforms */
export const SCRATCH: usize = 20;
export const SCRATCH_BLOCK: usize = 256;
export const SCRATCH_ROOM: usize = 2560;
export const COMPONENTS: usize = 24;
/** what is wanted of the picture: pixels of a row, and the row behind the last one */
export const OUT_WIDTH: usize = 28;
export const OUT_BOTTOM: usize = 32;
/** room for the rows that one row of MCUs completes */
export const OUT: usize = 36;
export const OUT_STRIDE: usize = 40;
/** 1 where chroma is stretched to twice its width / height */
export const STRETCH_X: usize = 44;
export const STRETCH_Y: usize = 48;
/** chroma samples of a row from FIRST_X on, and rows of the whole picture */
export const CHROMA_WIDTH: usize = 52;
export const CHROMA_HEIGHT: usize = 56;
/** rows that the ring of decoded luma / chroma rows holds */
export const LUMA_RING: usize = 60;
export const CHROMA_RING: usize = 64;
export const LUMA: usize = 68;
export const LUMA_STRIDE: usize = 72;
export const CB: usize = 76;
export const CR: usize = 80;
export const CHROMA_STRIDE: usize = 84;
/** room for four stretched rows */
export const LINES: usize = 88;
export const LUMA_ROWS_PER_MCU: usize = 92;
/** rows of MCUs that the rings hold */
export const SLOTS: usize = 96;
export const PREDICTORS: usize = 100;
/** MCUs that are transformed: from the first to the one behind the last, per axis. Sample planes begin at FIRST_X. */
export const FIRST_X: usize = 104;
export const END_X: usize = 108;
export const FIRST_Y: usize = 112;
export const END_Y: usize = 116;
/** the first row that is wanted, and the first pixel of a row, counted from FIRST_X on */
export const OUT_TOP: usize = 120;
export const OUT_LEFT: usize = 124;
/** block records follow the picture here, 64 bytes each, in the order of the MCU */
export const RECORDS: usize = 128;
export const RECORD_BYTES: usize = 64;

// A block of the MCU. The first three fields are another thing in the output pass of a progressive picture.
export const DC_TABLE: usize = 0;
export const AC_TABLE: usize = 4;
/** u8[256]: index in zigzag order (0..63, and beyond for runs that overflow) -> byte offset of the coefficient */
export const POSITIONS: usize = 8;
export const QUANTISER: usize = 12;
export const PREDICTOR: usize = 16;
/** where the block's samples go next; set by the kernel */
export const TARGET: usize = 20;
export const TARGET_STEP: usize = 24;
export const TARGET_STRIDE: usize = 28;
/** samples that the block becomes, per axis: 1 to 16 */
export const SAMPLES_X: usize = 32;
export const SAMPLES_Y: usize = 36;
/** tables of cosines, see the transforms: pairs for a row's samples and their order (160 bytes; of small blocks as below), and of what rows are multiplied by */
export const COSINES_X: usize = 40;
export const COSINES_Y: usize = 44;
/** 0 one sample from DC, 1 libjpeg's exact 8 x 8, 2 fewer than 4 x 4, 3 any other size, 4 4 x 4 */
export const TRANSFORM: usize = 48;
export const TARGET_BASE: usize = 52;
export const SLOT_BYTES: usize = 56;
/** zigzag index of the last coefficient of a decoded block of a sequential picture; where the next block of a progressive one is stored */
export const LAST: usize = 60;
export const COEFFICIENTS: usize = 60;

export const STORED_BASE: usize = 0;
export const STORED_STEP: usize = 8;
export const STORED_ROW: usize = 16;

/** A stored block of a progressive picture: 128 bytes of coefficients, u64 of which are not zero (zigzag order), a place for the needless. */
export const STORED_BYTES: usize = 144;
export const STORED_MASK: usize = 128;

// @ts-ignore: decorator
@inline export function field(structure: usize, offset: usize): i32 {
  return load<i32>(structure + offset);
}
// @ts-ignore: decorator
@inline export function address(structure: usize, offset: usize): usize {
  return <usize>load<u32>(structure + offset);
}
