import type { Extent } from '../../src/codec.ts'
import type { sharp } from '../../src/node/hardened-sharp.ts'
import { openRgb } from './make-artwork.ts'

const WAVES = 20

/** 20 waves of red from left to right, 20 waves of green from top to bottom, at any size the same picture. */
export function waves(widthPx: number, heightPx: number): ReturnType<typeof sharp> {
  const levels = (size: number): number[] =>
    Array.from({ length: size }, (_, at) => Math.round(128 + 100 * Math.sin((2 * Math.PI * WAVES * (at + 0.5)) / size)))
  const data = Buffer.alloc(widthPx * heightPx * 3)
  const row = Buffer.from(levels(widthPx).flatMap(red => [red, 0, 128]))
  for (const [y, green] of levels(heightPx).entries()) {
    for (let i = 1; i < row.length; i += 3) row[i] = green
    data.set(row, y * row.length)
  }
  return openRgb(data, widthPx, heightPx)
}

/**
 * How far the waves lie from where they belong, in pixels of the picture, at the beginning, middle and end of
 * each axis: their phase over four whole waves (fractions of pixels weighted). They fill `extent`.
 */
export function displacements(
  picture: { readonly widthPx: number; readonly data: Uint8Array },
  channels: number,
  extent: Extent,
): readonly number[] {
  const { widthPx, data } = picture
  return [0, 1].flatMap(axis => {
    const [origin, size] = axis === 0 ? [extent.left, extent.width] : [extent.top, extent.height]
    const [otherOrigin, otherSize] = axis === 0 ? [extent.top, extent.height] : [extent.left, extent.width]
    return [1, 8, 15].map(firstWave => {
      const from = origin + (firstWave * size) / WAVES
      const to = origin + ((firstWave + 4) * size) / WAVES
      let sine = 0
      let cosine = 0
      for (let at = Math.floor(from); at < Math.ceil(to); at++) {
        const weight = Math.min(at + 1, to) - Math.max(at, from)
        let sum = 0
        for (let other = Math.ceil(otherOrigin) + 5; other < Math.floor(otherOrigin + otherSize) - 5; other++) {
          const [x, y] = axis === 0 ? [at, other] : [other, at]
          sum += (data[(y * widthPx + x) * channels + axis] ?? 0) - 128
        }
        const angle = (2 * Math.PI * WAVES * (at + 0.5 - origin)) / size
        sine += weight * sum * Math.sin(angle)
        cosine += weight * sum * Math.cos(angle)
      }
      return (Math.atan2(cosine, sine) / (2 * Math.PI)) * (size / WAVES)
    })
  })
}
