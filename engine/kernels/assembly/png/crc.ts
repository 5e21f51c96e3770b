// CRC-32 (ISO 3309) of 128 bytes at a time, by look-ups of half bytes.
//
// Four bytes, one in each of four vectors, change the checksum as four other bytes do which lie 128 places
// further on. These depend on them linearly: each is the sum of what the eight half bytes add to it, and a
// vector looks sixteen of them up at once. So 128 bytes that stand for all before move on over the data.
// Which vectors belong together: CRC_GROUP_A and CRC_GROUP_B. Of four side by side there are no such bytes.

import { CRC_FOLDS, CRC_GROUP_A, CRC_GROUP_B, CRC_STATE, CRC_STEP, CRC_TABLES } from './records.ts';
import { swizzle } from '../relaxed-vectors';

const STATE: usize = CRC_STATE;
const FOLDS: usize = CRC_FOLDS;
const TABLES: usize = CRC_TABLES;
const STEP: usize = CRC_STEP;

const LOWER_HALVES = memory.data<u32>([0x0f0f0f0f, 0x0f0f0f0f, 0x0f0f0f0f, 0x0f0f0f0f], 16);

/** The checksum register after the bytes at `at`. Initially it is all ones. */
export function addToCrc(register: u32, at: usize, size: usize): u32 {
  const end = at + size;
  if (size >= 4 * STEP) {
    memory.copy(STATE, at, STEP);
    // the register has the effect of being XORed into the next four bytes
    store<u32>(STATE, load<u32>(STATE) ^ register);
    const mask = v128.load(LOWER_HALVES);
    for (at += STEP; at + STEP <= end; at += STEP) {
      fold(at, FOLDS, mask, CRC_GROUP_A);
      fold(at, FOLDS + 512, mask, CRC_GROUP_B);
    }
    register = addWords(0, STATE, STATE + STEP);
  }
  const words = at + ((end - at) & ~3);
  register = addWords(register, at, words);
  for (at = words; at < end; at++) {
    register = (register >> 8) ^ load<u32>(TABLES + (<usize>((register ^ load<u8>(at)) & 255) << 2));
  }
  return register;
}

/** Folds four vectors of the state into the data at `at`. */
// @ts-ignore: decorator
@inline function fold(at: usize, tables: usize, mask: v128, group: usize): void {
  const first = (group & 15) << 4;
  const second = ((group >> 4) & 15) << 4;
  const third = ((group >> 8) & 15) << 4;
  const fourth = (group >> 12) << 4;
  let bytes = v128.load(STATE + first);
  const a = v128.and(bytes, mask);
  const b = v128.and(i16x8.shr_u(bytes, 4), mask);
  bytes = v128.load(STATE + second);
  const c = v128.and(bytes, mask);
  const d = v128.and(i16x8.shr_u(bytes, 4), mask);
  bytes = v128.load(STATE + third);
  const e = v128.and(bytes, mask);
  const f = v128.and(i16x8.shr_u(bytes, 4), mask);
  bytes = v128.load(STATE + fourth);
  const g = v128.and(bytes, mask);
  const h = v128.and(i16x8.shr_u(bytes, 4), mask);
  v128.store(STATE + first, v128.xor(v128.load(at + first), sumOf(tables, a, b, c, d, e, f, g, h)));
  v128.store(STATE + second, v128.xor(v128.load(at + second), sumOf(tables + 128, a, b, c, d, e, f, g, h)));
  v128.store(STATE + third, v128.xor(v128.load(at + third), sumOf(tables + 256, a, b, c, d, e, f, g, h)));
  v128.store(STATE + fourth, v128.xor(v128.load(at + fourth), sumOf(tables + 384, a, b, c, d, e, f, g, h)));
}

/** One of four bytes, for sixteen positions at once, from the nibbles of the bytes it replaces. */
// @ts-ignore: decorator
@inline function sumOf(table: usize, a: v128, b: v128, c: v128, d: v128, e: v128, f: v128, g: v128, h: v128): v128 {
  const ab = v128.xor(swizzle(v128.load(table), a), swizzle(v128.load(table, 16), b));
  const cd = v128.xor(swizzle(v128.load(table, 32), c), swizzle(v128.load(table, 48), d));
  const ef = v128.xor(swizzle(v128.load(table, 64), e), swizzle(v128.load(table, 80), f));
  const gh = v128.xor(swizzle(v128.load(table, 96), g), swizzle(v128.load(table, 112), h));
  return v128.xor(v128.xor(ab, cd), v128.xor(ef, gh));
}

function addWords(register: u32, at: usize, end: usize): u32 {
  for (; at < end; at += 4) {
    const word = register ^ load<u32>(at);
    register = load<u32>(TABLES + 3072 + (<usize>(word & 255) << 2))
      ^ load<u32>(TABLES + 2048 + (<usize>((word >> 8) & 255) << 2))
      ^ load<u32>(TABLES + 1024 + (<usize>((word >> 16) & 255) << 2))
      ^ load<u32>(TABLES + (<usize>(word >> 24) << 2));
  }
  return register;
}
