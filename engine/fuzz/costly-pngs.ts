import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { filterRows, makePng, type PngSpec, wrapPng } from '../test/decoding/make-png.ts'
import type { Seed } from './costly-jpegs.ts'
import { Random } from './random.ts'

/** Bits as deflate packs them: the first is the lowest of its byte. */
class BitWriter {
  readonly #bytes: number[] = []
  #bits = 0
  #count = 0

  put(value: number, count: number): void {
    for (let i = 0; i < count; i++) {
      this.#bits |= ((value >> i) & 1) << this.#count++
      if (this.#count === 8) {
        this.#bytes.push(this.#bits)
        this.#bits = 0
        this.#count = 0
      }
    }
  }

  /** Ends with an empty stored block, whose data begins on a whole byte. */
  align(): Buffer {
    this.put(0, 3)
    if (this.#count > 0) this.put(0, 8 - this.#count)
    return Buffer.from([...this.#bytes, 0, 0, 255, 255])
  }
}

/** Empty blocks of the fixed codes: ten bits each. */
export function emptyFixedBlocks(count: number): Buffer {
  const writer = new BitWriter()
  for (let i = 0; i < count; i++) writer.put(0b0000000_01_0, 10)
  return writer.align()
}

/** Empty blocks that define a code of all 286 symbols, and one of all 30 distances, for each block. */
export function emptyDynamicBlocks(count: number): Buffer {
  const writer = new BitWriter()
  const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  // the codes of lengths 4, 5, 8 and 9 have two bits each, in this order; the first bit is the highest
  const codes: ReadonlyMap<number, number> = new Map([
    [4, 0b00],
    [5, 0b10],
    [8, 0b01],
    [9, 0b11],
  ])
  const literals = Array.from({ length: 286 }, (_, symbol) => (symbol < 226 ? 8 : 9))
  const distances = Array.from({ length: 30 }, (_, symbol) => (symbol < 2 ? 4 : 5))
  // the end's code: the 31st of nine bits, behind 226 of eight
  const end = reversed(2 * 226 + (256 - 226), 9)
  for (let i = 0; i < count; i++) {
    writer.put(0b10_0, 3)
    writer.put(286 - 257, 5)
    writer.put(30 - 1, 5)
    writer.put(19 - 4, 4)
    for (const length of order) writer.put(codes.has(length) ? 2 : 0, 3)
    for (const length of [...literals, ...distances]) writer.put(codes.get(length) ?? 0, 2)
    writer.put(end, 9)
  }
  return writer.align()
}

function reversed(value: number, bits: number): number {
  let result = 0
  for (let i = 0; i < bits; i++) result |= ((value >> i) & 1) << (bits - 1 - i)
  return result
}

/** A file whose data begins with these blocks. */
export function withBlocks(spec: PngSpec, blocks: Uint8Array): Buffer {
  const rows = filterRows(spec)
  const sound = deflateSync(rows)
  return wrapPng(spec, Buffer.concat([Buffer.of(0x78, 1), blocks, deflateRawSync(rows), sound.subarray(-4)]))
}

/** Valid files whose little data asks for much work: the worst known of each kind. */
export function costlyPngs(sidePx: number): Seed[] {
  const random = new Random(9)
  const head = { widthPx: sidePx, heightPx: sidePx, colorType: 6, bitDepth: 8 } as const
  const flat = (value: number, rowBytes = sidePx * 4): Uint8Array[] =>
    Array.from({ length: sidePx }, () => new Uint8Array(rowBytes).fill(value))
  const noise = Array.from({ length: sidePx }, () => Uint8Array.from({ length: sidePx * 4 }, () => random.below(256)))
  const blocks = 32 + sidePx
  return [
    { name: 'a row of one value by Paeth', bytes: makePng({ ...head, rows: flat(200), filterOf: () => 4 }) },
    { name: 'by means of left and above', bytes: makePng({ ...head, rows: flat(201), filterOf: () => 3 }) },
    { name: 'half-clear', bytes: makePng({ ...head, rows: flat(77) }) },
    {
      name: 'noise in the longest codes',
      bytes: makePng({ ...head, rows: noise, filterOf: () => 4, zlib: { strategy: constants.Z_HUFFMAN_ONLY } }),
    },
    { name: 'noise that is stored', bytes: makePng({ ...head, rows: noise, zlib: { level: 0 } }) },
    {
      name: 'RGBA of 16 bits by Paeth',
      bytes: makePng({ ...head, bitDepth: 16, rows: flat(99, sidePx * 8), filterOf: () => 4 }),
    },
    {
      name: 'one bit a pixel',
      bytes: makePng({
        ...head,
        colorType: 0,
        bitDepth: 1,
        rows: flat(0x55, Math.ceil(sidePx / 8)),
        filterOf: () => 4,
      }),
    },
    { name: 'empty blocks of fixed codes', bytes: withBlocks({ ...head, rows: flat(9) }, emptyFixedBlocks(blocks)) },
    { name: 'empty blocks of new codes', bytes: withBlocks({ ...head, rows: flat(9) }, emptyDynamicBlocks(blocks)) },
  ]
}
