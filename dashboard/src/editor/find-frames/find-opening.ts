/**
 * Finds what a mat leaves open inside a frame: paper on a mat of the same white shows as a faint line along
 * all four sides, in lightness or in hue, too weak for outlines at levels of either.
 */
import { applyHomography, homographyToQuad } from '@vitrine/engine'
import type { Corner, Quad } from '../quad.ts'
import { type Plane, valueAt } from './plane.ts'
import { alongEdges } from './sides.ts'

/** Places along a side, between these shares of it: mats are narrower. */
const PLACES = 96
const FROM_SHARE = 0.3

/** Of the frame's extent: how far inside it the opening begins. */
const MARGIN_MIN = 0.02
const MARGIN_MAX = 0.33

/** Levels of 255 per two pixels, as the median of the places; and times the median of all depths. */
const STEP_MIN = 0.5
const CLEARNESS_MIN = 5
/** Clearer ones do not count more. */
const CLEARNESS_MAX = 30

/** Pixels around a depth, whose median is shading; lines closer than that are one. */
const SHADING_PX = 8

/** The clearest lines of a side that are compared with those of the others. */
const LINES_MAX = 4

/** Greatest ratios of margins: of both sides, of the lower to the upper, and of the upper to the sides. */
const SIDES_RATIO = 1.4
const lowerRatio = { least: 0.75, most: 2.5 } as const
const UPPER_RATIO = 2.5

/** For the fit of its sides: pixels around the line, levels per pixel, and pixels along it in one place. */
const faintFit = { reachPx: 4, gradientMin: 0.7, spreadPx: 24 } as const

type Line = { readonly depthPx: number; readonly clearness: number; readonly plane: number }

/** Null if there is none. `planes`: of lightness and hue, at the picture's size. */
export function findOpening(planes: readonly Plane[], frame: Quad): Quad | null {
  const sides = [0, 1, 2, 3].map(side => planes.flatMap((plane, index) => linesInside(plane, index, frame, side)))
  const [upper = [], right = [], lower = [], left = []] = sides.map(lines =>
    lines.toSorted((a, b) => b.clearness - a.clearness).slice(0, LINES_MAX),
  )
  let best: { readonly lines: readonly [Line, Line, Line, Line]; readonly worth: number } | null = null
  for (const a of upper)
    for (const b of right)
      for (const c of lower)
        for (const d of left) {
          const worth = a.clearness + b.clearness + c.clearness + d.clearness
          if (isMat(a.depthPx, b.depthPx, c.depthPx, d.depthPx) && worth > (best?.worth ?? 0))
            best = { lines: [a, b, c, d], worth }
        }
  if (best === null) return null
  const [a, b, c, d] = best.lines
  const [widthPx, heightPx] = extentOf(frame)
  const [x0, x1] = [d.depthPx / widthPx, 1 - b.depthPx / widthPx]
  const [y0, y1] = [a.depthPx / heightPx, 1 - c.depthPx / heightPx]
  const toPicture = homographyToQuad(frame)
  const at = (x: number, y: number): Corner => applyHomography(toPicture, x, y)
  const rough: Quad = [at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)]
  const fits = planes.flatMap(plane => alongEdges(plane, rough, faintFit.reachPx, faintFit) ?? [])
  return fits.toSorted((one, other) => other.strength - one.strength)[0]?.quad ?? null
}

function isMat(upper: number, right: number, lower: number, left: number): boolean {
  const sides = (left + right) / 2
  return (
    Math.max(left, right) <= SIDES_RATIO * Math.min(left, right) &&
    lower >= lowerRatio.least * upper &&
    lower <= lowerRatio.most * upper &&
    Math.max(upper, sides) <= UPPER_RATIO * Math.min(upper, sides)
  )
}

/** Lines along a side (0: the upper one, then clockwise) inside a frame. */
function linesInside(plane: Plane, index: number, frame: Quad, side: number): Line[] {
  const [widthPx, heightPx] = extentOf(frame)
  const extent = side % 2 === 0 ? heightPx : widthPx
  const toPicture = homographyToQuad(frame)
  const first = Math.max(3, Math.ceil(MARGIN_MIN * extent))
  const count = Math.floor(MARGIN_MAX * extent) - first
  if (count < 2 * SHADING_PX) return []
  const lightAt = (along: number, depthPx: number): number => {
    const across = depthPx / extent
    const [x, y] =
      side === 0
        ? [along, across]
        : side === 1
          ? [1 - across, along]
          : side === 2
            ? [along, 1 - across]
            : [across, along]
    const [px, py] = applyHomography(toPicture, x, y)
    return valueAt(plane, px, py)
  }
  const rows = Array.from({ length: PLACES }, (_, place) => {
    const along = FROM_SHARE + ((1 - 2 * FROM_SHARE) * place) / (PLACES - 1)
    return Float32Array.from({ length: count + 2 }, (__, k) => lightAt(along, first + k - 1))
  })
  const steps = Array.from({ length: count }, (_, k) => medianOf(rows.map(row => (row[k + 2] ?? 0) - (row[k] ?? 0))))
  const sharp = steps.map((step, k) =>
    Math.abs(step - medianOf(steps.slice(Math.max(0, k - SHADING_PX), k + SHADING_PX + 1))),
  )
  const usual = Math.max(STEP_MIN / CLEARNESS_MIN, medianOf(sharp))
  return sharp.flatMap((step, k): Line[] => {
    const isPeak = step === Math.max(...sharp.slice(Math.max(0, k - SHADING_PX), k + SHADING_PX + 1))
    if (!isPeak || step < STEP_MIN || step < CLEARNESS_MIN * usual) return []
    return [{ depthPx: first + k, clearness: Math.min(CLEARNESS_MAX, step / usual), plane: index }]
  })
}

function extentOf([a, b, c, d]: Quad): [number, number] {
  const length = (from: Corner, to: Corner): number => Math.hypot(to[0] - from[0], to[1] - from[1])
  return [(length(a, b) + length(d, c)) / 2, (length(a, d) + length(b, c)) / 2]
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
