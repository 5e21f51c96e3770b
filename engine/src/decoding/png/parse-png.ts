import { ByteView } from '../../artwork/byte-view.ts'
import { DeclinedError } from '../declined.ts'

/** The CRC-32 of ISO 3309. */
export type Checksum = (bytes: Uint8Array) => number

/** The body of a chunk, and its declared checksum (over its name too); null if it has none. */
export type DataChunk = { readonly bytes: Uint8Array; readonly checksum: number | null }

/** A PNG up to its compressed data. */
export type PngPicture = {
  readonly widthPx: number
  readonly heightPx: number
  readonly bitDepth: number
  readonly colorType: ColorType
  readonly isInterlaced: boolean
  /** bytes of a row, without its filter byte */
  readonly rowBytes: number
  /** PLTE: RGB */
  readonly palette: Uint8Array | null
  /** tRNS: alpha by index, or the samples of the transparent colour (16 bits each) */
  readonly transparency: Uint8Array | null
  /** the non-empty IDAT chunks */
  readonly data: readonly DataChunk[]
  readonly dataBytes: number
}

/** Samples per pixel of each colour type (W3C PNG third edition, table 8). */
export const channelsOfType = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const
export type ColorType = keyof typeof channelsOfType

const colorTypes = [0, 2, 3, 4, 6] as const satisfies readonly ColorType[]
const GREY = 0
const RGB = 2
const INDEXED = 3

/** A match of 258 bytes takes at least two bits. */
const MOST_BYTES_PER_BYTE = 1032

const doubtful = (what: string): DeclinedError => new DeclinedError('doubtful', `Expected ${what} in the PNG.`)

/**
 * Reads the chunks that affect pixels; skips others. Checks their order, their checksums except those of
 * data, and that there is enough data for the size. Throws DeclinedError, and ArtworkError for chunks that
 * exceed the file.
 */
export function parsePng(bytes: Uint8Array, checksum: Checksum): PngPicture {
  const view = new ByteView(bytes)
  const header = readHeader(view)
  const { bitDepth, colorType } = header
  const data: DataChunk[] = []
  let palette: Uint8Array | null = null
  let transparency: Uint8Array | null = null
  let before = ''
  for (let at = 8; before !== 'IEND'; ) {
    const sizeBytes = view.u32be(at)
    const body = view.slice(at + 8, sizeBytes)
    const name = String.fromCharCode(...view.slice(at + 4, 4))
    const expected = view.u32be(at + 8 + sizeBytes)
    const isData = name === 'IDAT' && sizeBytes > 0
    const isOurs = name === 'IHDR' || name === 'PLTE' || name === 'tRNS' || name === 'IDAT' || name === 'IEND'
    if (isOurs && !isData && checksum(view.slice(at + 4, 4 + sizeBytes)) !== expected) {
      throw doubtful(`the checksum of ${name}`)
    }
    if (name === 'IDAT') {
      if (data.length > 0 && before !== 'IDAT') throw doubtful('the data in one place')
      if (isData) data.push({ bytes: body, checksum: expected })
    } else if (name === 'PLTE') {
      if (palette !== null || transparency !== null || before === 'IDAT') throw doubtful('one palette before the data')
      palette = body
    } else if (name === 'tRNS') {
      if (transparency !== null || before === 'IDAT') throw doubtful('one tRNS before the data')
      transparency = body
    } else if (name === 'IEND' && sizeBytes > 0) throw doubtful('an empty end')
    before = name
    at += 12 + sizeBytes
  }
  assertPalette(palette, colorType, bitDepth)
  if (transparency !== null) assertTransparency(transparency, colorType, palette)
  const rowBytes = Math.ceil((header.widthPx * channelsOfType[colorType] * bitDepth) / 8)
  const dataBytes = data.reduce((sum, { bytes }) => sum + bytes.length, 0)
  // Work and memory depend on the declared size.
  if (dataBytes * MOST_BYTES_PER_BYTE < (rowBytes + 1) * header.heightPx) {
    throw new DeclinedError('cut', 'Expected as much data in the PNG as a picture of this size has.')
  }
  assertZlib(data)
  return { ...header, rowBytes, palette, transparency, data, dataBytes }
}

function readHeader(view: ByteView) {
  if (view.u32be(8) !== 13 || !view.has(12, 'IHDR')) throw doubtful('a header')
  const colorType = colorTypes.find(type => type === view.u8(25))
  if (colorType === undefined) throw doubtful('a colour type')
  const isInterlaced = view.u8(28) !== 0
  return { widthPx: view.u32be(16), heightPx: view.u32be(20), bitDepth: view.u8(24), colorType, isInterlaced }
}

function assertPalette(palette: Uint8Array | null, colorType: ColorType, bitDepth: number): void {
  if (palette === null) {
    if (colorType === INDEXED) throw doubtful('a palette')
    return
  }
  const isColored = colorType === INDEXED || (colorType & RGB) !== 0
  const most = colorType === INDEXED ? 2 ** bitDepth : 256
  if (!isColored || palette.length === 0 || palette.length % 3 !== 0 || palette.length > 3 * most) {
    throw doubtful('a palette that fits')
  }
}

function assertTransparency(transparency: Uint8Array, colorType: ColorType, palette: Uint8Array | null): void {
  if (colorType === INDEXED) {
    if (transparency.length === 0 || 3 * transparency.length > (palette?.length ?? 0))
      throw doubtful('a tRNS that fits')
    return
  }
  const count = colorType === GREY ? 1 : colorType === RGB ? 3 : 0
  if (transparency.length !== 2 * count || count === 0) throw doubtful('a tRNS that fits')
}

/** The samples of the transparent colour; bits beyond the picture's depth are ignored (as in libpng). */
export function readKey(transparency: Uint8Array, bitDepth: number): readonly number[] {
  return Array.from(
    { length: Math.floor(transparency.length / 2) },
    (_, i) => ((transparency[2 * i] ?? 0) * 256 + (transparency[2 * i + 1] ?? 0)) & (2 ** bitDepth - 1),
  )
}

/** Checks zlib's header: deflate, no preset dictionary. The kernel's window is always 32 KiB. */
function assertZlib([chunk, next]: readonly DataChunk[]): void {
  const first = chunk?.bytes[0] ?? 0
  const second = chunk?.bytes[1] ?? next?.bytes[0] ?? 0
  if ((first & 15) !== 8 || first >> 4 > 7 || (first * 256 + second) % 31 !== 0 || (second & 32) !== 0) {
    throw doubtful('a zlib stream')
  }
}
