import { type ColorCost, type ColorPlanes, fitColorMixture } from './color-mixture.ts'
import { DIRECTIONS, minCut, neighborOffsets } from './min-cut.ts'

/** What the strokes say about a pixel. */
export const GROUND = 0
export const UNKNOWN = 1
export const PRODUCT = 2

/** The cost of an edge between similar pixels, tuned on scenes; every edge costs 1 more. */
const EDGE_COST = 300

/** The weight of colour against edges, and its limit, because neighbouring pixels err together. */
const COLOR_COST = 2
const MAX_COLOR_COST = 27

/** The cost of excluding a pixel per px that it lies inside the painted area, and the greatest such depth. */
const PAINT_COST_PER_PX = 3
const MOST_PAINT_DEPTH_PX = 10

/** Colours and cut are computed alternately until few pixels change sides. */
const MAX_ROUNDS = 4
const SETTLED_SHARE = 2e-4

/** Scales costs to the cut's capacities, which are whole numbers. */
const CAPACITY_OF_COST = 64

/** The pixels and their edges, shared by all cuts of a photo. */
export type PixelGraph = {
  readonly widthPx: number
  readonly heightPx: number
  readonly planes: ColorPlanes
  /** cost of an edge from pixel i in direction d, at `8 i + d`; 0 beyond the rim */
  readonly edges: Int32Array
}

/** The edges between pixels: expensive between similar colours, cheap between different ones. */
export function buildPixelGraph(planes: ColorPlanes, widthPx: number, heightPx: number): PixelGraph {
  const [red, green, blue] = planes
  const offsets = neighborOffsets(widthPx)
  const difference = (i: number, j: number): number =>
    ((red[i] ?? 0) - (red[j] ?? 0)) ** 2 +
    ((green[i] ?? 0) - (green[j] ?? 0)) ** 2 +
    ((blue[i] ?? 0) - (blue[j] ?? 0)) ** 2
  let [sum, count] = [0, 0]
  for (let y = 0, i = 0; y < heightPx; y++, i++) {
    for (let x = 0; x + 1 < widthPx; x++, i++, count++) sum += difference(i, i + 1)
  }
  const beta = 1 / (2 * Math.max(1e-7, sum / Math.max(1, count)))
  const edges = new Int32Array(DIRECTIONS * widthPx * heightPx)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      for (let d = 0; d < DIRECTIONS; d += 2) {
        // East, south, south-east and north-east; the opposite ones are the same edges.
        const toX = d === 2 ? x : x + 1
        const toY = d === 0 ? y : d === 6 ? y - 1 : y + 1
        if (toX >= widthPx || toY < 0 || toY >= heightPx) continue
        const j = i + (offsets[d] ?? 0)
        const length = d < 4 ? 1 : Math.SQRT2
        const cost = 1 + (EDGE_COST / length) * Math.exp(-beta * difference(i, j))
        const capacity = Math.round(CAPACITY_OF_COST * cost)
        edges[DIRECTIONS * i + d] = capacity
        edges[DIRECTIONS * j + d + 1] = capacity
      }
    }
  }
  return { widthPx, heightPx, planes, edges }
}

/**
 * GrabCut: which unknown pixels belong to the product, by the colours of both sides and the photo's edges.
 * C. Rother, V. Kolmogorov, A. Blake, "GrabCut": Interactive Foreground Extraction, 2004. If colours do not
 * decide, the edge of the painted area does. `labels`: what the strokes say about each pixel; `depths`: how
 * many px inside the painted area it lies. Returns 1 inside.
 */
export function grabCut(graph: PixelGraph, labels: Uint8Array, depths: Float32Array): Uint8Array {
  const unknown = pixelsWhere(labels, label => label === UNKNOWN)
  let inside: Uint8Array = labels.map(label => (label === PRODUCT ? 1 : 0))
  let product = fitColorMixture(
    graph.planes,
    pixelsWhere(labels, label => label === PRODUCT),
  )
  let ground = fitColorMixture(
    graph.planes,
    pixelsWhere(labels, label => label === GROUND),
  )
  for (let round = 0; round < MAX_ROUNDS && unknown.length > 0; round++) {
    if (round > 0) {
      product = fitColorMixture(
        graph.planes,
        pixelsWhere(inside, side => side === 1),
      )
      ground = fitColorMixture(
        graph.planes,
        pixelsWhere(inside, side => side === 0),
      )
    }
    const next = cutUnknown(graph, labels, depths, unknown, product, ground)
    const moved = unknown.reduce((sum, pixel) => sum + (next[pixel] === inside[pixel] ? 0 : 1), 0)
    inside = next
    if (moved < labels.length * SETTLED_SHARE) break
  }
  return inside
}

/** Only unknown pixels are nodes: an edge to a known one is a capacity from the source or to the sink. */
function cutUnknown(
  { widthPx, planes: [red, green, blue], edges }: PixelGraph,
  labels: Uint8Array,
  depths: Float32Array,
  unknown: Int32Array,
  product: ColorCost,
  ground: ColorCost,
): Uint8Array {
  const offsets = neighborOffsets(widthPx)
  const terminals = new Int32Array(labels.length)
  const capacities = new Int32Array(edges.length)
  for (const pixel of unknown) {
    const [r, g, b] = [red[pixel] ?? 0, green[pixel] ?? 0, blue[pixel] ?? 0]
    const color = clamp(COLOR_COST * (ground(r, g, b) - product(r, g, b)), MAX_COLOR_COST)
    const paint = PAINT_COST_PER_PX * clamp(depths[pixel] ?? 0, MOST_PAINT_DEPTH_PX)
    let terminal = Math.round(CAPACITY_OF_COST * (color + paint))
    for (let d = 0; d < DIRECTIONS; d++) {
      const edge = edges[DIRECTIONS * pixel + d] ?? 0
      if (edge === 0) continue
      const label = labels[pixel + (offsets[d] ?? 0)]
      if (label === UNKNOWN) capacities[DIRECTIONS * pixel + d] = edge
      else terminal += label === PRODUCT ? edge : -edge
    }
    terminals[pixel] = terminal
  }
  const inside = minCut(widthPx, terminals, capacities)
  for (let i = 0; i < inside.length; i++) if (labels[i] === PRODUCT) inside[i] = 1
  return inside
}

const clamp = (value: number, most: number): number => Math.min(most, Math.max(-most, value))

function pixelsWhere(values: Uint8Array, isWanted: (value: number) => boolean): Int32Array {
  const pixels = new Int32Array(values.length)
  let count = 0
  for (let i = 0; i < values.length; i++) if (isWanted(values[i] ?? 0)) pixels[count++] = i
  return pixels.subarray(0, count)
}
