import { type Drawing, type Stroke, scaleDrawing } from '../drawing/drawing.ts'
import { reducePlane } from '../masking/reduce-coverage.ts'
import type { Coverage, Outlines, PhotoPixels } from '../photo-pixels.ts'
import { labelStrokes } from './brush-labels.ts'
import { toFeatures } from './color-features.ts'
import type { ColorPlanes } from './color-mixture.ts'
import { buildPixelGraph, grabCut, type PixelGraph } from './grab-cut.ts'
import { type RefinedCut, refineEdge } from './guided-edge.ts'

/** The longer side of the reduced photo in which outlines are cut; edges are refined in the whole one. */
const CUT_SIDE_PX = 512

/** Finds outlines in one photo. */
export type Outliner = {
  /**
   * The outline of what strokes of a brush, in pixels of the photo, were drawn over: how much of each pixel
   * belongs to it. The same strokes give the same bytes. Without strokes that add, nothing does.
   */
  readonly outline: (strokes: readonly Stroke[]) => Coverage
}

/**
 * Reduces a photo once, for outlines of any strokes on it. It retains the photo, about 12 MB more and the
 * last outline, of which one more stroke changes a part.
 */
export function createOutliner(photo: PhotoPixels): Outliner {
  const share = Math.min(1, CUT_SIDE_PX / Math.max(photo.widthPx, photo.heightPx))
  const widthPx = Math.max(1, Math.round(photo.widthPx * share))
  const heightPx = Math.max(1, Math.round(photo.heightPx * share))
  let graph: PixelGraph | null = null
  let last: RefinedCut | null = null
  const outline = (strokes: readonly Stroke[]): Coverage => {
    graph ??= reduceToGraph(photo, widthPx, heightPx)
    const { labels, depths, erased } = labelStrokes(strokes, widthPx, heightPx, widthPx / photo.widthPx)
    const inside = grabCut(graph, labels, depths)
    const coverage = refineEdge(photo, { inside, erased, widthPx, heightPx }, last)
    last = { inside, erased, coverage }
    return coverage
  }
  return { outline }
}

/** The outlines of all brushed areas of a drawing, for `makeTemplate`. The drawing may be of another size. */
export function outlinesOf(
  photo: PhotoPixels,
  drawing: Drawing,
  { outline }: Outliner = createOutliner(photo),
): Outlines {
  const { product, frames } = scaleDrawing(drawing, photo.widthPx, photo.heightPx)
  return {
    product: product && outline(product.strokes),
    fronts: frames.map(({ front }) => (front.length === 0 ? null : outline(front))),
  }
}

function reduceToGraph(photo: PhotoPixels, widthPx: number, heightPx: number): PixelGraph {
  const plane = (channel: number): Float32Array => reducePlane(photo, 3, channel, widthPx, heightPx)
  const planes: ColorPlanes = [plane(0), plane(1), plane(2)]
  toFeatures(planes)
  return buildPixelGraph(planes, widthPx, heightPx)
}
