import type { Point } from '@vitrine/engine'
import type { BodyMark } from '../drawing/body-mark.ts'
import { type Minimum, minimize } from '../numerics/minimize.ts'
import { type Body, type BodyParameters, buildBody } from './body.ts'

/** What is known about a body before its points are used. */
export type BodyKnowledge = {
  /** width / height of the artwork, along the surface; null if unknown */
  readonly aspectRatio: number | null
  /** height / diameter of the marked part; null if unknown */
  readonly slenderness: number | null
}

export type FittedBody = {
  readonly body: Body
  /** root mean square over the points, in px */
  readonly residualPx: number
}

/** The expected error of points on the photo, in px. */
const POINT_ERROR_PX = 1.5

// What photos of products are usually like: means and standard deviations.
const LN_FOCAL = Math.log(1.6)
const LN_FOCAL_SPREAD = 0.7
const ROLL_SPREAD = 0.1
const TAPER_SPREAD = 0.3
const LN_RIM = Math.log(0.96)
const LN_RIM_SPREAD = 0.03
const LN_RATIO_SPREAD = 0.01
const LN_SLENDERNESS_SPREAD = 0.02

/** If nothing marks the artwork's edges, it extends 75 degrees to each side. */
const UNMARKED_EDGE = 1.309

// Starting points of the fit: few photos have a second minimum, and its cost is greater.
const startTilts = [0.12, 0.4] as const
const startHalves = [1.1, 0.7] as const
const STEPS = 40

// A body is rounded: sines and logarithms of browsers and Node differ in their last bits.
const STEPS_PER_PX = 1e3
const STEPS_PER_UNIT = 1e5

/** A body of which no more is known, as photos of products are. `height`: in radii. */
export const usualBody = (x: number, y: number, radiusPx: number, tilt: number, height: number): BodyParameters => ({
  x,
  y,
  lnRadius: Math.log(radiusPx),
  tilt,
  roll: 0,
  height,
  taper: 0,
  from: -UNMARKED_EDGE,
  to: UNMARKED_EDGE,
  lnFocal: LN_FOCAL,
  lnRim: LN_RIM,
})

/** Camera and body by least squares, of points on the artwork or on the body's outline. */
export function fitBody(
  marks: readonly BodyMark[],
  knowledge: BodyKnowledge,
  widthPx: number,
  heightPx: number,
  /** Whether points on rims lie on the artwork's arcs, though there are points on the sides too. */
  areArcs: boolean,
  /** a body near the solution, from which the fit starts; null: it uses several starting points */
  near: BodyParameters | null = null,
): FittedBody {
  const hasRims = !areArcs && marks.some(mark => mark.kind === 'side')
  const hasEdges = marks.some(mark => mark.kind === 'corner' || mark.kind === 'edge')
  const residualsOf = (vector: Float64Array): Float64Array => {
    const body = buildBody(parametersOf(vector), widthPx, heightPx)
    return Float64Array.from([
      ...marks.flatMap(mark => missesOf(body, mark, hasRims).map(miss => (miss * mark.weight) / POINT_ERROR_PX)),
      ...priorsOf(body.parameters, knowledge, hasRims, hasEdges),
    ])
  }
  const starts = near ? [vectorOf(near)] : startsOf(marks, hasRims)
  let best: Minimum | null = null
  for (const start of starts) {
    const found = minimize(residualsOf, start, STEPS)
    if (best === null || found.cost < best.cost) best = found
  }
  const found = parametersOf(best?.parameters ?? new Float64Array(11))
  const body = buildBody(rounded(found), widthPx, heightPx)
  return { body, residualPx: rootMeanSquare(marks.flatMap(mark => missesOf(body, mark, hasRims))) }
}

function startsOf(marks: readonly BodyMark[], hasRims: boolean): Float64Array[] {
  const xs = marks.map(({ at }) => at[0])
  const ys = marks.map(({ at }) => at[1])
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  return startTilts.flatMap(tilt =>
    startHalves.map(half => {
      const radius = Math.max(1, (right - left) / 2 / (hasRims ? 1 : Math.sin(half)))
      const height = Math.max(0.05, (bottom - top) / radius)
      const usual = usualBody((left + right) / 2, (top + bottom) / 2, radius, tilt, height)
      return vectorOf({ ...usual, from: -half, to: half })
    }),
  )
}

function rounded(body: BodyParameters): BodyParameters {
  const round = (value: number, steps: number): number => Math.round(value * steps) / steps
  const vector = vectorOf(body).map(value => round(value, STEPS_PER_UNIT))
  return { ...parametersOf(vector), x: round(body.x, STEPS_PER_PX), y: round(body.y, STEPS_PER_PX) }
}

