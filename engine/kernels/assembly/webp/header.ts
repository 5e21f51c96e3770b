// The header of a frame (RFC 6386, sections 9.2 to 9.11 and 13.4), from the first partition.

import { beginBits, isBeyond, readBit, readNumber, readOptional, readSigned } from './bits';
import { AC_STEPS, DC_STEPS, DEFAULT_PROBABILITIES, UPDATE_PROBABILITIES } from './tables';

/**
 * of tokens: [4 types][32 positions of the coefficient, of which 17][4 contexts, of which 3][16]: 11
 * probabilities and, at ZIGZAG, the byte offset of the coefficient in a block
 */
export const PROBABILITIES = memory.data(8192, 2048);
// @ts-ignore: decorator
@inline export const TYPE_BYTES: usize = 2048;
// @ts-ignore: decorator
@inline export const PLACE_BYTES: usize = 64;
/** A bit of the addresses of position 16, which follows the last one. */
// @ts-ignore: decorator
@inline export const PLACES_END: usize = 1024;
// @ts-ignore: decorator
@inline export const ZIGZAG: usize = 11;
/** the band of each position; the last one is never used */
const BANDS = memory.data<u8>([0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0]);
const ZIGZAG_BYTES = memory.data<u8>([0, 2, 8, 16, 10, 4, 6, 12, 18, 24, 26, 20, 14, 22, 28, 30, 0]);
/** by segment four times u16[16], the quantiser step of each coefficient: of luma, then as below */
export const FACTORS = memory.data(512, 16);
// @ts-ignore: decorator
@inline export const SEGMENT_FACTORS_BYTES: usize = 128;
// @ts-ignore: decorator
@inline export const SECOND_FACTORS: usize = 32;
// @ts-ignore: decorator
@inline export const CHROMA_FACTORS: usize = 64;
/** of luma whose first coefficients come from Y2, and are already dequantised */
// @ts-ignore: decorator
@inline export const REST_FACTORS: usize = 96;
/** by segment and whether it has 4 x 4 blocks: limit, inner limit, threshold of high variance, 0 */
export const STRENGTH_TABLE = memory.data(32, 16);
/** by partition: address of its first eight bytes, its size, then a reader's value, range, bits, position */
export const PARTITIONS = memory.data(256, 16);
// @ts-ignore: decorator
@inline export const PARTITION_BYTES: usize = 32;
/** probabilities of the segment's tree */
export const SEGMENT_PROBABILITIES = memory.data(4);

export let lastPartition: usize = 0;
export let readsSegments: bool = false;
export let readsSkips: bool = false;
export let skipProbability: u32 = 0;
/** 0 none, 1 simple, 2 normal */
export let filterType: i32 = 0;

const QUANTISERS = memory.data(16, 4);
const LEVELS = memory.data(16, 4);

/** Reads the header of a chunk stored in reverse from `input` on. False if it is no valid key frame. */
export function readHeader(input: usize, size: usize): bool {
  // the byte at i is at last - i
  const last = input + size - 1;
  const tag = <u32>load<u8>(last) | (<u32>load<u8>(last - 1) << 8) | (<u32>load<u8>(last - 2) << 16);
  const firstSize = <usize>(tag >>> 5);
  if ((tag & 1) != 0 || ((tag >>> 1) & 7) > 3 || ((tag >>> 4) & 1) == 0) return false;
  if (firstSize > size - 10) return false;
  // No encoder starts a partition like this: with values at or beyond the range, decoders disagree.
  if (load<u8>(last - 10) == 255) return false;
  beginBits(last - 17, firstSize);
  // the colour space is ignored; a frame that declares no clamping is clamped all the same
  readBit(128);
  readBit(128);
  const hasSegments = readBit(128) != 0;
  let isAbsolute = true;
  readsSegments = false;
  memory.fill(QUANTISERS, 0, 16);
  memory.fill(LEVELS, 0, 16);
  store<u32>(SEGMENT_PROBABILITIES, 0xffffffff);
  if (hasSegments) {
    readsSegments = readBit(128) != 0;
    if (readBit(128)) {
      isAbsolute = readBit(128) != 0;
      for (let segment: usize = 0; segment < 4; segment++) store<i32>(QUANTISERS + (segment << 2), readOptional(7));
      for (let segment: usize = 0; segment < 4; segment++) store<i32>(LEVELS + (segment << 2), readOptional(6));
    }
    if (readsSegments) {
      for (let i: usize = 0; i < 3; i++) {
        if (readBit(128)) store<u8>(SEGMENT_PROBABILITIES + i, readNumber(8));
      }
    }
  }
  const isSimple = readBit(128) != 0;
  const level = readNumber(6);
  const sharpness = readNumber(3);
  let frameDelta = 0;
  let blockDelta = 0;
  const hasDeltas = readBit(128) != 0;
  if (hasDeltas && readBit(128)) {
    for (let i = 0; i < 4; i++) {
      const delta = readOptional(6);
      if (i == 0) frameDelta = delta;
    }
    for (let i = 0; i < 4; i++) {
      const delta = readOptional(6);
      if (i == 0) blockDelta = delta;
    }
  }
  filterType = level == 0 ? 0 : isSimple ? 1 : 2;
  buildStrengths(hasSegments, isAbsolute, level, sharpness, frameDelta, blockDelta);
  if (isBeyond()) return false;
  if (!readPartitions(last, 10 + firstSize, size)) return false;
  buildFactors(hasSegments, isAbsolute);
  // whether the next frame reuses these probabilities
  readBit(128);
  readProbabilities();
  readsSkips = readBit(128) != 0;
  skipProbability = readsSkips ? readNumber(8) : 0;
  return !isBeyond();
}

