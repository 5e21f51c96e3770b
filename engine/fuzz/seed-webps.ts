import { sharp } from '../src/node/hardened-sharp.ts'
import { anyAlpha, anyLosslessWebp } from '../test/decoding/make-lossless-webp.ts'
import { anyWebp, chunkOf, wrapWithAlpha } from '../test/decoding/make-webp.ts'
import type { Seed } from './costly-jpegs.ts'
import { Random } from './random.ts'

/** Valid files to mutate: frames and streams of every feature, and pictures as libwebp writes them. */
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
  const streams = Array.from({ length: 30 }, (_, i) => ({ name: `stream ${i}`, bytes: anyLosslessWebp(random, 40) }))
  const lossless = [2, 17, 40].flatMap(widthPx =>
    [1, 4, 300].map(async colors => {
      const heightPx = 1 + random.below(50)
      const palette = Array.from({ length: colors }, () => random.below(2 ** 32))
      const data = Uint32Array.from(
        { length: widthPx * heightPx },
        (_, i) => palette[(i >> random.below(5)) % colors] ?? 0,
      )
      const picture = sharp(new Uint8Array(data.buffer), { raw: { width: widthPx, height: heightPx, channels: 4 } })
      const bytes = await picture.webp({ lossless: true, effort: random.below(7) }).toBuffer()
      return { name: `${widthPx} x ${heightPx}, lossless, ${colors} colours`, bytes }
    }),
  )
  const withAlpha = Array.from({ length: 25 }, (_, i) => {
    const frame = chunkOf(anyWebp(random, 40))
    const [widthPx, heightPx] = [frame.readUInt16LE(6), frame.readUInt16LE(8)]
    return { name: `alpha ${i}`, bytes: wrapWithAlpha(anyAlpha(widthPx, heightPx, random), frame) }
  })
  return [...made, ...streams, ...withAlpha, ...(await Promise.all([...written, ...lossless]))]
}
