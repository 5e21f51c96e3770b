import type { OpaquePixmap, PreparedTemplate, Template } from '@vitrine/engine'
import { z } from 'zod'

const share = z.number().min(-20).max(20)

export const templateLookSchema = z.object({
  /** Of the thumbnail, in pixels. */
  widthPx: z.int().positive().max(10_000),
  heightPx: z.int().positive().max(10_000),
  /** The thumbnail at a few pixels, a JPEG in base64. */
  tiny: z.base64().max(4000),
  /** By frame: the points around it, in shares of the picture's width and height. Empty where unknown. */
  outlines: z.array(z.array(z.tuple([share, share])).max(64)).max(100),
})

/** How galleries show a template before its picture is there. */
export type TemplateLook = z.infer<typeof templateLookSchema>

type Point = [x: number, y: number]

/** A thumbnail made of another picture than the scene shows its frames in other places. */
const RATIO_TOLERANCE = 0.01

/**
 * Points around each frame: its corners, or the hull of what a map covers. `thumbnail` is the picture that
 * they will be drawn over.
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
 * The convex hull of the pixels that are covered by half at least (Andrew's monotone chain over the ends of
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

/** Of points along one side, those that don't lie inward. */
function convex(points: readonly Point[]): Point[] {
  const kept: Point[] = []
  for (const point of points) {
    for (;;) {
      const [a, b] = kept.slice(-2)
      if (a === undefined || b === undefined) break
      if ((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break
      kept.pop()
    }
    kept.push(point)
  }
  return kept
}
