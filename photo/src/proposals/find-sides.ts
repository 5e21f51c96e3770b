import { createRandom } from '../numerics/random.ts'
import type { Coverage } from '../photo-pixels.ts'

/** A nearly vertical line: x at height 0, and its growth per pixel down. */
export type Side = { readonly at: number; readonly slope: number }

/** The straight sides of something upright, in pixels; the centre of the first is 0.5. */
export type Sides = { readonly left: Side; readonly right: Side; readonly top: number; readonly bottom: number }

/** null: a side that is hidden, beyond the photo or not straight. */
export type SeenSides = Omit<Sides, 'left' | 'right'> & { readonly left: Side | null; readonly right: Side | null }

export const sideAt = ({ at, slope }: Side, y: number): number => at + slope * y

/** Inside of a coverage. */
const INSIDE_BYTE = 128

/** Whether a coverage has a point inside, in pixels; beyond it nothing is. */
export const isInside = ({ widthPx, heightPx, data }: Coverage, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < widthPx && y < heightPx && (data[Math.floor(y) * widthPx + Math.floor(x)] ?? 0) >= INSIDE_BYTE

const MOST_ROWS = 240

/** The number of random pairs of places; the line through two on which most places lie is the side. */
const TRIES = 300
const SEED = 2
const MOST_SLOPE = 0.35

/** Of the height: how near a place must be to lie on the line, and the least distance of the two places. */
const NEAR_SHARE = 0.01
const APART_SHARE = 0.15

/** Of the height: sides are farther apart. */
const LEAST_WIDTH_SHARE = 0.15

/** Of the rows that are searched: the least share that lies on a side. */
const LEAST_ROWS_SHARE = 0.6

/** The same of a side that is nearly known, and, of the height, how far from there it is looked for. */
const LEAST_GUIDED_ROWS_SHARE = 0.15
const GUIDED_SHARE = 0.03

/**
 * Sides between two shares of the height of a coverage. The edges of a handle or a sleeve are found too, but
 * fewer of their places lie on one line. Null if there are no straight sides.
 */
export function findSides(coverage: Coverage, fromShare: number, toShare: number): Sides | null {
  const seen = findSeenSides(coverage, fromShare, toShare)
  if (seen === null) return null
  const { left, right } = seen
  return left && right && { ...seen, left, right }
}

/**
 * The same, whether both sides are straight, or one, or none. `guide`: sides that are nearly the ones, of
 * which a part is seen at least. Null: nothing is covered.
 */
function findSeenSides(
  coverage: Coverage,
  fromShare: number,
  toShare: number,
  guide: SeenSides | null = null,
): SeenSides | null {
  const extent = extentOf(coverage)
  if (extent === null) return null
  const { top, bottom } = extent
  const height = bottom - top
  const [fromY, toY] = [Math.round(top + fromShare * height), Math.round(top + toShare * height)]
  const step = Math.max(1, Math.floor((toY - fromY) / MOST_ROWS))
  const [lefts, rights]: [Place[], Place[]] = [[], []]
  let rows = 0
  for (let y = fromY; y < toY; y += step, rows++) collectEdges(coverage, y, lefts, rights)
  const random = createRandom(SEED)
  const lineNear = (places: readonly Place[], near: Side | null): Side | null => {
    if (guide === null) return lineOf(places, height, LEAST_ROWS_SHARE * rows, random)
    const guided = places.filter(([x, y]) => near !== null && Math.abs(x - sideAt(near, y)) < GUIDED_SHARE * height)
    return lineOf(guided, height, LEAST_GUIDED_ROWS_SHARE * rows, random)
  }
  const left = lineNear(lefts, guide && guide.left)
  const beyond = left ? rights.filter(([x, y]) => x > sideAt(left, y) + LEAST_WIDTH_SHARE * height) : rights
  return { left, right: lineNear(beyond, guide && guide.right), top, bottom }
}

/**
 * The sides of a body in two readings, the surer first: of all that is covered, and of what is left without
 * low columns. Null: nothing is covered.
 */
export function findBodySides(
  coverage: Coverage,
  fromShare: number,
  toShare: number,
): readonly [SeenSides, SeenSides] | null {
  const all = findSeenSides(coverage, fromShare, toShare)
  const guide = all && findSeenSides(withoutLowColumns(coverage), fromShare, toShare)
  return all && [all, (guide && findSeenSides(coverage, fromShare, toShare, guide)) ?? all]
}

/** Of the longest column: what is brushed over beside a body, such as the opening of its handle, is lower. */
const LEAST_COLUMN_SHARE = 0.75

/** A coverage without what is lower beside it. The columns of a body reach from its rim to its base. */
function withoutLowColumns({ widthPx, heightPx, data }: Coverage): Coverage {
  const [runs, longest] = [new Uint32Array(widthPx), new Uint32Array(widthPx)]
  for (let i = 0; i < data.length; i++) {
    const x = i % widthPx
    const run = (data[i] ?? 0) >= INSIDE_BYTE ? (runs[x] ?? 0) + 1 : 0
    runs[x] = run
    if (run > (longest[x] ?? 0)) longest[x] = run
  }
  const least = LEAST_COLUMN_SHARE * longest.reduce((most, run) => Math.max(most, run), 0)
  const [from, to] = [longest.findIndex(run => run >= least), longest.findLastIndex(run => run >= least)]
  const isBody = (x: number): boolean => x >= from && x <= to
  return { widthPx, heightPx, data: data.map((byte, i) => (isBody(i % widthPx) ? byte : 0)) }
}

type Place = readonly [x: number, y: number]

function extentOf({ widthPx, heightPx, data }: Coverage): { top: number; bottom: number } | null {
  const rowHas = (y: number): boolean => data.subarray(y * widthPx, (y + 1) * widthPx).some(byte => byte >= INSIDE_BYTE)
  let [top, bottom] = [0, heightPx]
  while (top < bottom && !rowHas(top)) top++
  while (bottom > top && !rowHas(bottom - 1)) bottom--
  return bottom - top < 8 ? null : { top, bottom }
}

/** Where a row enters and leaves what is inside, between pixels' middles. */
function collectEdges({ widthPx, data }: Coverage, y: number, lefts: Place[], rights: Place[]): void {
  const row = data.subarray(y * widthPx, (y + 1) * widthPx)
  for (let x = 1; x < widthPx; x++) {
    const [before = 0, here = 0] = [row[x - 1], row[x]]
    const isInside = here >= INSIDE_BYTE
    if (before >= INSIDE_BYTE === isInside) continue
    const share = (INSIDE_BYTE - 0.5 - before) / (here - before)
    const list = isInside ? lefts : rights
    list.push([x - 0.5 + share, y + 0.5])
  }
}

function lineOf(places: readonly Place[], height: number, leastRows: number, random: () => number): Side | null {
  let best: Place[] = []
  for (let i = 0; i < TRIES; i++) {
    const [one, other] = [places[Math.floor(random() * places.length)], places[Math.floor(random() * places.length)]]
    if (!one || !other || Math.abs(one[1] - other[1]) < APART_SHARE * height) continue
    const slope = (other[0] - one[0]) / (other[1] - one[1])
    if (Math.abs(slope) > MOST_SLOPE) continue
    const near = places.filter(([x, y]) => Math.abs(x - one[0] - slope * (y - one[1])) < NEAR_SHARE * height)
    if (near.length > best.length) best = near
  }
  return best.length < leastRows ? null : throughAll(best)
}

/** By least squares. */
function throughAll(places: readonly Place[]): Side {
  const [meanX, meanY] = [mean(places.map(([x]) => x)), mean(places.map(([, y]) => y))]
  let [product, square] = [0, 0]
  for (const [x, y] of places) {
    product += (x - meanX) * (y - meanY)
    square += (y - meanY) ** 2
  }
  const slope = square === 0 ? 0 : product / square
  return { at: meanX - slope * meanY, slope }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
