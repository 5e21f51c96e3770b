import { readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'

export type ArtworkFormat = 'jpeg' | 'png' | 'webp'

const source = path.resolve(import.meta.dirname, '../../templates/artworks/evening-hills.jpg')

/**
 * Artwork of any size: the starter pack's landscape enlarged, with a sensor's grain, so that files are as
 * large as photographs. The same bytes on every run.
 */
export async function makeArtwork(
  widthPx: number,
  heightPx: number,
  format: ArtworkFormat,
  quality = 90,
): Promise<Uint8Array> {
  const { data } = await sharp(readFileSync(source))
    .resize(widthPx, heightPx)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  let state = 1
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    data[i] = Math.max(0, Math.min(255, (data[i] ?? 0) + ((state >>> 16) & 15) - 8))
  }
  const picture = sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
  if (format === 'png') return picture.png({ compressionLevel: 6 }).toBuffer()
  if (format === 'webp') return picture.webp({ quality, effort: 0 }).toBuffer()
  return picture.jpeg({ quality }).toBuffer()
}
