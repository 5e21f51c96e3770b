import { joinBytes } from '../compression/join-bytes.ts'
import { ArtworkError, corruptIn } from './artwork-error.ts'
import type { ContainerFacts, Orientation } from './artwork-facts.ts'
import type { ByteView } from './byte-view.ts'
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
 * Walks a WebP (RFC 9649) to the end of its first frame, which the decoder receives as a still picture
 * without EXIF and XMP. The sizes of container, frame and bitstream must agree, so that the limits apply to
 * the decoded picture.
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
  const alpha: Uint8Array[] = []
  let profile: IccProfile | null = null
  let profileChunk: Uint8Array | null = null
  let orientation: Orientation | null = null
  let picture: Picture | null = null
  let chunk: Chunk = first

  while (chunk.end < riffEnd) {
    chunk = readChunk(view, chunk.end, riffEnd)
    const raw = rawChunk(view, chunk)
    switch (chunk.name) {
      case 'ICCP':
        if (profile === null && chunk.sizeBytes <= MAX_PROFILE_SIZE_BYTES && picture === null) {
          profile = parseIccProfile(view.slice(chunk.offset, chunk.sizeBytes))
          if (profile?.space !== 'rgb') profile = null
          if (profile !== null) profileChunk = raw
        }
        break
      case 'EXIF':
        if (chunk.sizeBytes <= MAX_EXIF_SIZE_BYTES) {
          orientation ??= readExifOrientation(view.slice(chunk.offset, chunk.sizeBytes))
        }
        break
      case 'ALPH':
        if (picture === null) alpha.push(raw)
        break
      case 'ANMF':
        picture ??= readFrame(view, chunk, canvas)
        break
      case 'VP8 ':
      case 'VP8L':
        if (picture === null) {
          const size = readBitstreamSize(view, chunk)
          if (size?.widthPx !== canvas.widthPx || size.heightPx !== canvas.heightPx) throw corrupt('one size')
          const hasAlpha = (flags & FLAG_ALPHA) !== 0
          picture = { ...size, leftPx: 0, topPx: 0, hasAlphaFlag: hasAlpha, chunks: [...alpha, raw] }
        }
        break
      default:
        break
    }
  }
  if (picture === null) throw corrupt('a picture')
  const isWhole = picture.widthPx === canvas.widthPx && picture.heightPx === canvas.heightPx
  const { leftPx, topPx, widthPx, heightPx } = picture
  const still = (withProfile: Uint8Array | null): Uint8Array => {
    const header = buildHeader(picture, (picture.hasAlphaFlag ? FLAG_ALPHA : 0) | (withProfile ? FLAG_PROFILE : 0))
    return joinBytes([view.bytes.subarray(0, 12), header, ...(withProfile ? [withProfile] : []), ...picture.chunks])
  }
  const size = { ...picture, ...canvas, hasAlpha: picture.hasAlphaFlag || picture.hasAlpha || !isWhole }
  const facts = { size, orientation: orientation ?? 1, profile, isAnimated, file: still(profileChunk) }
  const frame = isWhole ? null : { leftPx, topPx, widthPx, heightPx }
  return { ...buildFacts(facts), frame, bareBytes: profile === null ? undefined : finish(still(null)) }
}

/** A picture of one frame: its chunks, and its position on the canvas. */
type Picture = Size & {
  readonly leftPx: number
  readonly topPx: number
  /** the flag of the extended header */
  readonly hasAlphaFlag: boolean
  readonly chunks: readonly Uint8Array[]
}

function rawChunk(view: ByteView, { offset, end }: Chunk): Uint8Array {
  return view.bytes.subarray(offset - 8, end)
}

/** An extended header of a canvas that the picture fills. */
function buildHeader({ widthPx, heightPx }: Size, flags: number): Uint8Array {
  const header = new Uint8Array(18)
  const view = new DataView(header.buffer)
  header.set([0x56, 0x50, 0x38, 0x58, 10, 0, 0, 0, flags])
  view.setUint16(12, (widthPx - 1) & 0xffff, true)
  header[14] = (widthPx - 1) >> 16
  view.setUint16(15, (heightPx - 1) & 0xffff, true)
  header[17] = (heightPx - 1) >> 16
  return header
}

/** What is known of a file at the end of its first frame. */
type Walked = Pick<ContainerFacts, 'orientation' | 'profile' | 'isAnimated'> & {
  readonly size: Size
  readonly file: Uint8Array
}

/** Adds padding that a writer omitted (libvips refuses such files) and sets the file's size. */
function finish(file: Uint8Array): Uint8Array {
  const finished = new Uint8Array(file.byteLength + (file.byteLength & 1))
  finished.set(file)
  new DataView(finished.buffer).setUint32(4, finished.byteLength - 8, true)
  return finished
}

function buildFacts({ size, orientation, profile, isAnimated, file }: Walked): ContainerFacts {
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
    bytesToDecode: finish(file),
    isLosslessWebp: size.isLossless,
  }
}

function readChunk(view: ByteView, start: number, limit: number): Chunk {
  view.require(start, 8)
  const name = String.fromCharCode(view.u8(start), view.u8(start + 1), view.u8(start + 2), view.u8(start + 3))
  const sizeBytes = view.u32le(start + 4)
  const offset = start + 8
  view.require(offset, sizeBytes)
  // Chunks are padded to even sizes; some writers omit the last chunk's padding.
  const end = Math.min(offset + sizeBytes + (sizeBytes & 1), Math.max(limit, offset + sizeBytes))
  if (offset + sizeBytes > limit) throw corrupt('chunks within the file')
  return { name, offset, sizeBytes, end }
}

/** The first frame of an animation: it must lie on the canvas, and its bitstream must have its size. */
function readFrame(view: ByteView, chunk: Chunk, canvas: { widthPx: number; heightPx: number }): Picture {
  if (chunk.sizeBytes < 16) throw corrupt('a frame header')
  const leftPx = view.u24le(chunk.offset) * 2
  const topPx = view.u24le(chunk.offset + 3) * 2
  const widthPx = view.u24le(chunk.offset + 6) + 1
  const heightPx = view.u24le(chunk.offset + 9) + 1
  if (leftPx + widthPx > canvas.widthPx || topPx + heightPx > canvas.heightPx) throw corrupt('a frame on the canvas')
  const limit = chunk.offset + chunk.sizeBytes
  const alpha: Uint8Array[] = []
  for (let inner = readChunk(view, chunk.offset + 16, limit); ; inner = readChunk(view, inner.end, limit)) {
    const size = readBitstreamSize(view, inner)
    if (size !== null) {
      if (size.widthPx !== widthPx || size.heightPx !== heightPx) throw corrupt('one size')
      const own = size.isLossless ? [] : alpha
      const hasAlphaFlag = size.hasAlpha || own.length > 0
      return { ...size, leftPx, topPx, hasAlphaFlag, chunks: [...own, rawChunk(view, inner)] }
    }
    if (inner.name === 'ALPH' && alpha.length === 0) alpha.push(rawChunk(view, inner))
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