function vectorOf(body: BodyParameters): Float64Array {
  const { x, y, lnRadius, tilt, roll, height, taper, from, to, lnFocal, lnRim } = body
  return Float64Array.from([x, y, lnRadius, tilt, roll, height, taper, from, to, lnFocal, lnRim])
}

function parametersOf(vector: Float64Array): BodyParameters {
  const [x = 0, y = 0, lnRadius = 0, tilt = 0, roll = 0, height = 1, taper = 0, from = 0, to = 1] = vector
  const [lnFocal = 0, lnRim = 0] = vector.subarray(9)
  return { x, y, lnRadius, tilt, roll, height, taper, from, to, lnFocal, lnRim }
}

/** How far a body is from a point, in px. */
function missesOf(body: Body, mark: BodyMark, hasRims: boolean): readonly number[] {
  const { from, to, lnRim } = body.parameters
  switch (mark.kind) {
    case 'corner': {
      const [x, y] = body.at(from + mark.u * (to - from), mark.v)
      return [x - mark.at[0], y - mark.at[1]]
    }
    case 'arc':
      return hasRims
        ? [distanceToArc(body, mark.at, mark.v, body.sides, Math.exp(lnRim))]
        : [distanceToArc(body, mark.at, mark.v, [from, to], 1)]
    case 'far-arc':
      return [distanceToArc(body, mark.at, mark.v, [body.sides[1], body.sides[0] + 2 * Math.PI], Math.exp(lnRim))]
    case 'edge': {
      const angle = from + mark.u * (to - from)
      return [distanceToLine(mark.at, body.at(angle, 0), body.at(angle, 1))]
    }
    default: {
      const angle = body.sides[mark.side === 'left' ? 0 : 1]
      return [distanceToLine(mark.at, body.at(angle, 0), body.at(angle, 1))]
    }
  }
}

function priorsOf(
  { roll, height, taper, from, to, lnFocal, lnRim }: BodyParameters,
  { aspectRatio, slenderness }: BodyKnowledge,
  hasRims: boolean,
  hasEdges: boolean,
): number[] {
  const priors = [(lnFocal - LN_FOCAL) / LN_FOCAL_SPREAD, taper / TAPER_SPREAD, roll / ROLL_SPREAD]
  if (hasRims) priors.push((lnRim - LN_RIM) / LN_RIM_SPREAD)
  if (aspectRatio !== null && hasEdges) {
    priors.push((Math.log(Math.abs((to - from) / height)) - Math.log(aspectRatio)) / LN_RATIO_SPREAD)
  }
  if (slenderness !== null) {
    priors.push((Math.log(Math.abs(height) / 2) - Math.log(slenderness)) / LN_SLENDERNESS_SPREAD)
  }
  if (!hasEdges) priors.push(from + UNMARKED_EDGE, to - UNMARKED_EDGE)
  return priors
}

/** Signed distance to the line through two points. */
function distanceToLine(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  return ((point[0] - a[0]) * dy - (point[1] - a[1]) * dx) / Math.hypot(dx, dy)
}

const ARC_STARTS = 12
const ARC_STEPS = 4
const ARC_DIFFERENCE = 1e-4
const ARC_CHORD = 0.01

/** Signed distance to the circle at a height, between two angles: the nearest of some points, then Newton. */
function distanceToArc(body: Body, point: Point, v: number, ends: readonly [number, number], rim: number): number {
  let angle = (ends[0] + ends[1]) / 2
  let least = Infinity
  for (let i = 0; i <= ARC_STARTS; i++) {
    const tried = ends[0] + ((ends[1] - ends[0]) * i) / ARC_STARTS
    const [x, y] = body.at(tried, v, rim)
    const distance = Math.hypot(x - point[0], y - point[1])
    if (distance < least) {
      least = distance
      angle = tried
    }
  }
  for (let step = 0; step < ARC_STEPS; step++) {
    const here = body.at(angle, v, rim)
    const next = body.at(angle + ARC_DIFFERENCE, v, rim)
    const [gx, gy] = [(next[0] - here[0]) / ARC_DIFFERENCE, (next[1] - here[1]) / ARC_DIFFERENCE]
    const square = gx * gx + gy * gy
    if (square < 1e-6) break
    angle += ((point[0] - here[0]) * gx + (point[1] - here[1]) * gy) / square
  }
  return distanceToLine(point, body.at(angle - ARC_CHORD, v, rim), body.at(angle + ARC_CHORD, v, rim))
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / Math.max(1, values.length))
}
