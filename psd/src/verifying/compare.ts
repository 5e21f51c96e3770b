import { filterPlane, gaussianKernel } from '../compositing/blur.ts'
import type { Reach } from '../converting/reach.ts'

/** Differences of our picture from Photoshop's, in 255ths, over the pixels that a frame reaches. */
export type Difference = {
  /** mean over channels */
  readonly mean: number
  /** the same after both pictures were blurred: what is left is not resampling */
  readonly blurredMean: number
  /** share of pixels, 0..1, of which a blurred channel differs by more than 8 */
  readonly shareAbove8: number
  readonly pixels: number
}

/** Sigma of a Gaussian, in pixels of the document. */
const BLUR_PX = 1.5
const LARGE_DIFFERENCE = 8

type Rgb = { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array }

/** Sums of one frame. */
type Sums = { pixels: number; plain: number; blurred: number; above: number }

/**
 * Compares two pictures of the reach's rectangle, for each of its bits where it is set: a pixel that several
 * frames reach counts for each of them.
 */
export function compareReach(ours: Rgb, theirs: Rgb, reach: Reach, bitCount: number): readonly Difference[] {
  const { widthPx, heightPx } = reach.rect
  const count = widthPx * heightPx
  const sums = Array.from({ length: bitCount }, (): Sums => ({ pixels: 0, plain: 0, blurred: 0, above: 0 }))
  const worst = new Float32Array(count)
  const kernel = gaussianKernel(BLUR_PX)
  const difference = new Float32Array(count)
  for (let c = 0; c < 3; c++) {
    for (let k = 0; k < count; k++) difference[k] = (ours.data[3 * k + c] ?? 0) - (theirs.data[3 * k + c] ?? 0)
    const soft = filterPlane(difference, widthPx, heightPx, kernel)
    for (let k = 0; k < count; k++) {
      const bits = reach.bits[k] ?? 0
      if (bits === 0) continue
      const blurred = Math.abs(soft[k] ?? 0)
      if (blurred > (worst[k] ?? 0)) worst[k] = blurred
      for (const [index, sum] of sums.entries()) {
        if ((bits & (1 << index)) === 0) continue
        sum.plain += Math.abs(difference[k] ?? 0) / 3
        sum.blurred += blurred / 3
      }
    }
  }
  for (let k = 0; k < count; k++) {
    const bits = reach.bits[k] ?? 0
    for (const [index, sum] of sums.entries()) {
      if ((bits & (1 << index)) === 0) continue
      sum.pixels++
      if ((worst[k] ?? 0) > LARGE_DIFFERENCE) sum.above++
    }
  }
  return sums.map(({ pixels, plain, blurred, above }) => ({
    mean: plain / Math.max(1, pixels),
    blurredMean: blurred / Math.max(1, pixels),
    shareAbove8: above / Math.max(1, pixels),
    pixels,
  }))
}

/** The verdict on one frame: green, yellow and red of the report. */
export type Verdict = 'same' | 'close' | 'different'

/** Same: a blurred mean of at most 0.5 and at most 1 % of the pixels above 8; close: at most 2. */
export function judge({ blurredMean, shareAbove8 }: Difference): Verdict {
  if (blurredMean <= 0.5 && shareAbove8 <= 0.01) return 'same'
  return blurredMean <= 2 ? 'close' : 'different'
}

/** Both pictures' absolute difference, eight times enlarged. */
export function enlargeDifference(ours: Rgb, theirs: Rgb): Uint8Array {
  const out = new Uint8Array(ours.data.length)
  for (let i = 0; i < out.length; i++) out[i] = Math.min(255, 8 * Math.abs((ours.data[i] ?? 0) - (theirs.data[i] ?? 0)))
  return out
}
