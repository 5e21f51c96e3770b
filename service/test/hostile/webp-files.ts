import sharp from 'sharp'
import { type HostileFile, latin1 } from './hostile-file.ts'

/** WebP files that are decompression bombs, or have false sizes or missing data. */
export async function webpFiles(): Promise<HostileFile[]> {
  const dot = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#123456' } })
    .webp({ lossless: true, effort: 0 })
    .toBuffer()
  const small = await sharp({
    create: { width: 64, height: 64, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
  })
    .webp({ lossless: true })
    .toBuffer()
  const frames = Array.from({ length: 500 }, (_, index) => Buffer.alloc(32 * 32 * 3, index % 256))
  const animation = await sharp(Buffer.concat(frames), {
    raw: { width: 32, height: 32 * 500, channels: 3, pageHeight: 32 },
  })
    .webp({ effort: 0 })
    .toBuffer()
  const wrongSize = Buffer.from(small)
  wrongSize.writeUInt32LE(0xfffffff0, 4)
  return [
    { name: 'sound.webp', bytes: small, outcome: 'accepted' },
    { name: '268-megapixels.webp', bytes: withSize(dot, 16_383), outcome: { refusedFor: 'too_many_pixels' } },
    { name: '49-megapixels.webp', bytes: withSize(dot, 7000), outcome: 'accepted' },
    { name: 'cut.webp', bytes: small.subarray(0, small.length - 6), outcome: 'refused' },
    { name: 'claims-4-gigabytes.webp', bytes: wrongSize, outcome: 'refused' },
    { name: 'canvas-of-16777216.webp', bytes: hugeCanvas(small), outcome: 'refused' },
    { name: '500-frames.webp', bytes: animation, outcome: 'accepted' },
  ]
}

/**
 * The same single-colour picture with another size: lossless WebP needs no bits per pixel then, so 38 bytes
 * represent any number of pixels. The size is two 14-bit numbers after the stream's first byte (WebP Lossless
 * Bitstream, section 3.4).
 */
function withSize(solid: Buffer, sidePx: number): Buffer {
  const changed = Buffer.from(solid)
  const offset = changed.indexOf('VP8L') + 9
  const flags = changed.readUInt32LE(offset) & 0xf0000000
  changed.writeUInt32LE((flags | ((sidePx - 1) << 14) | (sidePx - 1)) >>> 0, offset)
  return changed
}

/** An animation with a canvas of 16,777,216 x 256 and a small picture as frame. */
function hugeCanvas(picture: Buffer): Buffer {
  const canvas = Buffer.alloc(10)
  canvas[0] = 0x02
  canvas.writeUIntLE(16_777_215, 4, 3)
  canvas.writeUIntLE(255, 7, 3)
  const frame = Buffer.concat([Buffer.alloc(16), picture.subarray(12)])
  const body = Buffer.concat([
    latin1('WEBP'),
    chunk('VP8X', canvas),
    chunk('ANIM', Buffer.alloc(6)),
    chunk('ANMF', frame),
  ])
  const head = Buffer.alloc(8)
  head.write('RIFF')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
}
