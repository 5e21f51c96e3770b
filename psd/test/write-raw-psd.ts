// Photoshop files byte by byte: what ag-psd does not write.

type Channel = { readonly id: number; readonly length?: number; readonly data: Buffer }

export type RawRecord = {
  readonly bottom?: number
  readonly right?: number
  readonly channels?: readonly Channel[]
  /** the section of the layer's mask */
  readonly mask?: Buffer
  readonly extra?: Buffer
}

export const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value & 0xffff)
  return bytes
}

export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** A tagged block of a layer or of the file. */
export function block(key: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`8BIM${key}`),
    u32(data.length + (data.length % 2)),
    data,
    Buffer.alloc(data.length % 2),
  ])
}

/** The record of a layer whose rectangle begins at (0, 0). */
export function record(raw: RawRecord): Buffer {
  const { bottom = 1, right = 1, channels = [], mask = Buffer.alloc(0), extra = Buffer.alloc(0) } = raw
  const name = Buffer.concat([Buffer.from([1]), Buffer.from('x'), Buffer.alloc(2)])
  const end = Buffer.concat([u32(mask.length), mask, u32(0), name, extra])
  return Buffer.concat([
    u32(0),
    u32(0),
    u32(bottom),
    u32(right),
    u16(channels.length),
    ...channels.map(channel => Buffer.concat([u16(channel.id), u32(channel.length ?? channel.data.length)])),
    Buffer.from('8BIMnorm'),
    Buffer.from([255, 0, 8, 0]),
    u32(end.length),
    end,
  ])
}

export type RawPsd = {
  readonly width?: number
  readonly height?: number
  readonly bits?: number
  readonly mode?: number
  readonly channelCount?: number
  readonly records?: readonly Buffer[]
  /** the count that the file names; below zero: the merged picture has alpha */
  readonly count?: number
  /** pixels of the channels, in the records' order */
  readonly pixels?: Buffer
  /** tagged blocks of the file */
  readonly blocks?: Buffer
  readonly merged?: Buffer
}

export function writeRawPsd(raw: RawPsd): Buffer {
  const { width = 8, height = 8, bits = 8, mode = 3, channelCount = 3, records = [], blocks = Buffer.alloc(0) } = raw
  const merged = raw.merged ?? Buffer.concat([u16(0), Buffer.alloc(width * height * channelCount)])
  const info = Buffer.concat([u16(raw.count ?? records.length), ...records, raw.pixels ?? Buffer.alloc(0)])
  const padded = Buffer.concat([info, Buffer.alloc(info.length % 2)])
  const section = Buffer.concat([u32(padded.length), padded, u32(0), blocks])
  return Buffer.concat([
    Buffer.from('8BPS'),
    u16(1),
    Buffer.alloc(6),
    u16(channelCount),
    u32(height),
    u32(width),
    u16(bits),
    u16(mode),
    u32(0),
    u32(0),
    u32(section.length),
    section,
    merged,
  ])
}
