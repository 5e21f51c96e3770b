// The host's description of a picture for the decoder kernel: structures of i32 at addresses that it chooses.
// The kernel and its host (engine/src/decoding/jpeg/describe-picture.ts) import these offsets. Plain
// constants only: this file also runs in Node.

// The picture.
export const BLOCKS_PER_MCU = 0;
export const MCUS_X = 4;
export const MCUS_Y = 8;
export const RESTART_INTERVAL = 12;
export const SEGMENT_TABLE = 16;
/**
 * 3,328 bytes: for each of ten blocks its coefficients (0..127) and those not needed at any scale (192); then
 * scratch of transforms
 */
export const SCRATCH = 20;
export const SCRATCH_BLOCK = 256;
export const SCRATCH_PASSES = 2560;
export const COMPONENTS = 24;
/** the requested part: pixels of a row, and the row after the last one */
export const OUT_WIDTH = 28;
export const OUT_BOTTOM = 32;
/** memory for the rows completed by one row of MCUs */
export const OUT = 36;
export const OUT_STRIDE = 40;
/** 1 if chroma is upsampled to twice its width / height */
export const STRETCH_X = 44;
export const STRETCH_Y = 48;
/** chroma samples of a row from FIRST_X on, and rows of the whole picture */
export const CHROMA_WIDTH = 52;
export const CHROMA_HEIGHT = 56;
/** rows in the ring buffers of decoded luma / chroma */
export const LUMA_RING = 60;
export const CHROMA_RING = 64;
export const LUMA = 68;
export const LUMA_STRIDE = 72;
export const CB = 76;
export const CR = 80;
export const CHROMA_STRIDE = 84;
/** memory for four upsampled rows */
export const LINES = 88;
export const LUMA_ROWS_PER_MCU = 92;
/** rows of MCUs in the ring buffers */
export const SLOTS = 96;
export const PREDICTORS = 100;
/** MCUs to transform, per axis: the first, and the one after the last. Sample planes begin at FIRST_X. */
export const FIRST_X = 104;
export const END_X = 108;
export const FIRST_Y = 112;
export const END_Y = 116;
/** the first requested row, and the first pixel of a row, counted from FIRST_X */
export const OUT_TOP = 120;
export const OUT_LEFT = 124;
/** block records follow the picture here, 64 bytes each, in the order of the MCU */
export const RECORDS = 128;
export const RECORD_BYTES = 64;

// A block of the MCU. For the output of a progressive picture, the first three fields differ.
export const DC_TABLE = 0;
export const AC_TABLE = 4;
/**
 * u8[256]: index in zigzag order (0..63, and beyond for runs that overflow) -> byte offset of the coefficient
 */
export const POSITIONS = 8;
export const QUANTISER = 12;
export const PREDICTOR = 16;
/** destination of the block's next samples; set by the kernel */
export const TARGET = 20;
export const TARGET_STEP = 24;
export const TARGET_STRIDE = 28;
/** samples of the block, per axis: 1 to 16 */
export const SAMPLES_X = 32;
export const SAMPLES_Y = 36;
/**
 * tables of cosines, see the transforms: pairs for a row's samples and their order (160 bytes; for small
 * blocks as below), and factors of the rows
 */
export const COSINES_X = 40;
export const COSINES_Y = 44;
/** 0 one sample from DC, 1 libjpeg's exact 8 x 8, 2 fewer than 4 x 4, 3 any other size, 4 4 x 4 */
export const TRANSFORM = 48;
export const TARGET_BASE = 52;
export const SLOT_BYTES = 56;
/**
 * zigzag index of the last coefficient of a decoded block of a sequential picture; where the next block of a
 * progressive one is stored
 */
export const LAST = 60;
export const COEFFICIENTS = 60;

export const STORED_BASE = 0;
export const STORED_STEP = 8;

/**
 * A stored block of a progressive picture: 128 bytes of coefficients, u64 of which are not zero (zigzag
 * order), one for those that no scale needs. Those of one row of MCUs are stored.
 */
export const STORED_BYTES = 144;
export const STORED_MASK = 128;

