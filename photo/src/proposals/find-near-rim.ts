import type { Point } from '@vitrine/engine'
import type { Coverage, PhotoPixels } from '../photo-pixels.ts'
import { isInside, type Sides, sideAt } from './find-sides.ts'

/** Of half the rim's width: where its edge is searched for; towards the ends it is too steep. */
const MOST_ACROSS = 0.8
const COLUMNS = 33
/** Of those, what is told. */
const EVERY = 4

/** Of the width: how far below the far half of a rim its front is. */
const depthShares = { from: 0.03, to: 0.7, step: 0.004 } as const

/** The front half of an ellipse is nearer to the camera, and deeper than its far half by this. */
const nearnesses = [1, 1.08, 1.16] as const

/** Of the width: the distance at which the light above and below an edge is compared. */
const APART_SHARE = 0.01

/** The mean step of light, of 255, that counts as an edge. A single column counts at most this. */
const LEAST_STEP = 3
const MOST_STEP = 30

/**
 * Points on the front of a body's upper rim, which an outline does not show: the half ellipse below the far
 * half across which light changes most. `far`: the far half, by columns. Null if none is distinct.
 */
export function findNearRim(
  photo: PhotoPixels,
  coverage: Coverage,
  sides: Sides,
  far: readonly Point[],
): readonly Point[] | null {
  const { left, right, top } = sides
  const [from, to] = [sideAt(left, top), sideAt(right, top)]
  const [middle, half] = [(from + to) / 2, (to - from) / 2]
  const width = 2 * half
  const apart = Math.max(1.5, APART_SHARE * width)
  const bowOf = (x: number): number => Math.sqrt(Math.max(0, 1 - ((x - middle) / half) ** 2))
  const across = Array.from({ length: COLUMNS }, (_, i) => middle + half * MOST_ACROSS * ((2 * i) / (COLUMNS - 1) - 1))
  // A part of it may be beyond the photo.
  const columns = across.filter(x => x >= 1 && x < photo.widthPx - 1)
  let best: { readonly step: number; readonly arc: readonly Point[] } | null = null
  for (let share: number = depthShares.from; share <= depthShares.to; share += depthShares.step) {
    const depth = share * width
    // The knob of a lid lies above the ellipse, so the median of the columns is used.
    const center = medianOf(far.map(([x, y]) => y + (depth / 2) * bowOf(x)))
    for (const nearness of nearnesses) {
      const arc = columns.map((x): Point => [x, center + nearness * (depth / 2) * bowOf(x)])
      if (!arc.every(([x, y]) => isInside(coverage, x, y - 2 * apart) && isInside(coverage, x, y + 2 * apart))) continue
      const steps = arc.map(([x, y]) => lightAt(photo, x, y + apart) - lightAt(photo, x, y - apart))
      const sum = steps.reduce((all, step) => all + Math.max(-MOST_STEP, Math.min(MOST_STEP, step)), 0)
      const step = Math.abs(sum) / steps.length
      if (best === null || step > best.step) best = { step, arc }
    }
  }
  return best === null || best.step < LEAST_STEP ? null : best.arc.filter((_, column) => column % EVERY === 0)
}

function lightAt({ widthPx, heightPx, data }: PhotoPixels, x: number, y: number): number {
  const [px, py] = [Math.min(widthPx - 1.01, Math.max(0, x - 0.5)), Math.min(heightPx - 1.01, Math.max(0, y - 0.5))]
  const [left, top] = [Math.floor(px), Math.floor(py)]
  const [a, b] = [px - left, py - top]
  const at = (dx: number, dy: number): number => {
    const i = 3 * ((top + dy) * widthPx + left + dx)
    return ((data[i] ?? 0) + (data[i + 1] ?? 0) + (data[i + 2] ?? 0)) / 3
  }
  return (at(0, 0) * (1 - a) + at(1, 0) * a) * (1 - b) + (at(0, 1) * (1 - a) + at(1, 1) * a) * b
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
