/** Finished shapes of masks: their points are moved, added and removed. Points are scene pixels. */
import type { Draft, DraftMask, Point, Polygon } from './draft.ts'

/** Fewer points enclose nothing. */
export const SHAPE_POINTS_MIN = 3

/** A point of a shape of a frame's mask, or of a colour area. */
export type ShapePoint = { readonly partId: string; readonly shape: number; readonly point: number }

export const shapesOf = (mask: DraftMask): readonly Polygon[] => (mask.kind === 'drawn' ? mask.polygons : [])

/** A mask that loses its last shape, and has no picture, hides nothing. */
function withShape(mask: DraftMask, which: number, shape: Polygon): DraftMask {
  if (mask.kind !== 'drawn') return mask
  const polygons = mask.polygons.flatMap((before, index) =>
    index !== which ? [before] : shape.length < SHAPE_POINTS_MIN ? [] : [shape],
  )
  return polygons.length === 0 && mask.picture === null ? { kind: 'none' } : { ...mask, polygons }
}

function withPoints(draft: Draft, { partId, shape }: ShapePoint, change: (points: Polygon) => Polygon): Draft {
  const changed = <Part extends { readonly id: string; readonly mask: DraftMask }>(part: Part): Part => {
    const points = part.id === partId ? shapesOf(part.mask)[shape] : undefined
    return points === undefined ? part : { ...part, mask: withShape(part.mask, shape, change(points)) }
  }
  return { ...draft, frames: draft.frames.map(changed), areas: draft.areas.map(changed) }
}

/** The point at another place, limited to the photo. */
export const withPointAt = (draft: Draft, which: ShapePoint, [x, y]: Point): Draft =>
  withPoints(draft, which, points =>
    points.with(which.point, [Math.min(draft.widthPx, Math.max(0, x)), Math.min(draft.heightPx, Math.max(0, y))]),
  )

/** One more point, halfway to the next one. */
export const withPointAfter = (draft: Draft, which: ShapePoint): Draft =>
  withPoints(draft, which, points => {
    const [from, to] = [points[which.point], points[(which.point + 1) % points.length]]
    if (from === undefined || to === undefined) return points
    return points.toSpliced(which.point + 1, 0, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2])
  })

/** Without the point; a shape of three is removed. */
export const withoutPoint = (draft: Draft, which: ShapePoint): Draft =>
  withPoints(draft, which, points => points.toSpliced(which.point, 1))
