import { floatLum } from './float-formulas.ts'
import type { Area, Bytes, Mask } from './stack-arithmetic.ts'

/** Red, green, blue and alpha of a band's pixels, 0..1. */
type Planes = readonly [red: Float32Array, green: Float32Array, blue: Float32Array, alpha: Float32Array]

/**
 * Weights by the bytes of colours, as in Photoshop: `weights` of grey, then of red, green and blue.
 * Transparent pixels have full weight, unless the surface counts as opaque.
 */
export function weighColors(
  [reds, greens, blues, alphas]: Planes,
  isOpaque: boolean,
  { start, bandWidthPx, widthPx, heightPx }: Area,
  weights: Float32Array,
  mask: Mask,
): Bytes {
  const data = new Uint8Array(widthPx * heightPx)
  for (let row = 0, to = 0; row < heightPx; row++) {
    const first = mask ? mask.first + row * mask.rowPx : 0
    for (let column = 0; column < widthPx; column++, to++) {
      const covered = mask ? (mask.data[first + column] ?? 0) : 255
      const at = start + row * bandWidthPx + column
      if (covered === 0) continue
      const [red, green, blue] = [reds[at] ?? 0, greens[at] ?? 0, blues[at] ?? 0]
      const counted =
        (weights[byteOf(floatLum(red, green, blue))] ?? 0) *
        (weights[256 + byteOf(red)] ?? 0) *
        (weights[512 + byteOf(green)] ?? 0) *
        (weights[768 + byteOf(blue)] ?? 0)
      const alpha = isOpaque ? 1 : (alphas[at] ?? 0)
      const weight = 1 - alpha + alpha * counted
      data[to] = Math.floor(weight * covered + 0.5)
    }
  }
  return { data, first: 0, rowPx: widthPx }
}

function byteOf(share: number): number {
  return Math.min(255, Math.max(0, Math.floor(share * 255 + 0.5)))
}
