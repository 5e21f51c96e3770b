import { joinBytes } from '../compression/join-bytes.ts'
import { ArtworkError, corruptIn } from './artwork-error.ts'
import type { ContainerFacts, Orientation } from './artwork-facts.ts'
import { assertWithinLimits } from './assert-within-limits.ts'
import { ByteView, equalBytes } from './byte-view.ts'
import { readExifOrientation } from './exif-orientation.ts'
import { type IccProfile, parseIccProfile } from './icc-profile.ts'
import { JpegRepairs } from './jpeg-repairs.ts'
import {
  MAX_JPEG_METADATA_SIZE_BYTES,
  MAX_JPEG_SCAN_PIXELS,
  MAX_JPEG_SCANS,
  MAX_JPEG_SEGMENTS,
  MAX_PROFILE_SIZE_BYTES,
} from './limits.ts'

const corrupt = corruptIn('JPEG')

type ProfilePart = { readonly number: number; readonly total: number; readonly data: Uint8Array }

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const DHT = 0xc4
const JPG = 0xc8
const DAC = 0xcc
const COM = 0xfe
const TEM = 0x01
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

/** With at most this many pieces around metadata, our decoder gets the original file, without a copy. */
const MAX_PIECES_OF_WHOLE = 64

type FrameHeader = {
  readonly isProgressive: boolean
  readonly widthPx: number
  readonly heightPx: number
  readonly components: 1 | 3 | 4
}

/**
 * Walks a JPEG (ITU-T T.81 annex B) from SOI to EOI including its entropy-coded data, where scans that are
 * expensive to decode may hide. Drops metadata, and repairs what strict decoders warn about.
 */
export function walkJpeg(view: ByteView): ContainerFacts {
  const repairs = new JpegRepairs()
  const facts = walk(view, repairs)
  return repairs.isEmpty ? facts : walk(new ByteView(repairs.apply(view.bytes)), new JpegRepairs())
}