// A scan of a progressive picture: what the host describes, then where its reader stands between two rows of
// MCUs, kept by the kernel (SCAN_STATE on, zero before the first row). Components of 56 bytes follow at
// SCAN_COMPONENTS, then LANE_KNOWN and the fields below it.
export const SCAN_BYTES = 504;
export const SCAN_COUNT = 0;
export const SCAN_FIRST = 4;
export const SCAN_LAST = 8;
export const SCAN_HIGH = 12;
export const SCAN_LOW = 16;
export const SCAN_INTERVAL = 20;
export const SCAN_SEGMENTS = 24;
export const SCAN_SEGMENT_COUNT = 28;
export const SCAN_STATE = 32;
export const SCAN_BUFFER = 32;
export const SCAN_NEXT = 40;
export const SCAN_VALID = 44;
/** start and end of the segment's data, which is stored in reverse */
export const SCAN_TOP = 48;
export const SCAN_BOTTOM = 52;
/** segments started, and MCUs left in the last of them */
export const SCAN_SEGMENT = 56;
export const SCAN_MCUS_LEFT = 60;
export const SCAN_RUN = 64;
/** the refinement scan that is decoded together with this one, or 0; the later of the two decodes both */
export const SCAN_PARTNER = 68;
/** i32[3], and four more bytes written with them */
export const SCAN_PREDICTORS = 80;
export const SCAN_COMPONENTS = 96;
export const COMPONENT_BYTES = 56;
export const BLOCKS = 0;
export const BLOCKS_STRIDE = 4;
export const BLOCKS_X = 8;
export const BLOCKS_Y = 12;
export const FACTOR_X = 16;
export const FACTOR_Y = 20;
export const SCAN_DC_TABLE = 24;
export const SCAN_AC_TABLE = 28;
export const SCAN_POSITIONS = 32;
export const SCAN_PREDICTOR = 36;
/** zigzag index of the last coefficient that the scale needs */
export const LAST_NEEDED = 40;
/** the leading bytes of a stored block that the scale needs: 32 to 128 */
export const BYTES_NEEDED = 44;
export const SCAN_PLACES = 48;

// The state of a refinement scan within a row of MCUs, see refinement.ts.
/** u64: the band's coefficients that were non-zero before the block */
export const LANE_KNOWN = 264;
/** u64: signs and corrections read for the block, in zigzag order, the last one lowest */
export const LANE_TAKEN = 272;
/** u64: the lane's read position, see `bitsAt`, and the number of the segment's last bit */
export const LANE_NEXT_BIT = 280;
export const LANE_BOTTOM = 288;
/** the current block: column, remaining rows of blocks, address */
export const LANE_X = 296;
export const LANE_ROWS = 300;
export const LANE_BLOCK = 304;
/** finished blocks, and the scan that must be ahead of this one, or 0 */
export const LANE_DONE = 308;
export const LANE_AHEAD = 312;
/** columns of blocks whose coefficients are needed: the first one, and the one after the last */
export const LANE_NEEDED_FROM = 316;
export const LANE_NEEDED_END = 320;
/** the position of the last symbol, and of the next zero in the list */
export const LANE_PLACE = 324;
export const LANE_LIST = 328;
/** u64: coefficients that became non-zero in the block */
export const LANE_ADDED = 336;
/** 80 bytes: the positions of the band's zeros; then as many invalid positions, for NOT_ONE */
export const LANE_PLACES = 344;

// Tables at SCAN_PLACES. For each byte eight bytes: the places of its ones, lowest first. At RANKS for each
// byte eight bytes, one for each of its bits: how many ones are below it, or 128 where it is zero. From there
// on: at BIT_TESTS each bit of a byte, highest first, twice; at BIT_BYTES the two bytes of a u64 that hold
// its highest sixteen bits, each eight times; at PLACE_TESTS and PLACE_BYTES the same for its lowest sixteen
// bits, lowest first.
export const RANKS = 2048;
export const BIT_TESTS = 2048;
export const BIT_BYTES = 2064;
export const PLACE_TESTS = 2080;
export const PLACE_BYTES = 2096;
export const PLACES_BYTES = 4096 + 64;

/**
 * Behind a component's positions: for each 16 coefficients of a stored block four vectors, which say where
 * they are among each 16 coefficients in zigzag order, or 128.
 */
export const ORDER = 256;
export const POSITIONS_BYTES = 512;

/** Zero bytes below a scan's unstuffed data. */
export const UNSTUFFED_GAP = 32;

// Transforms of a block, by its number of samples.

/** One sample, from the DC coefficient only. */
export const FLAT_TRANSFORM = 0;
/** 8 x 8, exactly like libjpeg. */
export const EXACT_TRANSFORM = 1;
/** At most 4 x 4, but not 4 x 4. */
export const SMALL_TRANSFORM = 2;
/** Any other size. */
export const LARGE_TRANSFORM = 3;
export const FOUR_TRANSFORM = 4;

// Faults of the data.

/** More bits were used than exist. */
export const FAULT_BITS = 1;
/** An undefined code. */
export const FAULT_CODE = 2;
/** A run past the end of a block. */
export const FAULT_RUN = 3;
/** Unused data. */
export const FAULT_REST = 4;
/** A restart interval without its segment. */
export const FAULT_SEGMENT = 5;
/** An impossible coefficient. */
export const FAULT_COEFFICIENT = 6;
