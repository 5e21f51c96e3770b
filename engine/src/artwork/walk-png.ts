import { zlibSync } from 'fflate'
import { crc32 } from '../compression/crc32.ts'
import { joinBytes } from '../compression/join-bytes.ts'
import { corruptIn } from './artwork-error.ts'
import type { ContainerFacts, Orientation } from './artwork-facts.ts'
import { type ByteView, equalBytes } from './byte-view.ts'
import { readExifOrientation } from './exif-orientation.ts'
import type { IccProfile } from './icc-profile.ts'
import { MAX_EXIF_SIZE_BYTES } from './limits.ts'
import { buildChunk, CHUNK_FRAME_BYTES, endChunk, readChunkName } from './png-chunks.ts'
import { PngColors } from './png-colors.ts'

const corrupt = corruptIn('PNG')

const INDEXED = 3

const channelsOfColorType: ReadonlyMap<number, 1 | 2 | 3 | 4> = new Map([
  [0, 1],
  [2, 3],
  [3, 3],
  [4, 2],
  [6, 4],
] as const)
const withAlpha = { 1: 2, 2: 2, 3: 4, 4: 4 } as const
const bitDepths: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
])

type Header = {
  readonly widthPx: number
  readonly heightPx: number
  readonly bitDepth: number
  readonly colorType: number
  readonly channels: 1 | 2 | 3 | 4
  readonly isInterlaced: boolean
}

/**
 * Walks the chunks of a PNG (W3C PNG third edition, section 5). The decoder receives only those that affect
 * pixels, as metadata can cost it seconds, and a profile. A broken chunk after the data ends the file.
 */
export function walkPng(view: ByteView): ContainerFacts {
  const header = readHeader(view)
  const isGrey = header.channels <= 2
  const retained = new RetainedBytes(view.bytes)
  const colors = new PngColors(isGrey)
  let orientation: Orientation = 1
  let palette: Uint8Array | null = null
  let hasTransparency = false
  let hasData = false
  let isAnimated = false
  let offset = 8

  while (offset < view.sizeBytes) {
    const chunk = readChunk(view, offset, hasData)
    if (chunk === null) break
    const { name, body, end } = chunk
    // An unknown critical chunk (upper-case first letter) forbids decoding.
    const isCritical = (name.charCodeAt(0) & 0x20) === 0
    if (name === 'IHDR' ? offset !== 8 : isCritical && !criticalChunks.has(name)) {
      if (hasData) break
      throw corrupt(name === 'IHDR' ? 'one header' : 'chunks that are known')
    }
    if (name === 'IEND') break
    if (name === 'IDAT') {
      hasData = true
      if (end > view.sizeBytes) retained.replace(offset, view.sizeBytes, buildChunk(name, body))
    } else if (name === 'PLTE' && header.colorType === INDEXED && !hasData) {
      if (palette !== null) throw corrupt('one palette')
      palette = body.subarray(0, 3 * 2 ** header.bitDepth)
      if (palette.byteLength < body.byteLength) rewrite(retained, view, offset, name, body, palette)
    } else if (name === 'tRNS' && !hasTransparency && !hasData) {
      const alphas = readTransparency(body, header, palette)
      hasTransparency = alphas.byteLength > 0
      if (alphas.byteLength < body.byteLength) rewrite(retained, view, offset, name, body, alphas)
    } else if (name !== 'IHDR') {
      retained.drop(offset, end)
      if (!hasData) colors.read(name, body)
      if (name === 'eXIf' && body.byteLength <= MAX_EXIF_SIZE_BYTES) orientation = readExifOrientation(body)
      isAnimated ||= name === 'acTL'
    }
    offset = end
  }
  if (!hasData) throw corrupt('pixels')
  if (header.colorType === INDEXED && palette === null) throw corrupt('a palette')
  retained.end(offset)

  const { profile } = colors
  return {
    type: 'png',
    storedWidthPx: header.widthPx,
    storedHeightPx: header.heightPx,
    orientation,
    channels: hasTransparency ? withAlpha[header.channels] : header.channels,
    colorModel: isGrey ? 'grey' : 'rgb',
    bitsPerChannel: header.bitDepth === 16 ? 16 : 8,
    hasAlpha: header.colorType >= 4 || hasTransparency,
    isProgressive: header.isInterlaced,
    isAnimated,
    profile,
    frame: null,
    bytesToDecode: retained.join(profile),
    get bareBytes() {
      return retained.join(null)
    },
  }
}

