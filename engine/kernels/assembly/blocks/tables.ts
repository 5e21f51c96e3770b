/** Per row of 8 coefficients: bits that are not zero -> their zigzag positions, u64[8][256]; from the tables block on (jpeg-encoder.ts). */
export const ZIGZAG_MASKS: usize = 4672;