function walk(view: ByteView, repairs: JpegRepairs): ContainerFacts {
  const { bytes } = view
  const retained: Uint8Array[] = []
  const profileParts: ProfilePart[] = []
  let frame: FrameHeader | null = null
  let orientation: Orientation | null = null
  let scanCount = 0
  let segmentCount = 0
  let metadataSizeBytes = 0
  /** start of the bytes to retain that are not in `retained` yet */
  let retainFrom = 0
  /** bytes in `retained` */
  let retainedSizeBytes = 0
  const scanEnds: { readonly inFile: number; readonly inKept: number }[] = []
  let isMetadataBehindScan = false
  let offset = 2

  for (;;) {
    view.require(offset, 2)
    const marker = bytes[offset + 1] ?? 0
    if (bytes[offset] !== 0xff) {
      const end = findFull(bytes, offset)
      repairs.remove(offset, end)
      offset = end
      continue
    }
    if (marker === 0xff) {
      offset += 1
      continue
    }
    if (marker === EOI) break
    if (marker === 0 || marker === TEM || isRestart(marker)) {
      repairs.remove(offset, offset + 2)
      offset += 2
      continue
    }
    if (marker === SOI) throw corrupt('a segment')
    const sizeBytes = view.u16be(offset + 2)
    if (sizeBytes < 2) throw corrupt('a segment length')
    view.require(offset, 2 + sizeBytes)
    const end = offset + 2 + sizeBytes
    const body = view.slice(offset + 4, sizeBytes - 2)

    if ((marker >= 0xe0 && marker <= 0xef) || marker === COM) {
      metadataSizeBytes += sizeBytes
      if (metadataSizeBytes > MAX_JPEG_METADATA_SIZE_BYTES) {
        throw new ArtworkError('too_complex', 'Expected at most 8 MiB of metadata in the JPEG but received more.')
      }
      if (marker === 0xe1 && view.has(offset + 4, 'Exif\0\0')) orientation ??= readExifOrientation(body)
      if (marker === 0xe2 && view.has(offset + 4, 'ICC_PROFILE\0') && body.byteLength >= 14) {
        profileParts.push({ number: body[12] ?? 0, total: body[13] ?? 0, data: body.subarray(14) })
      }
      // JFIF and Adobe define how components are read; no other metadata affects pixels.
      const decodes =
        (marker === 0xe0 && view.has(offset + 4, 'JFIF\0')) || (marker === 0xee && view.has(offset + 4, 'Adobe'))
      if (decodes) repairs.noteHeader(marker, offset + 4, body)
      else {
        if (offset > retainFrom) retained.push(bytes.subarray(retainFrom, offset))
        retainedSizeBytes += offset - retainFrom
        isMetadataBehindScan ||= scanCount > 0
        retainFrom = end
      }
    } else {
      segmentCount += 1
      if (segmentCount > MAX_JPEG_SEGMENTS) throw tooComplex()
    }

    if (marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== JPG && marker !== DAC) {
      if (frame !== null) throw corrupt('one frame header')
      frame = readFrameHeader(marker, body)
      // Checked at once: a refused size must not be reported as too many scans of that size.
      assertWithinLimits({
        storedWidthPx: frame.widthPx,
        storedHeightPx: frame.heightPx,
        channels: frame.components,
        bitsPerChannel: 8,
        isProgressive: frame.isProgressive,
        frame: null,
      })
    }
    if (marker === JPG) throw unsupported('a JPEG extension')
    if (marker === SOS) {
      if (frame === null) throw corrupt('a frame header before the first scan')
      if (!frame.isProgressive) repairs.noteSequentialScan(offset + 4, body)
      scanCount += 1
      if (scanCount > MAX_JPEG_SCANS || scanCount * frame.widthPx * frame.heightPx > MAX_JPEG_SCAN_PIXELS)
        throw tooComplex()
      offset = skipEntropyCodedData(view, end)
      scanEnds.push({ inFile: offset, inKept: retainedSizeBytes + offset - retainFrom })
    } else offset = end
  }
  if (frame === null || scanCount === 0) throw corrupt('a picture in the JPEG')
  retained.push(bytes.subarray(retainFrom, offset + 2))

  const { components } = frame
  repairs.noteComponents(components)
  const colorModel = components === 1 ? 'grey' : components === 3 ? 'rgb' : 'cmyk'
  const profile = joinProfile(profileParts)
  const usableProfile = profile?.space === colorModel ? profile : null
  retainedSizeBytes += offset + 2 - retainFrom
  let joined: Uint8Array | null = null
  const joinKept = (): Uint8Array => (joined ??= withProfile(joinBytes(retained), usableProfile))
  const isWhole = retained.length <= MAX_PIECES_OF_WHOLE && !isMetadataBehindScan
  return {
    type: 'jpeg',
    storedWidthPx: frame.widthPx,
    storedHeightPx: frame.heightPx,
    orientation: orientation ?? 1,
    channels: components,
    colorModel,
    bitsPerChannel: 8,
    hasAlpha: false,
    isProgressive: frame.isProgressive,
    isAnimated: false,
    profile: usableProfile,
    frame: null,
    get bytesToDecode() {
      return joinKept()
    },
    get bareBytes() {
      return usableProfile === null ? joinKept() : joinBytes(retained)
    },
    get jpeg() {
      if (isWhole) return { bytes: bytes.subarray(0, offset + 2), scanEnds: scanEnds.map(({ inFile }) => inFile) }
      const shift = joinKept().length - retainedSizeBytes
      return { bytes: joinKept(), scanEnds: scanEnds.map(({ inKept }) => inKept + shift) }
    },
  }
}

function readFrameHeader(marker: number, body: Uint8Array): FrameHeader {
  if (marker !== 0xc0 && marker !== 0xc1 && marker !== 0xc2)
    throw unsupported('a lossless, hierarchical or arithmetic JPEG')
  if (body.byteLength < 6) throw corrupt('a frame header')
  const precisionBits = body[0] ?? 0
  const heightPx = (body[1] ?? 0) * 256 + (body[2] ?? 0)
  const widthPx = (body[3] ?? 0) * 256 + (body[4] ?? 0)
  const components = body[5] ?? 0
  if (precisionBits !== 8) throw unsupported(`a JPEG of ${precisionBits} bits`)
  if (widthPx === 0 || heightPx === 0) throw corrupt('a size')
  if (components !== 1 && components !== 3 && components !== 4) throw unsupported(`a JPEG of ${components} components`)
  if (body.byteLength !== 6 + components * 3) throw corrupt('a frame header')
  return { isProgressive: marker === 0xc2, widthPx, heightPx, components }
}

/** The offset of the next byte FF, or the end. */
function findFull(bytes: Uint8Array, from: number): number {
  const found = bytes.indexOf(0xff, from)
  return found < 0 ? bytes.length : found
}

