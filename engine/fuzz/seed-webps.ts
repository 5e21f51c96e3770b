import { sharp } from '../src/node/hardened-sharp.ts'
import { anyWebp } from '../test/decoding/make-webp.ts'
import type { Seed } from './costly-jpegs.ts'
import { Random } from './random.ts'

/** Valid files to mutate: frames of every feature, and pictures as libwebp writes them. */
export async function seedWebps(): Promise<Seed[]> {
  const random = new Random(5)
  const made = Array.from({ length: 40 }, (_, i) => ({ name: `made up ${i}`, bytes: anyWebp(random, 70) }))
  const written = [1, 7, 16, 33, 60].flatMap(widthPx =>
    [20, 75, 95].map(async quality => {
      const heightPx = 1 + random.below(60)
      const data = Uint8Array.from({ length: widthPx * heightPx * 3 }, (_, i) =>
        (i >> 7) % 3 === 0 ? random.below(256) : (i * 3 + (i >> 6)) & 255,
      )
      const picture = sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
      const bytes = await picture.webp({ quality, effort: random.below(7) }).toBuffer()
      return { name: `${widthPx} x ${heightPx}, quality ${quality}`, bytes }
    }),
  )
  return [...made, ...(await Promise.all(written))]
}
