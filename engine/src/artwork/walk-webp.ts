import { ArtworkError, corruptIn } from './artwork-error.ts'
import type { ContainerFacts, Orientation } from './artwork-facts.ts'
import { type ByteView, joinBytes } from './byte-view.ts'
import { readExifOrientation } from './exif-orientation.ts'
import { type IccProfile, parseIccProfile } from './icc-profile.ts'
import { MAX_EXIF_SIZE_BYTES, MAX_PROFILE_SIZE_BYTES } from './limits.ts'

const corrupt = corruptIn('WebP')

const FLAG_ANIMATION = 0x02
const FLAG_ALPHA = 0x10
const FLAG_PROFILE = 0x20

type Size = {
  readonly widthPx: number
  readonly heightPx: number
  readonly hasAlpha: boolean
  readonly isLossless: boolean
}
type Chunk = { readonly name: string; readonly offset: number; readonly sizeBytes: number; readonly end: number }

/**
 * Walks a WebP (RFC 9649) up to the end of its first frame, which the decoder gets without EXIF and XMP. The
 * sizes of container, frame and bit stream must agree, so that the limits hold for the decoded picture.
 */
export function walkWebp(view: ByteView): ContainerFacts {
  const riffEnd = 8 + view.u32le(4)
  view.require(0, riffEnd)
  const first = readChunk(view, 12, riffEnd)
  if (first.name !== 'VP8X') {
    const size = readBitstreamSize(view, first)
    if (size === null) throw corrupt('a picture')
    return buildFacts({ size, orientation: 1, profile: null, isAnimated: false, file: view.slice(0, first.end) })
  }

  view.require(first.offset, 10)
  if (first.sizeBytes < 10) throw corrupt('an extended header')
  const flags = view.u8(first.offset)
  const canvas = { widthPx: view.u24le(first.offset + 4) + 1, heightPx: view.u24le(first.offset + 7) + 1 }
  const isAnimated = (flags & FLAG_ANIMATION) !== 0
  const kept: Uint8Array[] = []
  let profile: IccProfile | null = null
  let orientation: Orientation | null = null
  let picture: Size | null = null
  let chunk: Chunk = first

  while (chunk.end < riffEnd) {
    chunk = readChunk(view, chunk.end, riffEnd)
    const raw = view.bytes.subarray(chunk.offset - 8, chunk.end)
    switch (chunk.name) {
      case 'ICCP':
        if (profile === null && chunk.sizeBytes <= MAX_PROFILE_SIZE_BYTES && picture === null) {
          profile = parseIccProfile(view.slice(chunk.offset, chunk.sizeBytes))
          if (profile?.space !== 'rgb') profile = null
          if (profile !== null) kept.push(raw)
        }
        break
      case 'EXIF':
        if (chunk.sizeBytes <= MAX_EXIF_SIZE_BYTES) {
          orientation ??= readExifOrientation(view.slice(chunk.offset, chunk.sizeBytes))
        }
        break
      case 'ANIM':
      case 'ALPH':
        if (picture === null) kept.push(raw)
        break
      case 'ANMF':
        if (picture === null) {
          picture = readFrame(view, chunk, canvas)
          kept.push(raw)
        }
        break
      case 'VP8 ':
      case 'VP8L':
        if (picture === null) {
          picture = readBitstreamSize(view, chunk)
          if (picture?.widthPx !== canvas.widthPx || picture.heightPx !== canvas.heightPx) throw corrupt('one size')
          kept.push(raw)
        }
        break
      default:
        break
    }
  }
  if (picture === null) throw corrupt('a picture')
  const header = new Uint8Array(view.bytes.subarray(12, first.end))
  header[8] = flags & (FLAG_ANIMATION | FLAG_ALPHA | (profile === null ? 0 : FLAG_PROFILE))
  const file = joinBytes([view.bytes.subarray(0, 12), header, ...kept])
  const hasAlpha = (flags & FLAG_ALPHA) !== 0 || picture.hasAlpha || isAnimated
  const size = { ...picture, ...canvas, hasAlpha }
  return buildFacts({ size, orientation: orientation ?? 1, profile, isAnimated, file })
}

/** What is known of a file up to the end of its first frame. */
type Walked = Pick<ContainerFacts, 'orientation' | 'profile' | 'isAnimated'> & {
  readonly size: Size
  readonly file: Uint8Array
}

