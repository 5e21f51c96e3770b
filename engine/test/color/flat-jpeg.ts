import { jpegSegment } from '../artwork/build-files.ts'

/**
 * A JPEG of flat 8 x 8 blocks whose stored samples are exactly those given: quantised by 1, and a flat block
 * has no coefficient but DC. Rows of `columns` blocks. `adobe` writes the marker that says how the components
 * are to be read: 0 as they are, 2 YCCK.
 */
export function flatJpeg(
  blocks: readonly (readonly number[])[],
  columns: number,
  adobe: 0 | 1 | 2 | null,
  extra: readonly Uint8Array[] = [],
): Buffer {
  const components = blocks[0]?.length ?? 0
  const rows = Math.ceil(blocks.length / columns)
  const [width, height] = [columns * 8, rows * 8]
  const ids = Array.from({ length: components }, (_, i) => i + 1)
  const marker = Buffer.concat([Buffer.from('Adobe\0\x64\0\0\0\0', 'latin1'), Buffer.from([adobe ?? 0])])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(adobe === null ? [] : [jpegSegment(0xee, marker)]),
    ...extra,
    jpegSegment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    jpegSegment(
      0xc0,
      Buffer.from([
        8,
        height >> 8,
        height & 255,
        width >> 8,
        width & 255,
        components,
        ...ids.flatMap(id => [id, 0x11, 0]),
      ]),
    ),
    // twelve DC categories of four bits each; one AC symbol, end of block, of one bit
    jpegSegment(
      0xc4,
      Buffer.from([0x00, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...Array.from({ length: 12 }, (_, i) => i)]),
    ),
    jpegSegment(0xc4, Buffer.from([0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
    jpegSegment(0xda, Buffer.from([components, ...ids.flatMap(id => [id, 0x00]), 0, 63, 0])),
    entropyCoded(blocks, columns * rows, components),
    Buffer.from([0xff, 0xd9]),
  ])
}

function entropyCoded(blocks: readonly (readonly number[])[], count: number, components: number): Buffer {
  const bytes: number[] = []
  let buffer = 0
  let bits = 0
  const put = (value: number, length: number): void => {
    for (let i = length - 1; i >= 0; i--) {
      buffer = (buffer << 1) | ((value >> i) & 1)
      bits++
      if (bits < 8) continue
      bytes.push(buffer)
      if (buffer === 0xff) bytes.push(0)
      buffer = 0
      bits = 0
    }
  }
  const before = Array<number>(components).fill(0)
  for (let block = 0; block < count; block++) {
    for (let component = 0; component < components; component++) {
      const dc = 8 * ((blocks[block]?.[component] ?? 0) - 128)
      const difference = dc - (before[component] ?? 0)
      before[component] = dc
      const category = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference))
      put(category, 4)
      put(difference < 0 ? difference + 2 ** category - 1 : difference, category)
      put(0, 1)
    }
  }
  // the last byte is filled up with ones
  put(0x7f, 7)
  return Buffer.from(bytes)
}
