import type { ImageCodec } from '@vitrine/engine'
import type { PhotoPixels } from '../src/photo-pixels.ts'

/** Small photos as files, which are mutated before they are decoded. */
export async function photoFiles(codec: ImageCodec): Promise<Uint8Array[]> {
  const sizes = [
    [160, 120],
    [97, 131],
    [64, 64],
    [256, 70],
  ] as const
  const files: Uint8Array[] = []
  for (const [widthPx, heightPx] of sizes) {
    const data = Uint8Array.from({ length: widthPx * heightPx * 3 }, (_, i) => {
      const x = Math.floor(i / 3) % widthPx
      const y = Math.floor(i / 3 / widthPx)
      return 60 + (150 * x) / widthPx + ((y * 7919 + i) % 9) + (x > widthPx / 3 && y > heightPx / 4 ? 30 : 0)
    })
    const picture = { alpha: 'opaque', widthPx, heightPx, data } as const
    files.push(await codec.encode(picture, { format: 'jpeg', quality: 90 }))
  }
  return files
}

/** A photo whose file has some bytes changed, or whose pixels have: black, white, noise, one colour. */
export async function mutatePhoto(
  files: readonly Uint8Array[],
  random: () => number,
  codec: ImageCodec,
): Promise<PhotoPixels> {
  const file = Uint8Array.from(files[Math.floor(random() * files.length)] ?? [])
  if (random() < 0.1) for (let k = 0; k < 3; k++) file[Math.floor(random() * file.length)] = Math.floor(random() * 256)
  const { widthPx, heightPx, data } = await codec.decodeArtwork(file, null)
  const rgb = new Uint8Array(widthPx * heightPx * 3)
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) rgb.set(data.subarray(from, from + 3), to)
  const kind = random()
  const value = Math.floor(random() * 256)
  if (kind < 0.08) rgb.fill(value < 128 ? 0 : 255)
  else if (kind < 0.16) for (let i = 0; i < rgb.length; i++) rgb[i] = random() * 256
  else if (kind < 0.24) for (let i = 0; i < rgb.length; i++) rgb[i] = i % 3 === value % 3 ? 255 : 0
  else if (kind < 0.4) for (let i = 0; i < rgb.length; i++) rgb[i] = Math.min(255, ((rgb[i] ?? 0) * value) / 64)
  return { widthPx, heightPx, data: rgb }
}
