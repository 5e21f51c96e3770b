import type { PremultipliedPixmap, StraightPixmap } from '../pixmap.ts'

/** Rounded c * a / 255 for bytes, without a division: exact for every pair. */
export function multiplyBytes(c: number, a: number): number {
  const t = c * a + 128
  return (t + (t >> 8)) >> 8
}

/** A copy with the colours multiplied by alpha: the form in which pictures are filtered. */
export function premultiply(picture: StraightPixmap): PremultipliedPixmap {
  const data = new Uint8Array(picture.data)
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] ?? 0
    if (alpha === 255) continue
    for (let channel = i; channel < i + 3; channel++) data[channel] = multiplyBytes(data[channel] ?? 0, alpha)
  }
  return { alpha: 'premultiplied', widthPx: picture.widthPx, heightPx: picture.heightPx, data }
}
