/** Writes press-table.bin: how libvips reads CMYK without a profile, at the nodes of a table of inks. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import { INK_NODES, type InkTable } from '../src/artwork/color-table.ts'
import { expectNode } from '../src/artwork/press-table.ts'

const COLUMNS = INK_NODES ** 2

/** A TIFF of 16 bits a sample: nodes lie between the inks of 8 bits. */
function buildTiff(samples: Uint16Array): Buffer {
  const width = COLUMNS
  const height = samples.length / 4 / width
  const [short, long] = [3, 4]
  const [bitsAt, dataAt] = [134, 142]
  const entries = [
    [256, long, 1, width],
    [257, long, 1, height],
    [258, short, 4, bitsAt],
    [259, short, 1, 1],
    // separated
    [262, short, 1, 5],
    [273, long, 1, dataAt],
    [277, short, 1, 4],
    [278, long, 1, height],
    [279, long, 1, samples.byteLength],
    [284, short, 1, 1],
  ] as const
  const file = Buffer.alloc(dataAt + samples.byteLength)
  file.write('II*\0', 'latin1')
  file.writeUInt32LE(8, 4)
  file.writeUInt16LE(entries.length, 8)
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + i * 12
    file.writeUInt16LE(tag, at)
    file.writeUInt16LE(type, at + 2)
    file.writeUInt32LE(count, at + 4)
    file.writeUInt32LE(value, at + 8)
  }
  for (let i = 0; i < 4; i++) file.writeUInt16LE(16, bitsAt + 2 * i)
  file.set(Buffer.from(samples.buffer), dataAt)
  return file
}

export async function buildPressTable(): Promise<Buffer> {
  const count = INK_NODES ** 4
  const samples = new Uint16Array(count * 4)
  for (let node = 0; node < count; node++)
    for (let ink = 0; ink < 4; ink++) {
      const step = Math.floor(node / INK_NODES ** (3 - ink)) % INK_NODES
      samples[node * 4 + ink] = Math.round((step * 65_535) / (INK_NODES - 1))
    }
  const picture = sharp(buildTiff(samples)).toColourspace('srgb').removeAlpha()
  const table: InkTable = await picture.raw().toBuffer()
  const rest = new Uint8Array(count * 3)
  for (let channel = 0; channel < 3; channel++)
    for (let node = 0; node < count; node++)
      rest[channel * count + node] = (table[node * 3 + channel] ?? 0) - expectNode(table, node, channel)
  return deflateRawSync(rest, { level: 9 })
}

if (import.meta.main)
  await writeFile(fileURLToPath(new URL('./press-table.bin', import.meta.url)), await buildPressTable())
