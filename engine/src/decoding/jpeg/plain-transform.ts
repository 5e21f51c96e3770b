import { zigzag } from '../../encoding/jpeg/quantiser.ts'

const CONSTANT_BITS = 13
const PASS1_BITS = 2

const workspace = (): Int32Array => new Int32Array(64)

/** Clamps to 0..255. */
export function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value
}

/** One line of jidctint.c: eight values, `step` apart, in place, divided by 2 ** shift with rounding. */
function transformLine(block: Int32Array, at: number, step: number, shift: number): void {
  const value = (i: number): number => block[at + i * step] ?? 0
  const half = 1 << (shift - 1)
  const z1 = (value(2) + value(6)) * 4433
  const even2 = z1 - value(6) * 15_137
  const even3 = z1 + value(2) * 6270
  const even0 = (value(0) + value(4)) << CONSTANT_BITS
  const even1 = (value(0) - value(4)) << CONSTANT_BITS
  const [e0, e3, e1, e2] = [even0 + even3, even0 - even3, even1 + even2, even1 - even2]
  const [a, b, c, d] = [value(7), value(5), value(3), value(1)]
  const z5 = (a + c + b + d) * 9633
  const y1 = (a + d) * -7373
  const y2 = (b + c) * -20_995
  const y3 = (a + c) * -16_069 + z5
  const y4 = (b + d) * -3196 + z5
  const o0 = a * 2446 + y1 + y3
  const o1 = b * 16_819 + y2 + y4
  const o2 = c * 25_172 + y2 + y3
  const o3 = d * 12_299 + y1 + y4
  const put = (i: number, sum: number): void => {
    block[at + i * step] = (sum + half) >> shift
  }
  put(0, e0 + o3)
  put(7, e0 - o3)
  put(1, e1 + o2)
  put(6, e1 - o2)
  put(2, e2 + o1)
  put(5, e2 - o1)
  put(3, e3 + o0)
  put(4, e3 - o0)
}

/** Transforms coefficients in zigzag order to 8 x 8 samples at `at`, rows `stride` apart. */
export function inverseTransform(
  coefficients: Int16Array,
  quantiser: Uint16Array,
  samples: Uint8Array,
  at: number,
  stride: number,
): void {
  const block = workspace()
  for (let k = 0; k < 64; k++) block[zigzag[k] ?? 0] = (coefficients[k] ?? 0) * (quantiser[k] ?? 0)
  for (let column = 0; column < 8; column++) transformLine(block, column, 8, CONSTANT_BITS - PASS1_BITS)
  for (let row = 0; row < 8; row++) {
    transformLine(block, row * 8, 1, CONSTANT_BITS + PASS1_BITS + 3)
    for (let x = 0; x < 8; x++) samples[at + row * stride + x] = clampByte((block[row * 8 + x] ?? 0) + 128)
  }
}
