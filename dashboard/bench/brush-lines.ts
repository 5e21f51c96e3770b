import { distanceToSet, type Point } from '@vitrine/engine'
import { type Coverage, contoursOf } from '@vitrine/photo'

/** Lines are planned on a coarse grid: nobody brushes more exactly. */
const PLANNED_SIDE_PX = 500
/** Of the brush's radius: how deep inside the product its middle goes along the edge, as the hint says. */
const EDGE_DEPTH = 1.5
/** Of the radius: the middle is filled from this depth on, in lines this far apart. */
const FILL_DEPTH = 2.4
const FILL_STEP = 1.7
/** Of the radius: places of a line are this far apart. */
const SPACING = 0.8

/** What is brushed over a product, in the photo's pixels: first just inside its edge, then the middle. */
export function brushLines(product: Coverage, radiusPx: number): Point[][] {
  const scale = Math.max(product.widthPx, product.heightPx) / PLANNED_SIDE_PX
  const [width, height] = [Math.floor(product.widthPx / scale), Math.floor(product.heightPx / scale)]
  const radius = radiusPx / scale
  const isOutside = (i: number): boolean => {
    const [x, y] = [Math.floor((i % width) * scale), Math.floor(Math.floor(i / width) * scale)]
    return (product.data[y * product.widthPx + x] ?? 0) < 128
  }
  const depth = distanceToSet(isOutside, width, height)
  const inner = Uint8Array.from(depth, deep => (deep > EDGE_DEPTH * radius ? 255 : 0))
  const edges = contoursOf({ widthPx: width, heightPx: height, data: inner })
    .filter(line => line.length > 2 * radius)
    .map(line => spaced([...line, ...line.slice(0, 1)], SPACING * radius))
  return [...edges, ...fillLines(depth, width, height, radius)].map(line =>
    line.map(([x, y]): Point => [x * scale, y * scale]),
  )
}

/** To and fro through the middle, in one line wherever the rows below one another meet. */
function fillLines(depth: Float32Array, width: number, height: number, radius: number): Point[][] {
  const lines: Point[][] = []
  let open: { readonly line: Point[]; from: number; to: number }[] = []
  for (let y = 0; y < height; y += FILL_STEP * radius) {
    const row = Math.floor(y)
    const next: typeof open = []
    for (let x = 0; x < width; x++) {
      const from = x
      while (x < width && (depth[row * width + x] ?? 0) > FILL_DEPTH * radius) x++
      if (x === from) continue
      const above = open.find(each => !next.includes(each) && each.from < x && from < each.to)
      const run = above ?? { line: [], from, to: x }
      if (above === undefined) lines.push(run.line)
      Object.assign(run, { from, to: x })
      const isBack = run.line.length % 4 === 2
      run.line.push([isBack ? x : from, row], [isBack ? from : x, row])
      next.push(run)
    }
    open = next
  }
  return lines
}

function spaced(line: readonly Point[], leastPx: number): Point[] {
  const kept: Point[] = []
  for (const point of line) {
    const last = kept.at(-1)
    if (last === undefined || Math.hypot(point[0] - last[0], point[1] - last[1]) >= leastPx) kept.push(point)
  }
  return kept
}
