// Finishes a chunk's colours: like finishColors of engine/src/sampling/sample-chunk.ts, byte for byte.

const SPREAD = memory.data<u8>([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
const ALPHAS = memory.data<u8>([3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15]);

// Product of bytes / 255, rounded.
// @ts-ignore: decorator
@inline function product(a: v128, b: v128): v128 {
  const half = i16x8.splat(128);
  const low = i16x8.add(i16x8.extmul_low_i8x16_u(a, b), half), high = i16x8.add(i16x8.extmul_high_i8x16_u(a, b), half);
  return i8x16.narrow_i16x8_u(
    i16x8.shr_u(i16x8.add(low, i16x8.shr_u(low, 8)), 8),
    i16x8.shr_u(i16x8.add(high, i16x8.shr_u(high, 8)), 8),
  );
}

/** Whether all of these pixels are beyond the artwork's edges. */
export function isCutOff(cut: usize, length: usize): bool {
  const end = cut + length;
  for (; cut + 8 <= end; cut += 8) if (load<u64>(cut)) return false;
  for (; cut < end; cut++) if (load<u8>(cut)) return false;
  return true;
}

/** Reads and writes up to 3 pixels past the end. `background` is opaque; both may be 0 for none. */
export function finishColors(color: usize, length: usize, cut: usize, background: u32): void {
  const end = color + (length << 2), under = i32x4.splat(background);
  for (; color < end; color += 16) {
    let pixels = v128.load(color);
    if (cut) {
      pixels = product(pixels, i8x16.swizzle(v128.load32_zero(cut), v128.load(SPREAD)));
      cut += 4;
    }
    if (background) {
      const rest = v128.xor(i8x16.swizzle(pixels, v128.load(ALPHAS)), i8x16.splat(-1));
      pixels = i8x16.add(pixels, product(under, rest));
    }
    v128.store(color, pixels);
  }
}
