import { inflateBounded } from '../compression/inflate-bounded.ts'
import { corruptIn } from './artwork-error.ts'
import type { ContainerFacts, Orientation } from './artwork-facts.ts'
import { type ByteView, joinBytes } from './byte-view.ts'
import { readExifOrientation } from './exif-orientation.ts'
import { type IccProfile, parseIccProfile } from './icc-profile.ts'
import { MAX_EXIF_SIZE_BYTES, MAX_PROFILE_SIZE_BYTES } from './limits.ts'

const corrupt = corruptIn('PNG')

/**
 * Chunks that make pixels; all others are dropped, as metadata alone can cost a decoder seconds. gAMA, cHRM,
 * sRGB and cICP too: the colour contract honours ICC profiles only.
 */
const decodedChunks: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** An empty IEND with its checksum, for files that lack one. */
const endChunk = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82)

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

/** Walks the chunks of a PNG (W3C PNG third edition, section 5) and keeps those that make pixels. */
export function walkPng(view: ByteView): ContainerFacts {
  const { bytes } = view
  const header = readHeader(view)
  const kept: Uint8Array[] = []
  let profile: IccProfile | null = null
  let profileChunk: Uint8Array | null = null
  let orientation: Orientation = 1
  let hasPalette = false
  let hasTransparency = false
  let hasData = false
  let hasEnd = false
  let isAnimated = false
  let keepFrom = 0
  let offset = 8

  while (!hasEnd && offset < view.sizeBytes) {
    const sizeBytes = view.u32be(offset)
    if (sizeBytes > 0x7fffffff) throw corrupt('a chunk length')
    view.require(offset, 12 + sizeBytes)
    const end = offset + 12 + sizeBytes
    const name = chunkName(view, offset + 4)
    if (name === null) throw corrupt('a chunk name')
    if (decodedChunks.has(name)) {
      if (name === 'IHDR' && offset !== 8) throw corrupt('one header')
      hasPalette ||= name === 'PLTE'
      hasTransparency ||= name === 'tRNS'
      hasData ||= name === 'IDAT'
      hasEnd = name === 'IEND'
    } else {
      const body = view.slice(offset + 8, sizeBytes)
      if (name === 'iCCP' && profileChunk === null && !hasData) {
        profile = readProfile(body, header.colorType)
        profileChunk = bytes.subarray(offset, end)
      }
      if (name === 'eXIf' && sizeBytes <= MAX_EXIF_SIZE_BYTES) orientation = readExifOrientation(body)
      isAnimated ||= name === 'acTL'
      // An unknown critical chunk (upper-case first letter) forbids decoding.
      if ((name.charCodeAt(0) & 0x20) === 0) throw corrupt('chunks that are known')
      if (offset > keepFrom) kept.push(bytes.subarray(keepFrom, offset))
      keepFrom = end
    }
    offset = end
  }
  if (!hasData) throw corrupt('pixels')
  if (header.colorType === 3 && !hasPalette) throw corrupt('a palette')
  if (offset > keepFrom) kept.push(bytes.subarray(keepFrom, offset))
  if (!hasEnd) kept.push(endChunk)

  const hasAlpha = header.colorType >= 4 || hasTransparency
  const stripped = joinBytes(kept)
  const headEnd = 8 + 25
  return {
    type: 'png',
    storedWidthPx: header.widthPx,
    storedHeightPx: header.heightPx,
    orientation,
    channels: hasTransparency ? withAlpha[header.channels] : header.channels,
    colorModel: header.channels <= 2 ? 'grey' : 'rgb',
    bitsPerChannel: header.bitDepth === 16 ? 16 : 8,
    hasAlpha,
    isProgressive: header.isInterlaced,
    isAnimated,
    profile,
    frame: null,
    bytesToDecode:
      profile === null || profileChunk === null
        ? stripped
        : joinBytes([stripped.subarray(0, headEnd), profileChunk, stripped.subarray(headEnd)]),
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

function chunkName(view: ByteView, offset: number): string | null {
  let name = ''
  for (let i = 0; i < 4; i++) {
    const code = view.u8(offset + i)
    if ((code | 0x20) < 0x61 || (code | 0x20) > 0x7a) return null
    name += String.fromCharCode(code)
  }
  return name
}

/** The profile of an iCCP chunk, or null where it is unsound, too large or of another colour model. */
function readProfile(body: Uint8Array, colorType: number): IccProfile | null {
  const nameEnd = body.indexOf(0)
  if (nameEnd < 1 || nameEnd > 79 || body[nameEnd + 1] !== 0) return null
  const unpacked = inflateBounded(body.subarray(nameEnd + 2), 'zlib', MAX_PROFILE_SIZE_BYTES)
  const profile = unpacked === null ? null : parseIccProfile(unpacked)
  const wanted = colorType === 0 || colorType === 4 ? 'grey' : 'rgb'
  return profile?.space === wanted ? profile : null
}
