import { linearFromByte, type Point } from '@vitrine/engine'
import type { BodyMark } from '../drawing/body-mark.ts'
import type { PhotoPixels } from '../photo-pixels.ts'
import type { Body } from './body.ts'
import type { Lens } from './lens.ts'

/** How far from a fitted line its edge is searched for, in a photo 2,000 px wide. */
const REACH_PX = 14

/** The number of places along each line, and how far apart accepted ones may lie. */
const PLACES = 24
const SPREAD_PX = 1.5

/** A smaller difference, in linear light, is no edge. */
const LEAST_EDGE = 0.02

/** Many snapped points must not outweigh those set by the user. */
const WEIGHT = 0.35

type Light = (x: number, y: number) => number

/** Points on the sides of a fitted body, at the photo's strongest edges near it. */
export function snapSides(body: Body, photo: PhotoPixels, light: Light, lens: Lens): BodyMark[] {
  return sidesAt(t => t, body, photo, light, lens)
}

/** The same at some heights of the body. */
function sidesAt(
  heightOf: (t: number) => number,
  body: Body,
  photo: PhotoPixels,
  light: Light,
  lens: Lens,
): BodyMark[] {
  return (['left', 'right'] as const).flatMap((side, index) => {
    const angle = body.sides[index] ?? 0
    const found = snapLine(t => body.at(angle, heightOf(t)), photo, light, lens)
    return found.map((at): BodyMark => ({ kind: 'side', side, at, weight: WEIGHT }))
  })
}

/** The body goes on below and above its label, by shares of the label's height. */
const BESIDE_LABEL = 0.13
const LABEL_GAP = 0.03

/** A label's edge nearer to the body's side than this, in radians, is the side. */
const LEAST_TURN = 0.05

/**
 * Points on the visible edges of a label around a fitted body, and on the body's sides below and above it:
 * beside it, its own edges are stronger. Null if fewer than three of its edges are visible.
 */
export function snapLabel(body: Body, photo: PhotoPixels, light: Light, lens: Lens): BodyMark[] | null {
  const { from, to } = body.parameters
  const [left, right] = body.sides
  const edge = (u: number, angle: number): BodyMark[] =>
    snapLine(t => body.at(angle, t), photo, light, lens).map(at => ({ kind: 'edge', u, at, weight: WEIGHT }))
  const arc = (v: number): BodyMark[] => {
    const found = snapLine(t => body.at(from + t * (to - from), v), photo, light, lens)
    return found.map(at => ({ kind: 'arc', v, at, weight: WEIGHT }))
  }
  const edges = [
    from > left + LEAST_TURN ? edge(0, from) : [],
    to < right - LEAST_TURN ? edge(1, to) : [],
    arc(0),
    arc(1),
  ].filter(marks => marks.length > PLACES / 2)
  if (edges.length < 3) return null
  const beside = (t: number): number =>
    t < 0.5 ? -LABEL_GAP - 2 * t * BESIDE_LABEL : 1 + LABEL_GAP + (2 * t - 1) * BESIDE_LABEL
  return [...edges.flat(), ...sidesAt(beside, body, photo, light, lens)]
}

/** Points near a line where the photo's edge across it is strongest, at about the median distance. */
function snapLine(along: (t: number) => Point, photo: PhotoPixels, light: Light, lens: Lens): Point[] {
  const reachPx = REACH_PX * Math.max(1, photo.widthPx / 2000)
  const found: { readonly offset: number; readonly at: Point }[] = []
  for (let i = 0; i < PLACES; i++) {
    const t = 0.06 + (0.88 * i) / (PLACES - 1)
    const [here, next] = [along(t), along(t + 0.01)]
    const length = Math.hypot(next[0] - here[0], next[1] - here[1])
    const [nx, ny] = [(next[1] - here[1]) / length, -(next[0] - here[0]) / length]
    const lightAt = (offset: number): number => {
      const [x, y] = lens.bend(here[0] + nx * offset, here[1] + ny * offset)
      return light(x, y)
    }
    let [strongest, at] = [0, 0]
    for (let offset = -reachPx; offset <= reachPx; offset += 0.5) {
      const difference = Math.abs(lightAt(offset + 1.5) - lightAt(offset - 1.5))
      if (difference > strongest) [strongest, at] = [difference, offset]
    }
    if (strongest > LEAST_EDGE) found.push({ offset: at, at: [here[0] + nx * at, here[1] + ny * at] })
  }
  const offsets = found.map(({ offset }) => offset).sort((a, b) => a - b)
  const median = offsets[offsets.length >> 1] ?? 0
  return found.filter(({ offset }) => Math.abs(offset - median) < SPREAD_PX).map(({ at }) => at)
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
