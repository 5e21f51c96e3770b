import { constants } from 'node:zlib'
import { formats, makePng, rowBytesOf } from '../test/decoding/make-png.ts'
import type { Seed } from './costly-jpegs.ts'
import { Random } from './random.ts'

/** Valid files to mutate: all formats, filters and kinds of stream, clear margins, one to four codes. */
export function seedPngs(): Seed[] {
  const random = new Random(5)
  const streams = [
    { level: 6 },
    { level: 0 },
    { level: 9, memLevel: 1 },
    { strategy: constants.Z_FIXED },
    { strategy: constants.Z_HUFFMAN_ONLY },
    { strategy: constants.Z_RLE },
  ] as const
  return formats.flatMap(([colorType, bitDepth], index) =>
    (
      [
        [9, 7],
        [40, 33],
        [130, 61],
      ] as const
    ).map(([widthPx, heightPx], size) => {
      const head = { widthPx, heightPx, colorType, bitDepth }
      const rowBytes = rowBytesOf(head)
      const palette = Uint8Array.from({ length: 3 * 2 ** Math.min(8, bitDepth) }, (_, i) => (i * 41) & 255)
      const isClear = (x: number, y: number): boolean =>
        size > 0 && (x < rowBytes / 4 || x > rowBytes * 0.8 || y < heightPx / 4)
      const rows = Array.from({ length: heightPx }, (_, y) =>
        Uint8Array.from({ length: rowBytes }, (_, x) =>
          isClear(x, y) ? 0 : (x >> 4) % 3 === 0 ? random.below(256) : (x * 3 + y * 5) & 255,
        ),
      )
      const bytes = makePng({
        ...head,
        rows,
        filterOf: y => (y + index) % 5,
        zlib: streams[(index + size) % streams.length] ?? {},
        ...(colorType === 3 && { palette, transparency: palette.subarray(0, palette.length / 6) }),
        ...(size === 2 && { chunkBytes: 700 }),
      })
      return { name: `type ${colorType}, ${bitDepth} bits, ${widthPx} x ${heightPx}`, bytes }
    }),
  )
}
