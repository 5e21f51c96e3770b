import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { z } from 'zod'
import { starterPackFolder } from '../../src/first-run/starter-pack.ts'

/** Of the sides: a sixteenth of the pixels. */
const SCALE = 0.25

const scaled = (px: number): number => Math.round(px * SCALE)

/** The fields of a bundle that are in pixels of its scene. */
function scaleField(name: string, value: unknown): unknown {
  if (name === 'region') {
    const [left, top, width, height] = z.tuple([z.number(), z.number(), z.number(), z.number()]).parse(value)
    const [x, y] = [scaled(left), scaled(top)]
    return [x, y, scaled(left + width) - x, scaled(top + height) - y]
  }
  if (name !== 'corners') return value
  return z
    .array(z.tuple([z.number(), z.number()]))
    .parse(value)
    .map(([x, y]) => [x * SCALE, y * SCALE])
}

/**
 * Writes a starter template with a quarter of its width, for tests whose subject is not its size: 600 px are
 * imported and drawn in a fraction of the processor time. Returns its folder.
 */
export async function writeSmallStarter(parent: string, id: string): Promise<string> {
  const [source, folder] = [path.join(starterPackFolder, id), path.join(parent, id)]
  await mkdir(folder)
  for (const name of await readdir(source)) {
    const bytes = await readFile(path.join(source, name))
    await writeFile(path.join(folder, name), await smallerFile(name, bytes))
  }
  return folder
}

async function smallerFile(name: string, bytes: Buffer): Promise<Buffer | string> {
  if (name === 'template.json')
    return JSON.stringify(JSON.parse(bytes.toString(), (field, value: unknown) => scaleField(field, value)))
  const format = path.extname(name).slice(1)
  if (format !== 'png' && format !== 'webp') return bytes
  const { width, height, depth } = await sharp(bytes).metadata()
  // Between coordinates on both sides of an edge there is no third one.
  const small = sharp(bytes).resize(scaled(width), scaled(height), {
    kernel: depth === 'ushort' ? 'nearest' : 'lanczos3',
  })
  return (depth === 'ushort' ? small.toColourspace('rgb16').png() : small.toFormat(format, { quality: 90 })).toBuffer()
}
