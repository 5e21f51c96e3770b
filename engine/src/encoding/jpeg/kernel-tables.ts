import { codesOf, type HuffmanSet, huffmanTables } from './huffman.ts'
import { type QuantisationTables, stepDivisor, zigzag } from './quantiser.ts'

/** ZIGZAG_OFFSETS followed by ZIGZAG_MASKS (engine/kernels/assembly/blocks/layout.ts). */
export function buildZigzagTables(): Uint8Array {
  const bytes = new Uint8Array(64 + 8 * 256 * 8)
  const indexOf = new Uint8Array(64)
  zigzag.forEach((position, index) => {
    bytes[index] = 2 * position
    indexOf[position] = index
  })
  const masks = new DataView(bytes.buffer, 64)
  for (let row = 0; row < 8; row++) {
    for (let bits = 0; bits < 256; bits++) {
      let mask = 0n
      for (let column = 0; column < 8; column++) {
        if ((bits >> column) & 1) mask |= 1n << BigInt(indexOf[8 * row + column] ?? 0)
      }
      masks.setBigUint64(8 * (256 * row + bits), mask, true)
    }
  }
  return bytes
}

/** A quality's division constants in the kernel's format. */
export function packQuantisers(tables: QuantisationTables): Int16Array {
  const packed = new Int16Array(256)
  const divisors = new Map([...new Set([...tables.luma, ...tables.chroma])].map(step => [step, stepDivisor(step)]))
  ;[tables.luma, tables.chroma].forEach((table, which) => {
    table.forEach((step, position) => {
      const { reciprocal = 0, scale = 0 } = divisors.get(step) ?? {}
      packed[128 * which + position] = reciprocal
      packed[128 * which + 64 + position] = scale
    })
  })
  return packed
}

/** A set's codes in the kernel's format. */
export function packCodes(set: HuffmanSet): Uint32Array {
  const packed = new Uint32Array(4 * 256)
  huffmanTables.forEach((table, index) => {
    codesOf(set[table], 256).forEach((code, symbol) => {
      const size = symbol & 15
      if (code !== 0) packed[256 * index + symbol] = ((((code >>> 8) << size) << 5) | ((code & 255) + size)) >>> 0
    })
  })
  return packed
}