function buildFacts({ size, orientation, profile, isAnimated, file }: Walked): ContainerFacts {
  // The padding that a writer forgot: libvips refuses a file without it.
  const bytesToDecode = new Uint8Array(file.byteLength + (file.byteLength & 1))
  bytesToDecode.set(file)
  new DataView(bytesToDecode.buffer).setUint32(4, bytesToDecode.byteLength - 8, true)
  return {
    type: 'webp',
    storedWidthPx: size.widthPx,
    storedHeightPx: size.heightPx,
    orientation,
    channels: size.hasAlpha ? 4 : 3,
    colorModel: 'rgb',
    bitsPerChannel: 8,
    hasAlpha: size.hasAlpha,
    isProgressive: false,
    isAnimated,
    profile,
    frame: null,
    bytesToDecode,
    isLosslessWebp: size.isLossless,
  }
}

function readChunk(view: ByteView, start: number, limit: number): Chunk {
  view.require(start, 8)
  const name = String.fromCharCode(view.u8(start), view.u8(start + 1), view.u8(start + 2), view.u8(start + 3))
  const sizeBytes = view.u32le(start + 4)
  const offset = start + 8
  view.require(offset, sizeBytes)
  // Chunks are padded to even sizes; some writers forget the padding of the last one.
  const end = Math.min(offset + sizeBytes + (sizeBytes & 1), Math.max(limit, offset + sizeBytes))
  if (offset + sizeBytes > limit) throw corrupt('chunks within the file')
  return { name, offset, sizeBytes, end }
}

/** The first frame of an animation: it must lie on the canvas and its bit stream must have its size. */
function readFrame(view: ByteView, chunk: Chunk, canvas: { widthPx: number; heightPx: number }): Size {
  if (chunk.sizeBytes < 16) throw corrupt('a frame header')
  const leftPx = view.u24le(chunk.offset) * 2
  const topPx = view.u24le(chunk.offset + 3) * 2
  const widthPx = view.u24le(chunk.offset + 6) + 1
  const heightPx = view.u24le(chunk.offset + 9) + 1
  if (leftPx + widthPx > canvas.widthPx || topPx + heightPx > canvas.heightPx) throw corrupt('a frame on the canvas')
  const limit = chunk.offset + chunk.sizeBytes
  for (let inner = readChunk(view, chunk.offset + 16, limit); ; inner = readChunk(view, inner.end, limit)) {
    const size = readBitstreamSize(view, inner)
    if (size !== null) {
      if (size.widthPx !== widthPx || size.heightPx !== heightPx) throw corrupt('one size')
      return size
    }
    if (inner.end >= limit) throw corrupt('a picture')
  }
}

/** The size in a VP8 (RFC 6386 section 9.1) or VP8L header; null for other chunks. */
function readBitstreamSize(view: ByteView, chunk: Chunk): Size | null {
  const { offset } = chunk
  if (chunk.name === 'VP8 ') {
    if (chunk.sizeBytes < 10) throw truncated()
    if ((view.u8(offset) & 1) !== 0) throw corrupt('a key frame')
    if (view.u8(offset + 3) !== 0x9d || view.u8(offset + 4) !== 0x01 || view.u8(offset + 5) !== 0x2a)
      throw corrupt('a start code')
    const widthPx = view.u16le(offset + 6) & 0x3fff
    const heightPx = view.u16le(offset + 8) & 0x3fff
    if (widthPx === 0 || heightPx === 0) throw corrupt('a size')
    return { widthPx, heightPx, hasAlpha: false, isLossless: false }
  }
  if (chunk.name === 'VP8L') {
    if (chunk.sizeBytes < 5) throw truncated()
    if (view.u8(offset) !== 0x2f) throw corrupt('a signature')
    const bits = view.u32le(offset + 1)
    if (bits >>> 29 !== 0) throw corrupt('a known version')
    return {
      widthPx: (bits & 0x3fff) + 1,
      heightPx: ((bits >>> 14) & 0x3fff) + 1,
      hasAlpha: ((bits >>> 28) & 1) === 1,
      isLossless: true,
    }
  }
  return null
}

function truncated(): ArtworkError {
  return new ArtworkError('truncated', 'Expected a whole picture but received a WebP that ends too early.')
}
