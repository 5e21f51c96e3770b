import type { OpaquePixmap, PreparedTemplate, Template } from '@vitrine/engine'

type Point = [x: number, y: number]

/** Beyond this difference in aspect ratio, a thumbnail is not of the scene and its outlines are unknown. */
const RATIO_TOLERANCE = 0.01

/**
 * The outline of each frame: its corners, or the hull of its coverage map. `thumbnail` is the picture that
 * the outlines are drawn over.
 */
export function outlineFrames(
  template: Template,
  prepared: PreparedTemplate,
  thumbnail: Pick<OpaquePixmap, 'widthPx' | 'heightPx'>,
  sceneWidthPx: number,
): Point[][] {
  const ratio = (prepared.widthPx * thumbnail.heightPx) / (prepared.heightPx * thumbnail.widthPx)
  if (Math.abs(ratio - 1) > RATIO_TOLERANCE) return template.frames.map(() => [])
  const scale = prepared.widthPx / sceneWidthPx
  return template.frames.map(({ placement }, index) => {
    const points = placement.kind === 'corners' ? placement.corners.map(([x, y]): Point => [x * scale, y * scale]) : []
    const frame = prepared.frames[index]
    const around = frame !== undefined && placement.kind === 'uvmap' ? hullOfCoverage(frame) : points
    return around.map(([x, y]) => [rounded(x / prepared.widthPx), rounded(y / prepared.heightPx)])
  })
}

const rounded = (value: number): number => Math.max(-20, Math.min(20, Math.round(value * 10_000) / 10_000))

/**
 * The convex hull of the pixels that are at least half covered (Andrew's monotone chain over the ends of
 * every fourth row).
 */
function hullOfCoverage({ plan: { region }, coverage }: PreparedTemplate['frames'][number]): Point[] {
  const left: Point[] = []
  const right: Point[] = []
  for (let row = 0; row < region.heightPx; row += Math.max(1, Math.floor(region.heightPx / 24))) {
    const pixels = coverage.subarray(row * region.widthPx, (row + 1) * region.widthPx)
    const first = pixels.findIndex(value => value >= 128)
    if (first < 0) continue
    left.push([region.left + first, region.top + row])
    right.push([region.left + pixels.findLastIndex(value => value >= 128) + 1, region.top + row])
  }
  return [...convex(right), ...convex(left.toReversed())]
}

/** The points of one side of the hull, without those that lie inside. */
function convex(points: readonly Point[]): Point[] {
  const hull: Point[] = []
  for (const point of points) {
    for (;;) {
      const [a, b] = hull.slice(-2)
      if (a === undefined || b === undefined) break
      if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break
      hull.pop()
    }
    hull.push(point)
  }
  return hull
}
