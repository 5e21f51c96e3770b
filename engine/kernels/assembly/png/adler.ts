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
  // Bytes are weighted by their distance from the end of their 64. As pairs, by the weight of the first; the
  // second of each has one less.
  const ones = i16x8.splat(1);
  while (left >= 64) {
    // so many that no lane overflows
    const groups = min<usize>(left >> 6, 64);
    let sums = i32x4.splat(0);
    let earlier = i32x4.splat(0);
    let first = i16x8.splat(0);
    let second = first;
    let third = first;
    let fourth = first;
    let odd = sums;
    for (let k: usize = 0; k < groups; k++, from += 64) {
      const bytes0 = v128.load(from);
      const bytes1 = v128.load(from, 16);
      const bytes2 = v128.load(from, 32);
      const bytes3 = v128.load(from, 48);
      const pairs0 = i16x8.extadd_pairwise_i8x16_u(bytes0);
      const pairs1 = i16x8.extadd_pairwise_i8x16_u(bytes1);
      const pairs2 = i16x8.extadd_pairwise_i8x16_u(bytes2);
      const pairs3 = i16x8.extadd_pairwise_i8x16_u(bytes3);
      first = i16x8.add(first, pairs0);
      second = i16x8.add(second, pairs1);
      third = i16x8.add(third, pairs2);
      fourth = i16x8.add(fourth, pairs3);
      const odds = i16x8.add(
        i16x8.add(i16x8.shr_u(bytes0, 8), i16x8.shr_u(bytes1, 8)),
        i16x8.add(i16x8.shr_u(bytes2, 8), i16x8.shr_u(bytes3, 8)),
      );
      odd = i32x4.add(odd, i32x4.dot_i16x8_s(odds, ones));
      const all = i16x8.add(i16x8.add(pairs0, pairs1), i16x8.add(pairs2, pairs3));
      earlier = i32x4.add(earlier, sums);
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(all, ones));
    }
    const byPlace = i32x4.add(
      i32x4.add(
        i32x4.dot_i16x8_s(first, i16x8(64, 62, 60, 58, 56, 54, 52, 50)),
        i32x4.dot_i16x8_s(second, i16x8(48, 46, 44, 42, 40, 38, 36, 34)),
      ),
      i32x4.add(
        i32x4.dot_i16x8_s(third, i16x8(32, 30, 28, 26, 24, 22, 20, 18)),
        i32x4.dot_i16x8_s(fourth, i16x8(16, 14, 12, 10, 8, 6, 4, 2)),
      ),
    );
    b += <u64>a * <u64>(groups << 6) + (<u64>total(earlier) << 6) + <u64>total(i32x4.sub(byPlace, odd));
    a += total(sums);
    left -= groups << 6;
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
