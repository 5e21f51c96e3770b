import {
  buildContentMap,
  type ContentMap,
  type ContentPlacement,
  contentCoverage,
  intersectRects,
  placementBounds,
  type Quad,
  type Rect,
} from '@vitrine/engine'
import type { Layer, PlacedLayer } from 'ag-psd'
import { cutPlane, multiplyPlane } from '../compositing/float-picture.ts'
import { type Weight, weightOf } from '../compositing/layer-mask.ts'
import { hasPixels, readAlpha } from '../compositing/layer-source.ts'
import { displaceContent } from '../geometry/displaced-content.ts'
import type { Displacement } from '../geometry/displacement.ts'
import { placementOf } from '../geometry/placement.ts'
import type { FileBytes } from '../reading/file-bytes.ts'
import { spread } from '../rects.ts'

/** Where a frame's artwork lies, and which parts of it are visible. */
export type FrameGeometry = {
  readonly placement: ContentPlacement
  /** how filters move the content */
  readonly displacement: Displacement | null
  /** every pixel that the content can touch */
  readonly bounds: Rect
  /** the layer's masks */
  readonly mask: Weight
  /** the map over a rectangle inside the bounds; for a mesh, always the same object */
  readonly map: (rect: Rect) => ContentMap
  /** coverage by the content's edges, 0..1, over any rectangle */
  readonly coverage: (rect: Rect) => Float32Array
  /** coverage times the layer's masks */
  readonly shape: (rect: Rect) => Float32Array
  /** alpha of the pixels that Photoshop stored for it, which may reach further at its edges; without masks */
  readonly alpha: (rect: Rect) => Float32Array
  /** whether there are such pixels */
  readonly isStored: boolean
}

/**
 * `isMasked`: its filters have a mask, and its stored pixels are as if they had none.
 * @throws PsdRefusedError for an unsupported warp
 */
export function frameGeometryOf(
  file: FileBytes,
  layer: Layer,
  placed: PlacedLayer,
  displacement: Displacement | null,
  canvas: Rect,
  isMasked: boolean,
): FrameGeometry {
  return buildFrameGeometry(
    {
      placement: placementOf(placed),
      displacement,
      mask: weightOf(file, layer),
      alpha: rect => readAlpha(file, layer, rect),
      isStored: hasPixels(layer) && !isMasked,
    },
    canvas,
  )
}

/** The parts of a geometry. */
type FrameShape = Pick<FrameGeometry, 'placement' | 'displacement' | 'mask' | 'alpha' | 'isStored'>

export function buildFrameGeometry(
  { placement, displacement, mask, alpha, isStored }: FrameShape,
  canvas: Rect,
): FrameGeometry {
  const near = placementBounds(placement, canvas)
  const bounds = displacement ? intersectRects(spread(near, displacement.reachPx), canvas) : near
  const displaced = displacement && displaceContent(placement, near, displacement)
  const still = placement.quad ? quadCoverage(placement) : meshCoverage(placement, near)
  const coverage = displaced ? (rect: Rect) => displaced(rect).coverage : still
  return {
    placement,
    displacement,
    bounds,
    mask,
    map: rect => (displaced ? displaced(rect).map : buildContentMap(placement, rect)),
    coverage,
    shape: rect => {
      const plane = coverage(rect)
      const weight = mask?.(rect)
      if (weight) multiplyPlane(plane, weight)
      return plane
    },
    alpha,
    isStored,
  }
}

/** The four corners, if they determine a frame's map. */
export function cornersOf({ placement, displacement }: FrameGeometry): Quad | null {
  return displacement ? null : placement.quad
}

/** The same with another mask on it. */
export function maskGeometry(geometry: FrameGeometry, weight: Weight, canvas: Rect): FrameGeometry {
  const { mask } = geometry
  if (!weight) return geometry
  const both: Weight = rect => {
    const plane = weight(rect)
    const own = mask?.(rect)
    if (plane && own) multiplyPlane(plane, own)
    return plane ?? own ?? null
  }
  return buildFrameGeometry({ ...geometry, mask: both }, canvas)
}

function quadCoverage(placement: ContentPlacement): (rect: Rect) => Float32Array {
  return rect => contentCoverage(placement, buildContentMap(placement, rect))
}

/** A mesh is drawn once: a strip of it would cost as much as the whole. */
function meshCoverage(placement: ContentPlacement, bounds: Rect): (rect: Rect) => Float32Array {
  let whole: Float32Array | null = null
  return rect => {
    whole ??= contentCoverage(placement, buildContentMap(placement, bounds))
    return cutPlane(whole, bounds, rect)
  }
}
