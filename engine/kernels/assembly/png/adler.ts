// Adler-32 (RFC 1950, section 8) of rows that begin and end with zeros.

const MODULUS: u32 = 65521;

let plain: u32 = 1;
let weighted: u32 = 0;

export function beginAdler(): void {
  plain = 1;
  weighted = 0;
}

export function adler(): u32 {
  return (weighted << 16) | plain;
}

/**
 * Adds a row: the byte at `at`, `before` zeros, then `size` bytes, then `after` zeros. 2^18 bytes at most.
 */
export function addToAdler(at: usize, before: usize, size: usize, after: usize): void {
  let a = plain + <u32>load<u8>(at);
  let b = <u64>weighted + <u64>a * <u64>(before + 1);
  let from = at + 1 + before;
  let left = size;
  const down = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const downLow = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (left >= 16) {
    // so many that no lane overflows
    const groups = min<usize>(left >> 4, 256);
    let sums = i32x4.splat(0);
    let earlier = i32x4.splat(0);
    let byPlace = i32x4.splat(0);
    for (let k: usize = 0; k < groups; k++, from += 16) {
      const bytes = v128.load(from);
      earlier = i32x4.add(earlier, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      byPlace = i32x4.add(byPlace, i32x4.add(
        i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), down),
        i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), downLow),
      ));
    }
    b += <u64>a * <u64>(groups << 4) + (<u64>total(earlier) << 4) + <u64>total(byPlace);
    a += total(sums);
    left -= groups << 4;
  }
  for (; left; left--) {
    a += <u32>load<u8>(from++);
    b += <u64>a;
  }
  b += <u64>a * <u64>after;
  plain = a % MODULUS;
  weighted = <u32>(b % <u64>MODULUS);
}

// @ts-ignore: decorator
@inline function total(sums: v128): u32 {
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
}
