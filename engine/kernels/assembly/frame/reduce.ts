// Reduces repeated artwork: like reduceByTaps of engine/src/sampling/reduce-by-taps.ts, byte for byte.
// Weights are stored in pairs of 16 bits each; every region ends in at least 64 readable bytes.
import { REDUCTION_BETWEEN_BITS, REDUCTION_WEIGHT_BITS } from './constants.ts';
import { texelBefore } from './levels';

const DOWN_SHIFT = REDUCTION_WEIGHT_BITS - REDUCTION_BETWEEN_BITS;
const ACROSS_SHIFT = REDUCTION_WEIGHT_BITS + REDUCTION_BETWEEN_BITS;

/**
 * Weights rows of bytes into one of 16-bit numbers. `sources`: the address of each tap's row. Writes up to 30
 * bytes past the row.
 */
export function reduceDown(sources: usize, weights: usize, pairs: i32, rowBytes: i32, to: usize): void {
  const endSource = sources + (<usize>pairs << 3);
  for (let at: usize = 0; at < <usize>rowBytes; at += 16, to += 32) {
    let a = i32x4.splat(1 << (DOWN_SHIFT - 1)), b = a, c = a, d = a;
    for (let source = sources, weight = weights; source < endSource; source += 8, weight += 4) {
      const first = v128.load(<usize>load<u32>(source) + at), second = v128.load(<usize>load<u32>(source, 4) + at);
      const pair = v128.load32_splat(weight);
      const low = i8x16.shuffle(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const high = i8x16.shuffle(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(low), pair));
      b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(low), pair));
      c = i32x4.add(c, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(high), pair));
      d = i32x4.add(d, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(high), pair));
    }
    v128.store(to, i16x8.narrow_i32x4_s(i32x4.shr_s(a, DOWN_SHIFT), i32x4.shr_s(b, DOWN_SHIFT)));
    v128.store(to, i16x8.narrow_i32x4_s(i32x4.shr_s(c, DOWN_SHIFT), i32x4.shr_s(d, DOWN_SHIFT)), 16);
  }
}

/** Extends a row of `size` texels of 8 bytes by `reach` texels on both sides. */
export function continueRow(row: usize, size: i32, reach: i32, extension: i32): void {
  for (let step = 0; step < reach; step++) {
    const before = texelBefore(extension, size, step), after = size - 1 - before;
    store<u64>(row - (<usize>(step + 1) << 3), load<u64>(row + (<usize>before << 3)));
    store<u64>(row + (<usize>(size + step) << 3), load<u64>(row + (<usize>after << 3)));
  }
}

/** Weights texels of a row into a row of bytes. `firsts`: each output texel's first tap. */
export function reduceAcross(row: usize, firsts: usize, weights: usize, pairs: i32, size: i32, to: usize): void {
  const end = to + (<usize>size << 2);
  for (; to < end; to += 4, firsts += 4) {
    let sum = i32x4.splat(1 << (ACROSS_SHIFT - 1)), texels = row + (<usize>load<i32>(firsts) << 3);
    for (const endWeight = weights + (<usize>pairs << 2); weights < endWeight; weights += 4, texels += 16) {
      const two = v128.load(texels);
      const channels = i8x16.shuffle(two, two, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(channels, v128.load32_splat(weights)));
    }
    const short = i16x8.narrow_i32x4_s(i32x4.shr_s(sum, ACROSS_SHIFT), sum);
    v128.store32_lane(to, i8x16.narrow_i16x8_u(short, short), 0);
  }
}
