// Not a kernel: the decoder of lossy WebPs without colour conversion, to test reductions of its planes. Used
// like the decoder; rows at OUT have Y, U, V and 255 for each pixel.

import { address, field } from './fields';
import { HEIGHT, OUT, OUT_ROWS, OUT_WIDTH, ROW } from './reduction/records.ts';
import { beginPicture as beginDecoder } from './webp-decoder';
import { FINISHED, ROWS_READY } from './webp/records.ts';
import { decodeTo, writePairs } from './webp/rows';

let nextRow: i32 = 0;
let height: i32 = 0;
let width: usize = 0;
let pairs: usize = 0;
let out: usize = 0;
let outRows: i32 = 0;
let ready: i32 = 0;

export { heapBase, isResultOpaque } from './webp-decoder';

export function beginPicture(picture: usize): i32 {
  nextRow = 0;
  height = field(picture, HEIGHT);
  width = address(picture, OUT_WIDTH);
  pairs = address(picture, ROW);
  out = address(picture, OUT);
  outRows = field(picture, OUT_ROWS);
  return beginDecoder(picture);
}

export function readyRows(): i32 {
  return ready;
}

export function run(): i32 {
  for (ready = 0; ready < outRows && nextRow < height; ready++, nextRow++) {
    const fault = decodeTo(nextRow);
    if (fault) return fault;
    writePairs(nextRow, 0, (width + 1) >> 1, pairs);
    const to = out + ((<usize>ready * width) << 2);
    for (let x: usize = 0; x < width; x++) {
      const pair = load<u32>(pairs + (x >> 1 << 2));
      store<u32>(to + (x << 2), (pair >>> 8 & 0xffff00) | ((x & 1 ? pair >>> 8 : pair) & 0xff) | 0xff000000);
    }
  }
  return nextRow == height ? FINISHED : ROWS_READY;
}
