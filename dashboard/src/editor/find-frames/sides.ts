/** Fits the sides of a rough quadrangle to the edges of the photo near them. */
import type { Corner, Quad } from '../quad.ts'
import { meetingOf } from './hull.ts'
import { type Plane, valueAt } from './plane.ts'

/** Places along a side where its edge is searched for; not near its ends, because corners may be round. */
const PLACES = 48
const FIRST_SHARE = 0.08
/** Steps to each side are half a pixel. */
const STEP_PX = 0.5
/** `gradientMin`: levels of 255 per pixel; less is shading. `spreadPx`: the length of a place on its side. */
type Faintness = { readonly gradientMin: number; readonly spreadPx: number }
const plainEdge: Faintness = { gradientMin: 3, spreadPx: 0 }
/** Pixels between the samples of a place. */
const SAMPLE_STEP_PX = 2
/** The least share of a side's places that must lie on its line. */
const SUPPORT_MIN = 0.55
/** Pixels from a side's line: places further away belong to another edge. */
const OFF_LINE_PX = 1.5
const FITS = 4

type Side = { readonly from: Corner; readonly to: Corner; readonly strength: number }

/**
 * The quadrangle along the edges, and the strength of the weakest (levels per pixel, times its share of
 * places). `reachPx`: how far from the rough sides edges are searched for. Null if a side has no edge.
 */
export function alongEdges(
  plane: Plane,
  rough: Quad,
  reachPx: number,
  faintness = plainEdge,
): { readonly quad: Quad; readonly strength: number } | null {
  const [a, b, c, d] = rough
  const side = (from: Corner, to: Corner) => sideAt(plane, from, to, reachPx, faintness)
  const [top, right, bottom, left] = [side(a, b), side(b, c), side(c, d), side(d, a)]
  if (!top || !right || !bottom || !left) return null
  const corners = [cornerOf(left, top), cornerOf(top, right), cornerOf(right, bottom), cornerOf(bottom, left)]
  const [topLeft, topRight, bottomRight, bottomLeft] = corners
  if (!topLeft || !topRight || !bottomRight || !bottomLeft) return null
  const strength = Math.min(top.strength, right.strength, bottom.strength, left.strength)
  return { quad: [topLeft, topRight, bottomRight, bottomLeft], strength }
}

const cornerOf = (a: Side, b: Side): Corner | null => meetingOf(a.from, a.to, b.from, b.to)

function sideAt(
  plane: Plane,
  from: Corner,
  to: Corner,
  reachPx: number,
  { gradientMin, spreadPx }: Faintness,
): Side | null {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1])
  if (length === 0) return null
  const along: Corner = [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
  const across: Corner = [-along[1], along[0]]
  const steps = Math.ceil(reachPx / STEP_PX)
  const places = Array.from({ length: PLACES }, (_, i) => {
    const share = FIRST_SHARE + ((1 - 2 * FIRST_SHARE) * i) / (PLACES - 1)
    const at: Corner = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
    return { along: share * length, gradients: gradientsAcross(plane, at, along, across, steps, spreadPx) }
  })
  // An edge has one direction, from light to dark or from dark to light, along the whole side.
  const sums = Array.from({ length: 2 * steps + 1 }, (_, i) =>
    places.reduce((sum, { gradients }) => sum + (gradients[i] ?? 0), 0),
  )
  const sign = Math.max(...sums) >= -Math.min(...sums) ? 1 : -1
  const found = places.flatMap(({ along: x, gradients }) => {
    const peak = peakOf(gradients, sign, gradientMin)
    return peak === null ? [] : [{ x, y: (peak.at - steps) * STEP_PX, gradient: peak.gradient }]
  })
  const line = lineThrough(found)
  if (line === null) return null
  const on = found.filter(({ x, y }) => Math.abs(line.start + line.slope * x - y) <= OFF_LINE_PX)
  const support = on.length / PLACES
  if (support < SUPPORT_MIN) return null
  const place = (x: number): Corner => {
    const y = line.start + line.slope * x
    return [from[0] + along[0] * x + across[0] * y, from[1] + along[1] * x + across[1] * y]
  }
  const mean = on.reduce((sum, { gradient }) => sum + gradient, 0) / on.length
  return { from: place(0), to: place(length), strength: mean * support }
}

/** How the plane changes over one pixel across a side, from its inner to its outer half. */
function gradientsAcross(
  plane: Plane,
  [x, y]: Corner,
  [alongX, alongY]: Corner,
  [acrossX, acrossY]: Corner,
  steps: number,
  spreadPx: number,
): number[] {
  const samples = Math.floor(spreadPx / SAMPLE_STEP_PX)
  const at = (offset: number) => {
    let sum = 0
    for (let k = 0; k <= samples; k++) {
      const by = SAMPLE_STEP_PX * (k - samples / 2)
      sum += valueAt(plane, x + acrossX * offset + alongX * by, y + acrossY * offset + alongY * by)
    }
    return sum / (samples + 1)
  }
  return Array.from({ length: 2 * steps + 1 }, (_, i) => {
    const offset = (i - steps) * STEP_PX
    return at(offset + STEP_PX) - at(offset - STEP_PX)
  })
}

/** The steepest place in one direction, interpolated by a parabola through three steps. */
function peakOf(
  gradients: readonly number[],
  sign: number,
  gradientMin: number,
): { readonly at: number; readonly gradient: number } | null {
  const values = gradients.map(gradient => gradient * sign)
  const gradient = Math.max(...values)
  if (gradient < gradientMin) return null
  const at = values.indexOf(gradient)
  const [before, after] = [values[at - 1], values[at + 1]]
  if (before === undefined || after === undefined) return { at, gradient }
  const bend = before - 2 * gradient + after
  return { at: bend === 0 ? at : at + (before - after) / (2 * bend), gradient }
}

type Place = { readonly x: number; readonly y: number }

/** y = start + slope * x by least squares, repeated without outliers. */
function lineThrough(places: readonly Place[]): { readonly start: number; readonly slope: number } | null {
  let used = places
  let line: { readonly start: number; readonly slope: number } | null = null
  for (let fit = 0; fit < FITS; fit++) {
    if (used.length < PLACES * SUPPORT_MIN * 0.8) return line
    line = leastSquares(used)
    const { start, slope } = line
    const offLine = ({ x, y }: Place) => Math.abs(start + slope * x - y)
    const median = used.map(offLine).toSorted((a, b) => a - b)[Math.floor(used.length / 2)] ?? 0
    used = places.filter(place => offLine(place) <= Math.max(0.5, 2 * median))
  }
  return line
}

function leastSquares(places: readonly Place[]): { readonly start: number; readonly slope: number } {
  const meanX = places.reduce((sum, { x }) => sum + x, 0) / places.length
  const meanY = places.reduce((sum, { y }) => sum + y, 0) / places.length
  const spread = places.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const slope = spread === 0 ? 0 : places.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  return { start: meanY - slope * meanX, slope }
}
