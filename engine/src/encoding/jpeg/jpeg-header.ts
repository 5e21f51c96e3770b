import type { HuffmanSet, HuffmanTable } from './huffman.ts'
import { type QuantisationTables, zigzag } from './quantiser.ts'

/** The bytes that end every JPEG file. */
export const endOfImage = Uint8Array.of(0xff, 0xd9)

/** Three components: id, sampling factors, quantiser. */
const frameComponents = [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1] as const

function segment(marker: number, payload: readonly number[]): number[] {
  const length = payload.length + 2
  return [0xff, marker, length >> 8, length & 255, ...payload]
}

function quantisationSegment(id: number, table: Uint8Array): number[] {
  return segment(0xdb, [id, ...zigzag.map(position => table[position] ?? 1)])
}

function huffmanSegment(id: number, table: HuffmanTable): number[] {
  return segment(0xc4, [id, ...table.counts, ...table.symbols])
}

/** The file before its data: JFIF 1.01, baseline, 4:2:0. JFIF without a profile is read as sRGB. */
export function jpegHeader(
  widthPx: number,
  heightPx: number,
  quantisation: QuantisationTables,
  huffman: HuffmanSet,
): Uint8Array {
  return Uint8Array.from([
    0xff,
    0xd8,
    ...segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...quantisationSegment(0, quantisation.luma),
    ...quantisationSegment(1, quantisation.chroma),
    ...segment(0xc0, [8, heightPx >> 8, heightPx & 255, widthPx >> 8, widthPx & 255, ...frameComponents]),
    ...huffmanSegment(0x00, huffman.dcLuma),
    ...huffmanSegment(0x10, huffman.acLuma),
    ...huffmanSegment(0x01, huffman.dcChroma),
    ...huffmanSegment(0x11, huffman.acChroma),
    ...segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]),
  ])
}
