import type { PremultipliedPixmap, StraightPixmap } from '../pixmap.ts'

/** Rounded c * a / 255 for bytes without a division; exact for every pair. */
export function multiplyBytes(c: number, a: number): number {
  const t = c * a + 128
  return (t + (t >> 8)) >> 8
}

/** The unpremultiplied value of a channel, rounded; alpha is not 0. */
export function unmultiply(channel: number, alpha: number): number {
  const c = Math.floor((channel * 255 + (alpha >> 1)) / alpha)
  return c > 255 ? 255 : c
}

/** Premultiplies RGBA bytes [start, end) in place. */
export function premultiplyPixels(data: Uint8Array, start: number, end: number): void {
  for (let i = start; i < end; i += 4) {
    const alpha = data[i + 3] ?? 0
    if (alpha === 255) continue
    for (let channel = i; channel < i + 3; channel++) data[channel] = multiplyBytes(data[channel] ?? 0, alpha)
  }
}

/** An unpremultiplied copy, rounded; transparent pixels are black. */
export function unmultiplyPixels(data: Uint8Array): Uint8Array {
  const result = new Uint8Array(data.length)
  const table = new Uint8Array(256 * 256)
  for (let alpha = 1; alpha < 256; alpha++) {
    // No premultiplied channel exceeds its alpha.
    for (let c = 0; c <= alpha; c++) table[alpha * 256 + c] = Math.round((c * 255) / alpha)
  }
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] ?? 0
    const row = alpha << 8
    result[i] = table[row + (data[i] ?? 0)] ?? 0
    result[i + 1] = table[row + (data[i + 1] ?? 0)] ?? 0
    result[i + 2] = table[row + (data[i + 2] ?? 0)] ?? 0
    result[i + 3] = alpha
  }
  return result
}

/** A premultiplied copy: the form in which pictures are filtered. */
export function premultiply(picture: StraightPixmap): PremultipliedPixmap {
  const data = new Uint8Array(picture.data)
  premultiplyPixels(data, 0, data.length)
  return { ...picture, alpha: 'premultiplied', data }
}
