/** Searches for frames in a worker: it takes about a second. */
import { serveCalls } from '@vitrine/live'
import type { Quad } from '../quad.ts'
import { findFrames } from './find-frames.ts'

export type FindCalls = { readonly find: (photo: Blob) => Promise<readonly Quad[]> }

/** Enough for corners with errors of less than a pixel in a photo of 4,000 px. */
const SIDE_MAX_PX = 2000

/** In the photo's own pixels. */
async function find(photo: Blob): Promise<readonly Quad[]> {
  const bitmap = await createImageBitmap(photo, { colorSpaceConversion: 'none' })
  const scale = Math.min(1, SIDE_MAX_PX / Math.max(bitmap.width, bitmap.height))
  const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (context === null) throw new Error('This browser cannot read the pixels of a photo.')
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  const [perX, perY] = [bitmap.width / width, bitmap.height / height]
  bitmap.close()
  const found = findFrames(context.getImageData(0, 0, width, height))
  const inPhoto = ([x, y]: Quad[number]): Quad[number] => [x * perX, y * perY]
  return found.map(([a, b, c, d]): Quad => [inPhoto(a), inPhoto(b), inPhoto(c), inPhoto(d)])
}

serveCalls({ find } satisfies FindCalls)
