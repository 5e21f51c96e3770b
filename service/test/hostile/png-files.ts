import { crc32, deflateSync } from 'node:zlib'
import { type HostileFile, latin1 } from './hostile-file.ts'
import { deflatedZeros } from './zeros.ts'

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const end = chunk('IEND', Buffer.alloc(0))
const channels = { grey: 1, rgb: 3, palette: 1, rgba: 4 } as const
const colorTypes = { grey: 0, rgb: 2, palette: 3, rgba: 6 } as const
/** Start and step of Adam7's seven passes: x, y, dx, dy. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const MIB = 1024 * 1024

type Header = {
  readonly widthPx: number
  readonly heightPx: number
  readonly bits?: number
  readonly color?: keyof typeof colorTypes
  readonly isInterlaced?: boolean
}

/** PNG files that are decompression bombs, or have false sizes, excessive work or missing data. */
export function pngFiles(): HostileFile[] {
  const small = png({ widthPx: 64, heightPx: 64 })
  const head = header({ widthPx: 64, heightPx: 64 })
  const data = chunk('IDAT', deflateSync(Buffer.alloc(193 * 64)))
  const bomb = deflatedZeros(200 * MIB)
  const whole = (...chunks: readonly Buffer[]) => Buffer.concat([signature, head, ...chunks, end])
  return [
    { name: 'sound.png', bytes: small, outcome: 'accepted' },
    {
      name: '900-megapixels.png',
      bytes: png({ widthPx: 30_000, heightPx: 30_000, bits: 1, color: 'grey' }),
      outcome: tooMany,
    },
    {
      name: '268-megapixels.png',
      bytes: png({ widthPx: 16_384, heightPx: 16_384, bits: 1, color: 'grey' }),
      outcome: tooMany,
    },
    {
      name: '100-megapixels.png',
      bytes: png({ widthPx: 10_000, heightPx: 10_000, color: 'rgb' }),
      outcome: 'accepted',
    },
    {
      name: '100-megapixels-and-a-row.png',
      bytes: png({ widthPx: 10_000, heightPx: 10_001, color: 'rgb' }),
      outcome: tooMany,
    },
    {
      name: '100-megapixels-clear.png',
      bytes: png({ widthPx: 10_000, heightPx: 10_000, color: 'rgba' }),
      outcome: 'accepted',
    },
    {
      name: '49-megapixels-clear.png',
      bytes: png({ widthPx: 7000, heightPx: 7000, color: 'rgba' }),
      outcome: 'accepted',
    },
    {
      name: '49-megapixels-deep-interlaced.png',
      bytes: png({ widthPx: 7000, heightPx: 7000, bits: 16, color: 'rgba', isInterlaced: true }),
      outcome: tooMany,
    },
    {
      name: 'size-of-2-31.png',
      bytes: Buffer.concat([signature, header({ widthPx: 0x7fffffff, heightPx: 0x7fffffff }), end]),
      outcome: 'refused',
    },
    {
      name: 'size-of-0.png',
      bytes: Buffer.concat([signature, header({ widthPx: 0, heightPx: 0 }), end]),
      outcome: 'refused',
    },
    {
      name: 'size-of-minus-1.png',
      bytes: Buffer.concat([signature, header({ widthPx: 0xffffffff, heightPx: 10 }), end]),
      outcome: 'refused',
    },
    {
      name: 'declares-4000-rows-has-10.png',
      bytes: Buffer.concat([
        signature,
        header({ widthPx: 4000, heightPx: 4000 }),
        chunk('IDAT', deflateSync(Buffer.alloc(12_001 * 10))),
        end,
      ]),
      outcome: 'refused',
    },
    { name: 'cut-in-half.png', bytes: small.subarray(0, small.length >> 1), outcome: 'refused' },
    {
      name: 'wrong-data-checksum.png',
      bytes: whole(chunk('IDAT', deflateSync(Buffer.alloc(193 * 64)), 0xdeadbeef)),
      outcome: 'refused',
    },
    { name: 'wrong-header-checksum.png', bytes: withByte(small, 29, 0xff), outcome: 'refused' },
    {
      name: 'chunk-of-4-gigabytes.png',
      bytes: Buffer.concat([signature, head, Buffer.from([255, 255, 255, 255]), latin1('IDAT'), Buffer.alloc(64)]),
      outcome: 'refused',
    },
    { name: 'no-end.png', bytes: small.subarray(0, small.length - 12), outcome: 'either' },
    {
      name: '5-megabytes-after-the-end.png',
      bytes: Buffer.concat([small, Buffer.alloc(5 * MIB, 0x41)]),
      outcome: 'accepted',
    },
    {
      name: 'profile-bomb.png',
      bytes: whole(chunk('iCCP', Buffer.concat([latin1('x\0\0'), bomb])), data),
      outcome: 'either',
    },
    {
      name: 'text-bomb.png',
      bytes: whole(chunk('zTXt', Buffer.concat([latin1('Comment\0\0'), bomb])), data),
      outcome: 'either',
    },
    {
      name: 'international-text-bomb.png',
      bytes: whole(chunk('iTXt', Buffer.concat([latin1('XML:com.adobe.xmp\0\x01\0\0\0'), bomb])), data),
      outcome: 'either',
    },
    { name: 'ninety-text-bombs.png', bytes: whole(...ninetyBombs(), data), outcome: 'either' },
    {
      name: '100000-texts.png',
      bytes: whole(...repeat(chunk('tEXt', latin1('a\0b')), 100_000), data),
      outcome: 'either',
    },
    {
      name: '100000-empty-data-chunks.png',
      bytes: whole(...repeat(chunk('IDAT', Buffer.alloc(0)), 100_000), data),
      outcome: 'either',
    },
    { name: 'a-gigabyte-after-64-rows.png', bytes: whole(chunk('IDAT', deflatedZeros(1024 * MIB))), outcome: 'either' },
    { name: '1-by-20000.png', bytes: png({ widthPx: 1, heightPx: 20_000 }), outcome: tooMany },
    { name: '1-by-16384.png', bytes: png({ widthPx: 1, heightPx: 16_384 }), outcome: 'accepted' },
    { name: '1-by-1.png', bytes: png({ widthPx: 1, heightPx: 1, color: 'rgba' }), outcome: 'accepted' },
    {
      name: '1-by-10000000.png',
      bytes: png({ widthPx: 1, heightPx: 10_000_000, bits: 1, color: 'grey' }),
      outcome: tooMany,
    },
    {
      name: '10000000-by-1.png',
      bytes: png({ widthPx: 10_000_000, heightPx: 1, bits: 1, color: 'grey' }),
      outcome: tooMany,
    },
    { name: 'palette-without-colors.png', bytes: whole(chunk('PLTE', Buffer.alloc(0)), data), outcome: 'either' },
  ]
}