/** The offset of the marker after a scan; FF00 (stuffing) and FFD0 to FFD7 (restarts) belong to the scan. */
function skipEntropyCodedData({ bytes, sizeBytes }: ByteView, start: number): number {
  // By words if possible: most contain no FF. The last byte cannot begin a marker.
  const wordsAt = (4 - (bytes.byteOffset & 3)) & 3
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + wordsAt, Math.max(0, sizeBytes - 1 - wordsAt) >> 2)
  for (let i = start; i + 1 < sizeBytes; ) {
    if (((i - wordsAt) & 3) === 0) i = wordsAt + 4 * findFullByte(words, (i - wordsAt) >> 2)
    const end = Math.min(sizeBytes - 1, i + 4 - ((i - wordsAt) & 3))
    for (; i < end; i++) {
      if (bytes[i] !== 0xff) continue
      const next = bytes[i + 1] ?? 0
      if (next !== 0 && next !== 0xff && !isRestart(next)) return i
    }
  }
  throw new ArtworkError('truncated', 'Expected a whole picture but received a JPEG that ends too early.')
}

/** The index of the first word from `from` on that contains a byte FF, or the number of words. */
function findFullByte(words: Int32Array, from: number): number {
  let word = from
  for (const end = words.length - 7; word < end; word += 8) {
    const first = markFullBytes(words[word] ?? 0) | markFullBytes(words[word + 1] ?? 0)
    const second = markFullBytes(words[word + 2] ?? 0) | markFullBytes(words[word + 3] ?? 0)
    const third = markFullBytes(words[word + 4] ?? 0) | markFullBytes(words[word + 5] ?? 0)
    const fourth = markFullBytes(words[word + 6] ?? 0) | markFullBytes(words[word + 7] ?? 0)
    if ((first | second | third | fourth) !== 0) break
  }
  while (word < words.length && markFullBytes(words[word] ?? 0) === 0) word++
  return word
}

/** Not 0 if one of a word's bytes is FF ("Bit Twiddling Hacks", S. E. Anderson, on the complement). */
function markFullBytes(word: number): number {
  return (~word - 0x01010101) & word & 0x80808080
}

/**
 * Joins the profile from its segments (ICC.1 annex B.4); null if one is missing, two differ or it is too
 * large. Duplicate segments, which some writers add, are left out.
 */
function joinProfile(all: readonly ProfilePart[]): IccProfile | null {
  const parts = all.filter((part, i) => all.findIndex(other => isSamePart(part, other)) === i)
  const total = parts[0]?.total ?? 0
  if (total === 0 || parts.length !== total || parts.some(part => part.total !== total)) return null
  const ordered = parts.toSorted((a, b) => a.number - b.number)
  if (ordered.some((part, i) => part.number !== i + 1)) return null
  const joined = joinBytes(ordered.map(part => part.data))
  return joined.byteLength > MAX_PROFILE_SIZE_BYTES ? null : parseIccProfile(joined)
}

function isSamePart(a: ProfilePart, b: ProfilePart): boolean {
  if (a === b) return true
  return a.number === b.number && a.total === b.total && equalBytes(a.data, b.data)
}

/** Writes the profile after SOI. */
function withProfile(jpeg: Uint8Array, profile: IccProfile | null): Uint8Array {
  if (profile === null) return jpeg
  const partSizeBytes = 65_519
  const total = Math.ceil(profile.bytes.byteLength / partSizeBytes)
  const parts: Uint8Array[] = [jpeg.subarray(0, 2)]
  for (let i = 0; i < total; i++) {
    const data = profile.bytes.subarray(i * partSizeBytes, (i + 1) * partSizeBytes)
    const head = new Uint8Array(18)
    head.set([0xff, 0xe2, (data.byteLength + 16) >> 8, (data.byteLength + 16) & 255])
    head.set(new TextEncoder().encode('ICC_PROFILE\0'), 4)
    head.set([i + 1, total], 16)
    parts.push(head, data)
  }
  parts.push(jpeg.subarray(2))
  return joinBytes(parts)
}

function unsupported(received: string): ArtworkError {
  return new ArtworkError(
    'unsupported_type',
    `Expected a baseline or progressive JPEG of 8 bits but received ${received}.`,
  )
}

function tooComplex(): ArtworkError {
  return new ArtworkError(
    'too_complex',
    'Expected a JPEG of ordinary structure but received one with too many scans or tables.',
  )
}
