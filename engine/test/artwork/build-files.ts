import { crc32, deflateSync } from 'node:zlib'

/** Picture files written by hand, so that they can lie. */

export function pngChunk(name: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + data.byteLength)
  chunk.writeUInt32BE(data.byteLength, 0)
  chunk.write(name, 4, 'latin1')
  chunk.set(data, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.byteLength)), 8 + data.byteLength)
  return chunk
}

export const pngSignature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

export type PngHeader = {
  readonly widthPx: number
  readonly heightPx: number
  readonly bitDepth?: number
  readonly colorType?: number
  readonly isInterlaced?: boolean
}

/** A PNG of that header; its pixels (one empty IDAT by default) need not fit. */
export function png(
  header: PngHeader,
  before: readonly Uint8Array[] = [],
  data: Uint8Array = new Uint8Array(0),
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(header.widthPx, 0)
  head.writeUInt32BE(header.heightPx, 4)
  head[8] = header.bitDepth ?? 8
  head[9] = header.colorType ?? 2
  head[12] = header.isInterlaced ? 1 : 0
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', head),
    ...before,
    pngChunk('IDAT', data),
    pngChunk('IEND', new Uint8Array(0)),
  ])
}

/** A sound PNG of raw samples, row by row, without a filter. */
export function soundPng(header: PngHeader, rows: readonly Uint8Array[], before: readonly Uint8Array[] = []): Buffer {
  return png(header, before, deflateSync(Buffer.concat(rows.flatMap(row => [Uint8Array.of(0), row]))))
}

export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0xff, marker, (data.byteLength + 2) >> 8, (data.byteLength + 2) & 255]), data])
}

export function jpegFrame(
  marker: number,
  widthPx: number,
  heightPx: number,
  components: number,
  precisionBits = 8,
): Buffer {
  const head = Buffer.from([precisionBits, heightPx >> 8, heightPx & 255, widthPx >> 8, widthPx & 255, components])
  const each = Array.from({ length: components }, (_, i) => [i + 1, 0x11, 0]).flat()
  return jpegSegment(marker, Buffer.concat([head, Buffer.from(each)]))
}

export const jpegScan = Buffer.concat([
  jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([0x12, 0xff, 0x00, 0x34]),
])

/** Walkable, not decodable. */
export function jpeg(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])])
}

/** An APP1 segment with the orientation tag alone. */
export function exifSegment(orientation: number): Buffer {
  return jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exifBlock(orientation)]))
}

export function exifBlock(orientation: number): Buffer {
  const block = Buffer.alloc(26)
  block.write('II*\0', 0, 'latin1')
  block.writeUInt32LE(8, 4)
  block.writeUInt16LE(1, 8)
  block.writeUInt16LE(0x0112, 10)
  block.writeUInt16LE(3, 12)
  block.writeUInt32LE(1, 14)
  block.writeUInt16LE(orientation, 18)
  return block
}

export type GifFrame = {
  readonly leftPx?: number
  readonly topPx?: number
  readonly widthPx: number
  readonly heightPx: number
  readonly data?: Uint8Array
  readonly transparentIndex?: number
  readonly isInterlaced?: boolean
}

/** One black pixel of a two-colour table: clear code, 0, end. */
const onePixel = Buffer.from([2, 2, 0x44, 0x01, 0])

/** A GIF of black and white. */
export function gif(canvasWidthPx: number, canvasHeightPx: number, frames: readonly GifFrame[]): Buffer {
  const head = Buffer.alloc(13)
  head.write('GIF89a', 0, 'latin1')
  head.writeUInt16LE(canvasWidthPx, 6)
  head.writeUInt16LE(canvasHeightPx, 8)
  head[10] = 0x80
  const parts: Buffer[] = [head, Buffer.from([0, 0, 0, 255, 255, 255])]
  for (const frame of frames) {
    if (frame.transparentIndex !== undefined)
      parts.push(Buffer.from([0x21, 0xf9, 4, 1, 0, 0, frame.transparentIndex, 0]))
    const descriptor = Buffer.alloc(10)
    descriptor[0] = 0x2c
    descriptor.writeUInt16LE(frame.leftPx ?? 0, 1)
    descriptor.writeUInt16LE(frame.topPx ?? 0, 3)
    descriptor.writeUInt16LE(frame.widthPx, 5)
    descriptor.writeUInt16LE(frame.heightPx, 7)
    descriptor[9] = frame.isInterlaced ? 0x40 : 0
    parts.push(descriptor, Buffer.from(frame.data ?? onePixel))
  }
  return Buffer.concat([...parts, Buffer.from([0x3b])])
}

export function webpChunk(name: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(data.byteLength, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.byteLength & 1)])
}

export function webp(chunks: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const head = Buffer.alloc(8)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

/** The header of a lossless picture and nothing else. */
export function losslessHeader(widthPx: number, heightPx: number): Buffer {
  const data = Buffer.alloc(6)
  data[0] = 0x2f
  data.writeUInt32LE(((widthPx - 1) | ((heightPx - 1) << 14)) >>> 0, 1)
  return webpChunk('VP8L', data)
}

export function extendedHeader(widthPx: number, heightPx: number, flags = 0): Buffer {
  const data = Buffer.alloc(10)
  data[0] = flags
  data.writeUIntLE(widthPx - 1, 4, 3)
  data.writeUIntLE(heightPx - 1, 7, 3)
  return webpChunk('VP8X', data)
}

/** The smallest profile that passes for one: a header, and the tags that are given. */
export function iccProfile(space: string, tags: Readonly<Record<string, Uint8Array>> = {}): Buffer {
  const entries = Object.entries(tags)
  const head = Buffer.alloc(128)
  head.writeUInt32BE(0x04300000, 8)
  head.write('mntr', 12, 'latin1')
  head.write(space, 16, 'latin1')
  head.write('XYZ ', 20, 'latin1')
  head.write('acsp', 36, 'latin1')
  // the profile connection space's white point, D50
  head.writeInt32BE(Math.round(0.9642 * 65_536), 68)
  head.writeInt32BE(65_536, 72)
  head.writeInt32BE(Math.round(0.8249 * 65_536), 76)
  const table = Buffer.alloc(4 + entries.length * 12)
  table.writeUInt32BE(entries.length, 0)
  const bodies: Buffer[] = []
  let offset = head.length + table.length
  for (const [index, [name, data]] of entries.entries()) {
    table.write(name, 4 + index * 12, 'latin1')
    table.writeUInt32BE(offset, 8 + index * 12)
    table.writeUInt32BE(data.byteLength, 12 + index * 12)
    const padded = Buffer.concat([data, Buffer.alloc((4 - (data.byteLength % 4)) % 4)])
    bodies.push(padded)
    offset += padded.length
  }
  const profile = Buffer.concat([head, table, ...bodies])
  profile.writeUInt32BE(profile.length, 0)
  return profile
}

/** An iCCP chunk of a profile. */
export function profileChunk(profile: Uint8Array): Buffer {
  return pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]))
}

/** The APP2 segments of a profile. */
export function profileSegments(profile: Uint8Array, partSizeBytes = 65_519): Buffer[] {
  const total = Math.ceil(profile.byteLength / partSizeBytes)
  return Array.from({ length: total }, (_, i) =>
    jpegSegment(
      0xe2,
      Buffer.concat([
        Buffer.from('ICC_PROFILE\0', 'latin1'),
        Buffer.from([i + 1, total]),
        profile.subarray(i * partSizeBytes, (i + 1) * partSizeBytes),
      ]),
    ),
  )
}