const tooMany = { refusedFor: 'too_many_pixels' }

/** A PNG of zeros of any size: it decompresses to much more than the file. */
function png(options: Header): Buffer {
  const palette = options.color === 'palette' ? [chunk('PLTE', Buffer.from([255, 0, 0, 0, 0, 255]))] : []
  return Buffer.concat([
    signature,
    header(options),
    ...palette,
    chunk('IDAT', deflatedZeros(unpackedBytes(options))),
    end,
  ])
}

function unpackedBytes({ widthPx, heightPx, bits = 8, color = 'rgb', isInterlaced = false }: Header): number {
  const rowBytes = (columns: number) => 1 + Math.ceil((columns * bits * channels[color]) / 8)
  if (!isInterlaced) return rowBytes(widthPx) * heightPx
  return passes.reduce(
    (sum, [x, y, dx, dy]) => sum + Math.ceil((heightPx - y) / dy) * rowBytes(Math.ceil((widthPx - x) / dx)),
    0,
  )
}

function header({ widthPx, heightPx, bits = 8, color = 'rgb', isInterlaced = false }: Header): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(widthPx, 0)
  data.writeUInt32BE(heightPx, 4)
  data[8] = bits
  data[9] = colorTypes[color]
  data[12] = isInterlaced ? 1 : 0
  return chunk('IHDR', data)
}

function chunk(type: string, data: Buffer, checksum?: number): Buffer {
  const typed = Buffer.concat([latin1(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(checksum ?? crc32(typed))
  return Buffer.concat([length, typed, check])
}

function ninetyBombs(): Buffer[] {
  const zeros = deflatedZeros(45 * MIB)
  return Array.from({ length: 90 }, (_, index) => chunk('zTXt', Buffer.concat([latin1(`K${index}\0\0`), zeros])))
}

function repeat(buffer: Buffer, count: number): Buffer[] {
  return Array.from({ length: count }, () => buffer)
}

function withByte(bytes: Buffer, offset: number, flip: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[offset] = (changed[offset] ?? 0) ^ flip
  return changed
}
