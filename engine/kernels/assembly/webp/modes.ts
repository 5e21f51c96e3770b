// The prediction modes of a macroblock (RFC 6386, sections 10 and 11), from the first partition.

import { at, bits, keepBits, loadBits, range, readBit, value } from './bits';
import { readsSegments, readsSkips, SEGMENT_PROBABILITIES, skipProbability } from './header';
import { MODE_PROBABILITIES } from './tables';

// @ts-ignore: decorator
@inline export const DC: u32 = 0;
// @ts-ignore: decorator
@inline export const TRUE_MOTION: u32 = 1;
// @ts-ignore: decorator
@inline export const VERTICAL: u32 = 2;
// @ts-ignore: decorator
@inline export const HORIZONTAL: u32 = 3;

/** modes of the blocks to the left, u8[4] */
export const LEFT_MODES = memory.data(4, 4);
/** modes of the macroblock's sixteen blocks */
export const BLOCK_MODES = memory.data(16, 16);
export let segment: u32 = 0;
export let isSkipped: bool = false;
export let isOfBlocks: bool = false;
/** of the whole macroblock, unless it has 4 x 4 blocks */
export let lumaMode: u32 = 0;
export let chromaMode: u32 = 0;

/** for each node, the next one for a 0 and a 1; modes are negative, or 0 for DC */
const TREE = memory.data<i8>([0, 1, -1, 2, -2, 3, 4, 6, -3, 5, -4, -5, -6, 7, -7, 8, -8, -9]);

/** `topModes`: modes of the blocks above, replaced by the macroblock's. */
export function readModes(topModes: usize): void {
  segment = 0;
  if (readsSegments) {
    segment = readBit(load<u8>(SEGMENT_PROBABILITIES))
      ? readBit(load<u8>(SEGMENT_PROBABILITIES, 2)) + 2
      : readBit(load<u8>(SEGMENT_PROBABILITIES, 1));
  }
  isSkipped = readsSkips && readBit(skipProbability) != 0;
  isOfBlocks = !readBit(145);
  if (isOfBlocks) readBlockModes(topModes);
  else {
    lumaMode = readBit(156)
      ? (readBit(128) ? TRUE_MOTION : HORIZONTAL)
      : (readBit(163) ? VERTICAL : DC);
    store<u32>(topModes, lumaMode * 0x01010101);
    store<u32>(LEFT_MODES, lumaMode * 0x01010101);
  }
  chromaMode = !readBit(142) ? DC : !readBit(114) ? VERTICAL : readBit(183) ? TRUE_MOTION : HORIZONTAL;
}

function readBlockModes(topModes: usize): void {
  let v = value;
  let r = range;
  let n = bits;
  let from = at;
  for (let y: usize = 0; y < 4; y++) {
    let mode = <u32>load<u8>(LEFT_MODES + y);
    for (let x: usize = 0; x < 4; x++) {
      const probabilities = MODE_PROBABILITIES + <usize>(<u32>load<u8>(topModes + x) * 90 + mode * 9);
      let node: i32 = 0;
      do {
        const shift = <u32>clz(r) - 24;
        r <<= shift;
        v <<= shift;
        n -= shift;
        if (n < 0) {
          v |= loadBits(from) >> (n + 8);
          from -= 7;
          n += 56;
        }
        const split = 1 + (((r - 1) * <u32>load<u8>(probabilities + <usize>node)) >> 8);
        const bigsplit = <u64>split << 56;
        const bit = <u32>(v >= bigsplit);
        v -= bigsplit & (0 - <u64>bit);
        r = bit ? r - split : split;
        node = <i32>load<i8>(TREE + (<usize>node << 1) + <usize>bit);
      } while (node > 0);
      mode = <u32>(-node);
      store<u8>(topModes + x, mode);
    }
    store<u32>(BLOCK_MODES + (y << 2), load<u32>(topModes));
    store<u8>(LEFT_MODES + y, mode);
  }
  keepBits(v, r, n, from);
}
