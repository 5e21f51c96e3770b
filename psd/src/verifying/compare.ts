import type { Rect } from '@vitrine/engine'
import { filterPlane, gaussianKernel } from '../compositing/blur.ts'
import type { Reach } from '../converting/reach.ts'

/** Differences between our picture and Photoshop's, in 255ths, over the pixels that a frame reaches. */
export type Difference = {
  /** mean over channels */
  readonly mean: number
  /** the same after both pictures were blurred: what remains is not due to resampling */
  readonly blurredMean: number
  /** share of pixels, 0..1, in which a blurred channel differs by more than 8 */
  readonly shareAbove8: number
  readonly pixels: number
  /** share of tiles, 0..1, in which the blurred pictures differ by more than is tolerated */
  readonly shareOfFaults: number
}

/** Sigma of a Gaussian, in pixels of the document. */
const BLUR_PX = 1.5
const LARGE_DIFFERENCE = 8

/** The side of a tile: large enough that edges and noise are a small part of it. */
const TILE_PX = 32
/** The tolerated mean of a tile's pixels, each by its worst channel. The edges of a warp stay below it. */
const FAULTY_MEAN = 12
/** The least share of a tile that a frame must reach for it to count. */
const LEAST_SHARE_OF_TILE = 0.25

type Rgb = { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array }

/** Sums of one frame. */
type Sums = { pixels: number; plain: number; blurred: number; above: number; tiles: number; faults: number }

/**
 * Compares two pictures of the reach's rectangle, separately for each of its bits: a pixel that several
 * frames reach counts for each of them.
 */
export function compareReach(ours: Rgb, theirs: Rgb, reach: Reach, bitCount: number): readonly Difference[] {
  const { widthPx, heightPx } = reach.rect
  const count = widthPx * heightPx
  const sums = Array.from(
    { length: bitCount },
    (): Sums => ({ pixels: 0, plain: 0, blurred: 0, above: 0, tiles: 0, faults: 0 }),
  )
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
  for (const tile of tilesOf(widthPx, heightPx)) countTile(tile, worst, reach, sums)
  return sums.map(({ pixels, plain, blurred, above, tiles, faults }) => ({
    mean: plain / Math.max(1, pixels),
    blurredMean: blurred / Math.max(1, pixels),
    shareAbove8: above / Math.max(1, pixels),
    pixels,
    shareOfFaults: faults / Math.max(1, tiles),
  }))
}

function* tilesOf(widthPx: number, heightPx: number): Generator<Rect> {
  for (let top = 0; top < heightPx; top += TILE_PX) {
    for (let left = 0; left < widthPx; left += TILE_PX) {
      yield { left, top, widthPx: Math.min(TILE_PX, widthPx - left), heightPx: Math.min(TILE_PX, heightPx - top) }
    }
  }
}

function countTile({ left, top, widthPx, heightPx }: Rect, worst: Float32Array, reach: Reach, sums: Sums[]): void {
  for (const [index, sum] of sums.entries()) {
    let [pixels, total] = [0, 0]
    for (let y = top; y < top + heightPx; y++) {
      for (let k = y * reach.rect.widthPx + left; k < y * reach.rect.widthPx + left + widthPx; k++) {
        if (((reach.bits[k] ?? 0) & (1 << index)) === 0) continue
        pixels++
        total += worst[k] ?? 0
      }
    }
    if (pixels === 0 || pixels < LEAST_SHARE_OF_TILE * widthPx * heightPx) continue
    sum.tiles++
    if (total / pixels > FAULTY_MEAN) sum.faults++
  }
}

/** The verdict on one frame: green, yellow and red of the report. */
export type Verdict = 'same' | 'close' | 'different'

/**
 * Same: a blurred mean of at most 0.5, at most 1 % of the pixels above 8, no faulty tile; close: at most 2,
 * 10 % and 1 % of the tiles.
 */
export function judge({ blurredMean, shareAbove8, shareOfFaults }: Difference): Verdict {
  if (blurredMean <= 0.5 && shareAbove8 <= 0.01 && shareOfFaults === 0) return 'same'
  return blurredMean <= 2 && shareAbove8 <= 0.1 && shareOfFaults <= 0.01 ? 'close' : 'different'
}

/** The absolute difference of two pictures, multiplied by eight. */
export function enlargeDifference(ours: Rgb, theirs: Rgb): Uint8Array {
  const out = new Uint8Array(ours.data.length)
  for (let i = 0; i < out.length; i++) out[i] = Math.min(255, 8 * Math.abs((ours.data[i] ?? 0) - (theirs.data[i] ?? 0)))
  return out
}