const criticalChunks: ReadonlySet<string> = new Set(['PLTE', 'IDAT', 'IEND'])

type Chunk = { readonly name: string; readonly body: Uint8Array; readonly end: number }

/** The chunk at `offset`; null if it is broken and follows data. The checksum of data may be missing. */
function readChunk(view: ByteView, offset: number, hasData: boolean): Chunk | null {
  if (hasData && offset + 8 > view.sizeBytes) return null
  const sizeBytes = view.u32be(offset)
  const name = readChunkName(view, offset + 4)
  if (sizeBytes > 0x7fffffff || name === null) {
    if (hasData) return null
    throw corrupt(name === null ? 'a chunk name' : 'a chunk length')
  }
  const end = offset + CHUNK_FRAME_BYTES + sizeBytes
  if (end > view.sizeBytes && name !== 'IDAT') {
    if (hasData) return null
    view.require(offset, CHUNK_FRAME_BYTES + sizeBytes)
  }
  return { name, body: view.slice(offset + 8, sizeBytes), end }
}

/** The used part of tRNS: alphas of the palette's colours, or the samples of one colour. */
function readTransparency(body: Uint8Array, { colorType }: Header, palette: Uint8Array | null): Uint8Array {
  if (colorType === INDEXED) return body.subarray(0, Math.floor((palette?.byteLength ?? 0) / 3))
  const sizeBytes = colorType === 0 ? 2 : colorType === 2 ? 6 : 0
  return body.subarray(0, body.byteLength === sizeBytes ? sizeBytes : 0)
}

/** Replaces a chunk by its used part; a chunk with a wrong checksum is left to the decoder. */
function rewrite(
  retained: RetainedBytes,
  view: ByteView,
  at: number,
  name: string,
  body: Uint8Array,
  by: Uint8Array,
): void {
  const end = at + CHUNK_FRAME_BYTES + body.byteLength
  const isSound = crc32(view.slice(at + 4, 4 + body.byteLength)) === view.u32be(end - 4)
  if (by.byteLength === 0) retained.drop(at, end)
  else if (isSound) retained.replace(at, end, buildChunk(name, by))
}

/** The file without what decoding does not need; not copied if nothing is removed. */
class RetainedBytes {
  readonly #bytes: Uint8Array
  readonly #parts: Uint8Array[] = []
  #from = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  drop(from: number, to: number): void {
    if (from > this.#from) this.#parts.push(this.#bytes.subarray(this.#from, from))
    this.#from = to
  }

  replace(from: number, to: number, by: Uint8Array): void {
    this.drop(from, to)
    this.#parts.push(by)
  }

  /** From `at` on, only a valid end is used. */
  end(at: number): void {
    const end = this.#bytes.subarray(at, at + endChunk.byteLength)
    if (equalBytes(end, endChunk)) this.drop(at + endChunk.byteLength, this.#bytes.byteLength)
    else this.replace(at, this.#bytes.byteLength, endChunk)
  }

  /** Inserts the profile's chunk after the header. */
  join(profile: IccProfile | null): Uint8Array {
    const stripped = joinBytes(this.#parts)
    if (profile === null) return stripped
    // Stored, since libpng refuses chunks of less than 92 bytes.
    const body = joinBytes([Uint8Array.of(0x69, 0, 0), zlibSync(Uint8Array.from(profile.bytes), { level: 0 })])
    const headEnd = 8 + CHUNK_FRAME_BYTES + 13
    return joinBytes([stripped.subarray(0, headEnd), buildChunk('iCCP', body), stripped.subarray(headEnd)])
  }
}

function readHeader(view: ByteView): Header {
  if (view.u32be(8) !== 13 || !view.has(12, 'IHDR')) throw corrupt('a header')
  view.require(8, 25)
  const widthPx = view.u32be(16)
  const heightPx = view.u32be(20)
  const bitDepth = view.u8(24)
  const colorType = view.u8(25)
  const channels = channelsOfColorType.get(colorType)
  if (widthPx === 0 || heightPx === 0 || widthPx > 0x7fffffff || heightPx > 0x7fffffff) throw corrupt('a size')
  if (channels === undefined || !bitDepths.get(colorType)?.includes(bitDepth)) throw corrupt('a colour type')
  if (view.u8(26) !== 0 || view.u8(27) !== 0 || view.u8(28) > 1) throw corrupt('known compression')
  return { widthPx, heightPx, bitDepth, colorType, channels, isInterlaced: view.u8(28) === 1 }
}