function readPartitions(last: usize, from: usize, size: usize): bool {
  const count = <usize>1 << readNumber(2);
  lastPartition = count - 1;
  let next = from + 3 * lastPartition;
  if (next >= size) return false;
  for (let i: usize = 0; i < count; i++) {
    const entry = last - from - 3 * i;
    let bytes = size - next;
    if (i < lastPartition) {
      const declared = <usize>load<u8>(entry) | (<usize>load<u8>(entry - 1) << 8) | (<usize>load<u8>(entry - 2) << 16);
      if (declared > bytes) return false;
      bytes = declared;
    }
    if (bytes == 0 || load<u8>(last - next) == 255) return false;
    const partition = PARTITIONS + i * PARTITION_BYTES;
    store<u32>(partition, <u32>(last - next - 7));
    store<u32>(partition, <u32>bytes, 4);
    store<u64>(partition, 0, 8);
    store<u32>(partition, 255, 16);
    store<i32>(partition, -8, 20);
    store<u32>(partition, <u32>(last - next - 7), 24);
    next += bytes;
  }
  return true;
}

function buildStrengths(
  hasSegments: bool, isAbsolute: bool, level: i32, sharpness: i32, frameDelta: i32, blockDelta: i32,
): void {
  for (let i: usize = 0; i < 8; i++) {
    const own = load<i32>(LEVELS + (i >> 1 << 2));
    let strength = hasSegments ? (isAbsolute ? own : own + level) : level;
    strength += frameDelta + (i & 1 ? blockDelta : 0);
    strength = min(63, max(0, strength));
    const to = STRENGTH_TABLE + (i << 2);
    store<u32>(to, 0);
    if (strength == 0) continue;
    let inner = strength;
    if (sharpness > 0) inner = min(inner >> (sharpness > 4 ? 2 : 1), 9 - sharpness);
    inner = max(1, inner);
    store<u8>(to, 2 * strength + inner);
    store<u8>(to, inner, 1);
    store<u8>(to, strength >= 40 ? 2 : strength >= 15 ? 1 : 0, 2);
  }
}

// @ts-ignore: decorator
@inline function dcFactor(index: i32, most: i32): i32 {
  return load<u8>(DC_STEPS + <usize>min(most, max(0, index)));
}
// @ts-ignore: decorator
@inline function acFactor(index: i32): i32 {
  return load<u16>(AC_STEPS + (<usize>min(127, max(0, index)) << 1));
}

function buildFactors(hasSegments: bool, isAbsolute: bool): void {
  const base = readNumber(7);
  const lumaDc = readOptional(4);
  const secondDc = readOptional(4);
  const secondAc = readOptional(4);
  const chromaDc = readOptional(4);
  const chromaAc = readOptional(4);
  for (let segment: usize = 0; segment < 4; segment++) {
    const own = load<i32>(QUANTISERS + (segment << 2));
    const index = hasSegments ? (isAbsolute ? own : own + base) : base;
    const to = FACTORS + segment * SEGMENT_FACTORS_BYTES;
    fillFactors(to, dcFactor(index + lumaDc, 127), acFactor(index));
    fillFactors(to + SECOND_FACTORS, 2 * dcFactor(index + secondDc, 127), max(8, acFactor(index + secondAc) * 155 / 100));
    fillFactors(to + CHROMA_FACTORS, dcFactor(index + chromaDc, 117), acFactor(index + chromaAc));
    fillFactors(to + REST_FACTORS, 1, acFactor(index));
  }
}

function fillFactors(to: usize, dc: i32, ac: i32): void {
  store<u16>(to, dc);
  for (let i: usize = 1; i < 16; i++) store<u16>(to + (i << 1), ac);
}

function readProbabilities(): void {
  for (let type: usize = 0; type < 4; type++) {
    for (let i: usize = 0; i < 8 * 33; i++) {
      const from = type * 8 * 33 + i;
      if (readBit(load<u8>(UPDATE_PROBABILITIES + from))) store<u8>(BAND_PROBABILITIES + i, readNumber(8));
      else store<u8>(BAND_PROBABILITIES + i, load<u8>(DEFAULT_PROBABILITIES + from));
    }
    for (let place: usize = 0; place < 17; place++) {
      const from = BAND_PROBABILITIES + <usize>load<u8>(BANDS + place) * 33;
      const to = PROBABILITIES + type * TYPE_BYTES + place * PLACE_BYTES;
      for (let context: usize = 0; context < 3; context++) {
        memory.copy(to + (context << 4), from + context * 11, 11);
        store<u8>(to + (context << 4), load<u8>(ZIGZAG_BYTES + place), ZIGZAG);
      }
    }
  }
}

/** of one type, by band */
const BAND_PROBABILITIES = memory.data(8 * 33);
