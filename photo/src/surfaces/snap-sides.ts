import { linearFromByte, type Point } from '@vitrine/engine'
import type { BodyMark } from '../drawing/body-mark.ts'
import type { PhotoPixels } from '../photo-pixels.ts'
import type { Body } from './body.ts'
import type { Lens } from './lens.ts'

/** How far from the fitted side its edge is looked for; of a photo 2,000 px wide. */
const REACH_PX = 14

/** Places along each side, and how far apart those that are taken may lie. */
const PLACES = 24
const SPREAD_PX = 1.5

/** Less of a difference, in linear light, is no edge. */
const LEAST_EDGE = 0.02

/** Many snapped points must not outweigh those that a person set. */
const WEIGHT = 0.35

/** Points on the sides of a fitted body, on the photo's strongest edges near it. */
export function snapSides(
  body: Body,
  photo: PhotoPixels,
  light: (x: number, y: number) => number,
  lens: Lens,
): BodyMark[] {
  const reachPx = REACH_PX * Math.max(1, photo.widthPx / 2000)
  const marks: BodyMark[] = []
  for (const [index, side] of (['left', 'right'] as const).entries()) {
    const angle = body.sides[index] ?? 0
    const found: { readonly offset: number; readonly at: Point }[] = []
    for (let i = 0; i < PLACES; i++) {
      const v = 0.06 + (0.88 * i) / (PLACES - 1)
      const [here, next] = [body.at(angle, v), body.at(angle, v + 0.01)]
      const length = Math.hypot(next[0] - here[0], next[1] - here[1])
      const [nx, ny] = [(next[1] - here[1]) / length, -(next[0] - here[0]) / length]
      const lightAt = (offset: number): number => {
        const [x, y] = lens.bend(here[0] + nx * offset, here[1] + ny * offset)
        return light(x, y)
      }
      let [strongest, at] = [0, 0]
      for (let offset = -reachPx; offset <= reachPx; offset += 0.5) {
        const edge = Math.abs(lightAt(offset + 1.5) - lightAt(offset - 1.5))
        if (edge > strongest) [strongest, at] = [edge, offset]
      }
      if (strongest > LEAST_EDGE) found.push({ offset: at, at: [here[0] + nx * at, here[1] + ny * at] })
    }
    const offsets = found.map(({ offset }) => offset).sort((a, b) => a - b)
    const median = offsets[offsets.length >> 1] ?? 0
    for (const { offset, at } of found) {
      if (Math.abs(offset - median) < SPREAD_PX) marks.push({ kind: 'side', side, at, weight: WEIGHT })
    }
  }
  return marks
}

/** Linear light of the green channel anywhere in a photo, between the centres of its pixels. */
export function lightSampler({ widthPx, heightPx, data }: PhotoPixels): (x: number, y: number) => number {
  const at = (x: number, y: number): number => linearFromByte[data[(y * widthPx + x) * 3 + 1] ?? 0] ?? 0
  return (x, y) => {
    const [px, py] = [clamp(x - 0.5, widthPx - 1.001), clamp(y - 0.5, heightPx - 1.001)]
    const [left, top] = [Math.floor(px), Math.floor(py)]
    const [a, b] = [px - left, py - top]
    const upper = at(left, top) * (1 - a) + at(left + 1, top) * a
    const lower = at(left, top + 1) * (1 - a) + at(left + 1, top + 1) * a
    return upper * (1 - b) + lower * b
  }
}

function clamp(value: number, most: number): number {
  return value < 0 || Number.isNaN(value) ? 0 : value > most ? most : value
}
