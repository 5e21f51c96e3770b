// Textures in memory. `origin` is the address of texel (0, 0); every level has 4 texels of padding on all
// sides, and every region ends in at least 64 readable bytes.
import { EXTENDS_EDGE, EXTENDS_WRAPPED } from './constants.ts';

/** Premultiplies straight colours, rounded. `count` texels. */
export function premultiply(at: usize, count: usize): void {
  const end = at + (count << 2);
  for (; at < end; at += 4) {
    const alpha = <u32>load<u8>(at, 3);
    if (alpha == 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      const t = <u32>load<u8>(channel) * alpha + 128;
      store<u8>(channel, <u8>((t + (t >> 8)) >> 8));
    }
  }
}

// Like findTexelBefore of extend-texture.ts.
// @ts-ignore: decorator
@inline export function texelBefore(extension: i32, size: i32, step: i32): i32 {
  if (extension == EXTENDS_EDGE) return 0;
  if (extension == EXTENDS_WRAPPED) return size - 1 - step % size;
  const folded = step % (2 * size);
  return folded < size ? folded : 2 * size - 1 - folded;
}

/** Fills the padding of rows. */
export function padRows(origin: usize, stride: usize, width: i32, height: i32, across: i32): void {
  for (let y = 0; y < height; y++) {
    const row = origin + <usize>y * stride;
    for (let step = 0; step < 4; step++) {
      const before = texelBefore(across, width, step), after = width - 1 - before;
      store<u32>(row - (<usize>(step + 1) << 2), load<u32>(row + (<usize>before << 2)));
      store<u32>(row + (<usize>(width + step) << 2), load<u32>(row + (<usize>after << 2)));
    }
  }
}

/** Fills a level's padding. */
export function padLevel(origin: usize, stride: usize, width: i32, height: i32, across: i32, down: i32): void {
  padRows(origin, stride, width, height, across);
  const first = origin - 16;
  for (let step = 0; step < 4; step++) {
    const before = texelBefore(down, height, step), after = height - 1 - before;
    memory.copy(first - <usize>(step + 1) * stride, first + <usize>before * stride, stride);
    memory.copy(first + <usize>(height + step) * stride, first + <usize>after * stride, stride);
  }
}

/** Halves a level horizontally with the weights 1 3 3 1; the size is the smaller level's. */
export function halveAcross(from: usize, fromStride: usize, to: usize, toStride: usize, width: i32, height: i32): void {
  const outerInner = i16x8(1, 1, 1, 1, 3, 3, 3, 3), innerOuter = i16x8(3, 3, 3, 3, 1, 1, 1, 1);
  for (let y = 0; y < height; y++) {
    let s = from + <usize>y * fromStride - 4, d = to + <usize>y * toStride;
    const end = d + (<usize>width << 2);
    for (; d < end; d += 4, s += 8) {
      const texels = v128.load(s);
      const sum = i16x8.add(
        i16x8.mul(i16x8.extend_low_i8x16_u(texels), outerInner),
        i16x8.mul(i16x8.extend_high_i8x16_u(texels), innerOuter),
      );
      const total = i16x8.add(i16x8.add(sum, i32x4.shuffle(sum, sum, 2, 3, 2, 3)), i16x8.splat(4));
      const rounded = i16x8.shr_u(total, 3);
      v128.store32_lane(d, i8x16.narrow_i16x8_u(rounded, rounded), 0);
    }
  }
}

/** The same vertically. Writes up to 4 bytes past a row's last texel, which is padding. */
export function halveDown(from: usize, fromStride: usize, to: usize, toStride: usize, width: i32, height: i32): void {
  for (let y = 0; y < height; y++) {
    let s = from + <usize>(2 * y) * fromStride, d = to + <usize>y * toStride;
    const end = d + (<usize>width << 2);
    for (; d < end; d += 8, s += 8) {
      const outer = i16x8.add(v128.load_ext<u8>(s - fromStride), v128.load_ext<u8>(s + 2 * fromStride));
      const inner = i16x8.add(v128.load_ext<u8>(s), v128.load_ext<u8>(s + fromStride));
      const rounded = i16x8.shr_u(i16x8.add(i16x8.add(outer, i16x8.mul(inner, i16x8.splat(3))), i16x8.splat(4)), 3);
      v128.store64_lane(d, i8x16.narrow_i16x8_u(rounded, rounded), 0);
    }
  }
}
