import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { WatermarkLetters } from '../template/watermark.ts'
import { sharp } from './hardened-sharp.ts'

const folder = path.resolve(import.meta.dirname, '../../watermark')

/** The letters of watermarks, drawn by scripts/draw-watermark-letters.ts. */
export async function loadWatermarkLetters(): Promise<WatermarkLetters> {
  const { data, info } = await sharp(await readFile(path.join(folder, 'letters.png')))
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  // The script writes it in this form.
  const facts = JSON.parse(await readFile(path.join(folder, 'letters.json'), 'utf8')) as Omit<
    WatermarkLetters,
    'picture'
  >
  const picture = { alpha: 'coverage', widthPx: info.width, heightPx: info.height, data: new Uint8Array(data) } as const
  return { ...facts, picture }
}
