import { distanceToSet } from '@vitrine/engine'
import type { Stroke } from '../src/drawing/drawing.ts'
import { gaussianFilter } from '../src/filters/gaussian-filter.ts'
import { reduceCoverage } from '../src/masking/reduce-coverage.ts'
import type { Coverage } from '../src/photo-pixels.ts'
import { createNormalRandom } from './normal-random.ts'

/** Brushes on a photo of 512 px a side: a thick one, and a fine one for what it does not reach. */
const BRUSHED_SIDE_PX = 512
const THICK_PX = 14
const FINE_PX = 4

/** How much the painted edge wavers about the product's, and over what length. */
const WAVER_PX = 2.5
const WAVER_LENGTH_PX = 14
const MOST_DEVIATIONS = 1.5

/** Lines of a brush lie so close that their union has the edge that was meant. */
const LINE_STEP_PX = 3

/** The fine brush goes where the thick one left more than this. */
const LEFT_PX = 4

/**
 * What somebody paints over a product: strokes in the photo's pixels, whose edge wavers about the true one.
 * The same seed paints the same.
 */
export function paintOver(truth: Coverage, seed: number): Stroke[] {
  const scale = Math.max(1, Math.max(truth.widthPx, truth.heightPx) / BRUSHED_SIDE_PX)
  const [width, height] = [Math.round(truth.widthPx / scale), Math.round(truth.heightPx / scale)]
  const { data } = reduceCoverage(truth, width, height)
  const normal = createNormalRandom(seed)
  const noise = gaussianFilter(
    Float32Array.from(data, () => normal()),
    width,
    height,
    WAVER_LENGTH_PX,
  )
  const deviation = Math.sqrt(noise.reduce((sum, value) => sum + value * value, 0) / noise.length)
  const waver = noise.map(value => WAVER_PX * Math.min(MOST_DEVIATIONS, Math.max(-MOST_DEVIATIONS, value / deviation)))
  const depth = distanceToSet(i => (data[i] ?? 0) < 128, width, height)
  const runs = (radius: number, isWanted: (i: number) => boolean): Stroke[] => {
    const strokes: Stroke[] = []
    for (let y = 1; y < height; y += LINE_STEP_PX) {
      for (let x = 0; x < width; x++) {
        const first = x
        while (x < width && isWanted(y * width + x)) x++
        if (x === first) continue
        const point = (column: number): [number, number] => [(column + 0.5) * scale, (y + 0.5) * scale]
        strokes.push({ points: [point(first), point(x - 1)], radius: radius * scale, erases: false })
      }
    }
    return strokes
  }
  const isThick = (i: number): boolean => (depth[i] ?? 0) > THICK_PX + (waver[i] ?? 0)
  const thick = runs(THICK_PX, isThick)
  const fromThick = distanceToSet(isThick, width, height)
  const isFine = (i: number): boolean =>
    (fromThick[i] ?? 0) > THICK_PX + LEFT_PX && (depth[i] ?? 0) > FINE_PX + 0.5 * (waver[i] ?? 0)
  return [...thick, ...runs(FINE_PX, isFine)]
}
