// Rows of a picture that keeps its size.

import { address, field } from '../fields';
import { IS_OPAQUE, OUT_WIDTH } from './records.ts';

let bytes: usize = 0;
let isOpaque: bool = false;
/** whether all copied pixels have alpha 255 */
let allOpaque: bool = true;

export function beginCopy(picture: usize): void {
  bytes = address(picture, OUT_WIDTH) << 2;
  isOpaque = field(picture, IS_OPAQUE) != 0;
  allOpaque = true;
}

export function isCopyOpaque(): bool {
  return isOpaque || allOpaque;
}

/** Copies the requested pixels of a row. Those of an opaque picture get alpha 255. */
export function copyRow(from: usize, to: usize): void {
  const end = from + bytes;
  const opaque = isOpaque ? i32x4.splat(0xff000000) : i32x4.splat(0);
  let all = i8x16.splat(-1);
  for (; from + 16 <= end; from += 16, to += 16) {
    const pixels = v128.or(v128.load(from), opaque);
    all = v128.and(all, pixels);
    v128.store(to, pixels);
  }
  for (; from < end; from += 4, to += 4) {
    const pixel = load<u32>(from) | (isOpaque ? 0xff000000 : 0);
    if (pixel >>> 24 != 255) allOpaque = false;
    store<u32>(to, pixel);
  }
  if (!i32x4.all_true(i32x4.eq(i32x4.shr_u(all, 24), i32x4.splat(255)))) allOpaque = false;
}
