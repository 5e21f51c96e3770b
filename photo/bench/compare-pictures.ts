import { invertTone } from '@vitrine/engine'
import { deltaE2000, labFromXyz, type Triple } from '../../engine/test/color/delta-e.ts'

type Picture = { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array }

export type Comparison = { readonly psnr: number; readonly deltaE: number }

/** Every so many pixels the colour difference is measured. */
const SAMPLED_EVERY = 7

/** PSNR in dB and mean CIEDE2000 of two pictures where a mask is at least a half. */
export function comparePictures(one: Picture, other: Picture, mask: Float32Array): Comparison {
  const linear = Float64Array.from({ length: 256 }, (_, byte) => (byte === 255 ? 1 : invertTone('srgb', byte / 255)))
  const labOf = (data: Uint8Array, at: number): Triple => {
    const [r, g, b] = [0, 1, 2].map(c => linear[data[at + c] ?? 0] ?? 0)
    return labFromXyz(toD50(r ?? 0, g ?? 0, b ?? 0))
  }
  let [squares, count, difference, compared] = [0, 0, 0, 0]
  for (let i = 0; i < mask.length; i++) {
    if ((mask[i] ?? 0) < 0.5) continue
    for (let at = 3 * i; at < 3 * i + 3; at++) squares += ((one.data[at] ?? 0) - (other.data[at] ?? 0)) ** 2
    count += 3
    if (i % SAMPLED_EVERY !== 0) continue
    difference += deltaE2000(labOf(one.data, 3 * i), labOf(other.data, 3 * i))
    compared++
  }
  return {
    psnr: 10 * Math.log10(255 ** 2 / Math.max(1e-9, squares / count)),
    deltaE: difference / Math.max(1, compared),
  }
}

/** Linear sRGB to XYZ relative to D50 (Bradford). */
function toD50(r: number, g: number, b: number): Triple {
  return [
    0.4360747 * r + 0.3850649 * g + 0.1430804 * b,
    0.2225045 * r + 0.7168786 * g + 0.0606169 * b,
    0.0139322 * r + 0.0971045 * g + 0.7141733 * b,
  ]
}
