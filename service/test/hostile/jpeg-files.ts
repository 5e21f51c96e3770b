import sharp from 'sharp'
import { type HostileFile, latin1 } from './hostile-file.ts'

const start = Buffer.from([0xff, 0xd8])
const end = Buffer.from([0xff, 0xd9])

/** JPEG files with excessive work, false sizes, useless or missing data. */
export async function jpegFiles(): Promise<HostileFile[]> {
  const plain = { width: 800, height: 800, channels: 3 as const, background: '#0088ff' }
  const noise = { ...plain, noise: { type: 'gaussian' as const, mean: 128, sigma: 40 } }
  const baseline = await sharp({ create: plain }).jpeg({ quality: 80 }).toBuffer()
  const progressive = await sharp({ create: noise }).jpeg({ quality: 80, progressive: true }).toBuffer()
  const strip = await sharp({ create: { ...plain, width: 60, height: 20 } })
    .jpeg()
    .toBuffer()
  const rotations: HostileFile[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 65_535].map(orientation => ({
    name: `orientation-${orientation}.jpg`,
    bytes: afterStart(strip, segment(0xe1, exif(orientation))),
    outcome: 'accepted',
  }))
  return [
    { name: 'sound.jpg', bytes: baseline, outcome: 'accepted' },
    { name: 'sound-progressive.jpg', bytes: progressive, outcome: 'accepted' },
    { name: 'cut-in-half.jpg', bytes: progressive.subarray(0, progressive.length >> 1), outcome: 'refused' },
    { name: 'cut-in-the-header.jpg', bytes: baseline.subarray(0, 40), outcome: 'refused' },
    { name: 'only-a-start.jpg', bytes: Buffer.from([0xff, 0xd8, 0xff]), outcome: 'refused' },
    { name: 'no-end.jpg', bytes: baseline.subarray(0, baseline.length - 2), outcome: 'either' },
    { name: 'claims-65500.jpg', bytes: withSize(baseline, 65_500, 65_500), outcome: { refusedFor: 'too_many_pixels' } },
    {
      name: 'claims-65500-progressive.jpg',
      bytes: withSize(progressive, 65_500, 65_500),
      outcome: { refusedFor: 'too_many_pixels' },
    },
    { name: 'claims-7000-progressive.jpg', bytes: withSize(progressive, 7000, 7000), outcome: 'refused' },
    { name: 'size-of-0.jpg', bytes: withSize(baseline, 0, 0), outcome: 'refused' },
    { name: 'size-of-1000-by-0.jpg', bytes: withSize(baseline, 1000, 0), outcome: 'refused' },
    { name: '51-scans.jpg', bytes: manyScans(4000, 4000, 50), outcome: 'accepted' },
    { name: '101-scans.jpg', bytes: manyScans(64, 64, 100), outcome: { refusedFor: 'too_complex' } },
    { name: '1001-scans.jpg', bytes: manyScans(4000, 4000, 1000), outcome: { refusedFor: 'too_complex' } },
    {
      name: '1001-scans-of-49-megapixels.jpg',
      bytes: manyScans(7000, 7000, 1000),
      outcome: { refusedFor: 'too_complex' },
    },
    { name: '20001-scans.jpg', bytes: manyScans(2000, 2000, 20_000), outcome: { refusedFor: 'too_complex' } },
    { name: 'profile-of-16-megabytes.jpg', bytes: afterStart(baseline, ...profile(255, 255)), outcome: 'either' },
    { name: 'profile-with-pieces-missing.jpg', bytes: afterStart(baseline, ...profile(5, 2)), outcome: 'either' },
    {
      name: '18-megabytes-of-comments.jpg',
      bytes: afterStart(baseline, ...Array.from({ length: 285 }, () => segment(0xfe, Buffer.alloc(65_533, 0x20)))),
      outcome: 'either',
    },
    {
      name: 'damaged-exif.jpg',
      bytes: afterStart(
        baseline,
        segment(0xe1, Buffer.concat([latin1('Exif\0\0II*\0\x08\0\0\0\xff\xff'), Buffer.alloc(4000, 0x12)])),
      ),
      outcome: 'accepted',
    },
    ...rotations,
    {
      name: 'cmyk.jpg',
      bytes: await sharp({ create: plain }).toColourspace('cmyk').jpeg().toBuffer(),
      outcome: 'accepted',
    },
    { name: 'grey.jpg', bytes: await sharp({ create: plain }).greyscale().jpeg().toBuffer(), outcome: 'accepted' },
    {
      name: 'with-a-zip-behind.jpg',
      bytes: Buffer.concat([baseline, latin1(`PK\x05\x06${'\0'.repeat(18)}`)]),
      outcome: 'accepted',
    },
  ]
}

/**
 * A grey progressive JPEG with empty scans: each costs about a hundred bytes in the file and a pass over the
 * whole picture in the decoder, where no time limit applies.
 */
export function manyScans(widthPx: number, heightPx: number, count: number): Buffer {
  const frame = Buffer.alloc(9)
  frame.set([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(heightPx, 1)
  frame.writeUInt16BE(widthPx, 3)
  const blockCount = Math.ceil(widthPx / 8) * Math.ceil(heightPx / 8)
  const firstScan = Buffer.concat([
    segment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])),
    Buffer.alloc(Math.ceil(blockCount / 8)),
  ])
  // "The next 32,767 blocks are empty", repeatedly: code 0 and fourteen ones.
  const runs = Array.from({ length: Math.ceil(blockCount / 32_767) }, () => Buffer.from([0x3f, 0xff, 0x00]))
  const emptyScan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 1, 63, 0])), ...runs])
  return Buffer.concat([
    start,
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(0xc2, frame),
    segment(0xc4, huffmanTable(0x00, [1], [0])),
    segment(0xc4, huffmanTable(0x10, [0, 2], [0xe0, 0x00])),
    firstScan,
    ...Array.from({ length: count }, () => emptyScan),
    end,
  ])
}

function huffmanTable(id: number, codesByLength: readonly number[], symbols: readonly number[]): Buffer {
  const counts = Array.from({ length: 16 }, (_, index) => codesByLength[index] ?? 0)
  return Buffer.from([id, ...counts, ...symbols])
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

function afterStart(jpeg: Buffer, ...segments: readonly Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

/** A meaningless ICC profile in this many pieces, of which only the first `present` are included. */
function profile(pieceCount: number, present: number): Buffer[] {
  return Array.from({ length: present }, (_, index) =>
    segment(
      0xe2,
      Buffer.concat([latin1('ICC_PROFILE\0'), Buffer.from([index + 1, pieceCount]), Buffer.alloc(65_519, 0x41)]),
    ),
  )
}

function exif(orientation: number): Buffer {
  const block = latin1(`Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01${'\0'.repeat(11)}`)
  block.writeUInt16LE(orientation, 24)
  return block
}

/** The same JPEG with another size in its frame header. */
function withSize(jpeg: Buffer, widthPx: number, heightPx: number): Buffer {
  const changed = Buffer.from(jpeg)
  for (let offset = 2; offset + 9 < changed.length; offset += 2 + changed.readUInt16BE(offset + 2)) {
    const marker = changed[offset + 1]
    if (marker !== 0xc0 && marker !== 0xc2) continue
    changed.writeUInt16BE(heightPx, offset + 5)
    changed.writeUInt16BE(widthPx, offset + 7)
    return changed
  }
  throw new Error('The JPEG has no frame header')
}
