import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sharp } from '../src/node/hardened-sharp.ts'
import { costlyJpegs, type Seed } from './costly-jpegs.ts'

const fixturesFolder = path.resolve(import.meta.dirname, '../test/decoding/fixtures')

/** Valid files to mutate: fixtures, small pictures of two encoders, and files that ask for much work. */
export async function seedJpegs(): Promise<Seed[]> {
  const names = (await readdir(fixturesFolder)).filter(name => name.endsWith('.jpg')).toSorted()
  const fixtures = names.map(async name => ({ name, bytes: await readFile(path.join(fixturesFolder, name)) }))
  const drawn: Promise<Seed>[] = []
  for (const [width, height] of [
    [8, 8],
    [24, 9],
    [33, 31],
    [64, 48],
  ] as const) {
    for (const chromaSubsampling of ['4:2:0', '4:4:4']) {
      for (const encoder of ['sequential', 'progressive', 'mozjpeg'] as const) {
        drawn.push(draw(width, height, chromaSubsampling, encoder))
      }
    }
  }
  return [...(await Promise.all([...fixtures, ...drawn])), ...costlyJpegs(32)]
}

async function draw(
  width: number,
  height: number,
  chromaSubsampling: string,
  encoder: 'sequential' | 'progressive' | 'mozjpeg',
): Promise<Seed> {
  const data = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 25) + ((i * 5) % 128)),
  )
  const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({
      quality: 30 + width,
      chromaSubsampling,
      progressive: encoder === 'progressive',
      mozjpeg: encoder === 'mozjpeg',
    })
    .toBuffer()
  return { name: `${width} x ${height} ${chromaSubsampling} ${encoder}`, bytes }
}
