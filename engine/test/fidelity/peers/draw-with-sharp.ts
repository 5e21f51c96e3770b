import sharp from 'sharp'
import type { Truth } from '../../reference/supersample.ts'
import { background, type Scene } from '../measure-case.ts'
import type { PeerPicture } from './peer-picture.ts'

const densities = [1, 1.25, 1.6, 2]

/** Whole pixels round a place. */
function around(place: number): readonly number[] {
  return [-1, 0, 1, 2].map(step => Math.floor(place) + step)
}

/** The sum of squared differences of some of the pixels. */
function estimateError(data: Uint8Array, truth: Truth): number {
  let sum = 0
  for (let i = 0; i < data.length; i += 17) sum += ((data[i] ?? 0) - (truth.data[i] ?? 0)) ** 2
  return sum
}

/**
 * Plain sharp: artwork resized (Lanczos3), turned by `affine` (bicubic) and composited. It knows no
 * perspective and no map, so that frames other than parallelograms give nothing. Which whole pixel an affine
 * picture begins at is not told, so it is put where it fits best. Densities as in peers.py.
 */
export async function drawWithSharp(
  { artwork, truth }: Scene,
  quad: readonly (readonly number[])[],
  density: readonly [number, number],
): Promise<readonly PeerPicture[]> {
  const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = [], [cx = 0, cy = 0] = [], [dx = 0, dy = 0] = []] = quad
  const isParallelogram = Math.hypot(ax - bx + cx - dx, ay - by + cy - dy) < 0.01
  if (!isParallelogram) return []
  const { widthPx, heightPx } = truth
  const pictures: PeerPicture[] = []
  for (const times of densities) {
    const width = Math.min(artwork.widthPx, Math.ceil(times * density[0]))
    const height = Math.min(artwork.heightPx, Math.ceil(times * density[1]))
    const reduced = await sharp(artwork.data, {
      raw: { width: artwork.widthPx, height: artwork.heightPx, channels: 4 },
    })
      .resize(width, height, { fit: 'fill' })
      .raw()
      .toBuffer()
    // A step of one pixel of the reduced artwork, across and down, on the scene.
    const [xx, yx, xy, yy] = [(bx - ax) / width, (by - ay) / width, (dx - ax) / height, (dy - ay) / height]
    // Its first pixel's centre there, counted from centres as libvips does.
    const x = ax + (xx + xy) / 2 - 0.5
    const y = ay + (yx + yy) / 2 - 0.5
    const matrix: [[number, number], [number, number]] = [
      [xx, xy],
      [yx, yy],
    ]
    const clear = { r: 0, g: 0, b: 0, alpha: 0 }
    const { data: turned, info } = await sharp(reduced, { raw: { width, height, channels: 4 } })
      .affine(matrix, { background: clear, interpolator: 'bicubic', odx: x % 1, ody: y % 1 })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const [r, g, b] = background
    let best: { readonly data: Uint8Array; readonly error: number } | null = null
    for (const left of around(Math.min(ax, bx, cx, dx))) {
      for (const top of around(Math.min(ay, by, cy, dy))) {
        const data = await sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: { r, g, b } } })
          .composite([{ input: turned, raw: { width: info.width, height: info.height, channels: 4 }, left, top }])
          .removeAlpha()
          .raw()
          .toBuffer()
        const error = estimateError(data, truth)
        if (best === null || error < best.error) best = { data, error }
      }
    }
    if (!best) throw new Error('Expected a picture from sharp.')
    pictures.push({
      program: 'sharp affine bicubic',
      settings: `reduced to ${times} times the density`,
      data: best.data,
    })
  }
  return pictures
}
