import * as records from '../../../kernels/assembly/png/records.ts'

/** The polynomial of CRC-32, reflected. */
const POLYNOMIAL = 0xedb88320

/** A linear map of 32 bits: the image of each bit, lowest first. */
type LinearMap = Uint32Array

const VECTOR_BYTES = 16

/** Writes the tables of engine/kernels/assembly/png/crc.ts. */
export function writeCrcTables(memory: DataView): void {
  const tables = buildByteTables()
  tables.forEach((value, i) => memory.setUint32(records.CRC_TABLES + 4 * i, value, true))
  ;[records.CRC_GROUP_A, records.CRC_GROUP_B].forEach((digits, group) => {
    const folds = buildFolds(
      tables,
      [0, 4, 8, 12].map(shift => (digits >> shift) & 15),
    )
    const at = records.CRC_FOLDS + group * 512
    for (let half = 0; half < 8; half++) {
      for (let bits = 0; bits < 16; bits++) {
        const folded = apply(folds, bits * 16 ** half)
        for (let byte = 0; byte < 4; byte++)
          memory.setUint8(at + byte * 128 + half * VECTOR_BYTES + bits, (folded >>> (8 * byte)) & 255)
      }
    }
  })
}

/** Table k: the register after a byte and k zeros, starting from zero. */
function buildByteTables(): Uint32Array {
  const tables = new Uint32Array(4 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let register = byte
    for (let bit = 0; bit < 8; bit++) register = (register >>> 1) ^ ((register & 1) === 1 ? POLYNOMIAL : 0)
    tables[byte] = register
  }
  for (let i = 256; i < tables.length; i++) tables[i] = afterZero(tables[i - 256] ?? 0, tables)
  return tables
}

function afterZero(register: number, tables: Uint32Array): number {
  return ((register >>> 8) ^ (tables[register & 255] ?? 0)) >>> 0
}

/**
 * The map of four bytes, one in each of four vectors, the first one lowest, when they are folded forward by a
 * step: the four bytes there that leave the same register.
 */
function buildFolds(tables: Uint32Array, vectors: readonly number[]): LinearMap {
  const last = Math.max(...vectors)
  const move = (register: number, bytes: number): number => {
    let moved = register
    for (let i = 0; i < bytes; i++) moved = afterZero(moved, tables)
    return moved
  }
  // the register after one bit of the four bytes, with nothing after the last
  const registers = Uint32Array.from({ length: 32 }, (_, bit) =>
    move(tables[2 ** (bit & 7)] ?? 0, VECTOR_BYTES * (last - (vectors[bit >> 3] ?? 0))),
  )
  const inverse = invert(registers)
  return registers.map(register => apply(inverse, move(register, records.CRC_STEP)))
}

function apply(map: LinearMap, bits: number): number {
  return map.reduce((sum, image, bit) => (((bits >>> bit) & 1) === 1 ? sum ^ image : sum), 0) >>> 0
}

/** By elimination. The map is invertible: its 32 images are linearly independent. */
function invert(map: LinearMap): LinearMap {
  const images = map.slice()
  const sources = Uint32Array.from({ length: 32 }, (_, bit) => 2 ** bit)
  for (let bit = 0; bit < 32; bit++) {
    const pivot = images.findIndex((image, i) => i >= bit && ((image >>> bit) & 1) === 1)
    if (pivot < 0) throw new Error('The map has no inverse.')
    for (const list of [images, sources]) {
      const swapped = list[pivot] ?? 0
      list[pivot] = list[bit] ?? 0
      list[bit] = swapped
    }
    for (let i = 0; i < 32; i++) {
      if (i === bit || (((images[i] ?? 0) >>> bit) & 1) === 0) continue
      images[i] = (images[i] ?? 0) ^ (images[bit] ?? 0)
      sources[i] = (sources[i] ?? 0) ^ (sources[bit] ?? 0)
    }
  }
  return sources
}
