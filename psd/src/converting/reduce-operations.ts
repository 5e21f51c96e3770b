import type { ContentPlacement, Point } from '@vitrine/engine'
import type { Weight } from '../compositing/layer-mask.ts'
import type { Displacement } from '../geometry/displacement.ts'
import { averagePicture, averagePlane, type Reduction, reduceRect } from './area-average.ts'
import { changeOperations, scaleEffect } from './change-operations.ts'
import { scaleFilters } from './frame-filters.ts'
import { buildFrameGeometry, type FrameGeometry } from './frame-geometry.ts'
import type { Operation } from './operation.ts'

/** The same operations in a smaller document: pictures and masks are means by area, frames are exact. */
export function reduceOperations(operations: readonly Operation[], reduction: Reduction): Operation[] {
  const { scaleX } = reduction
  const move = ([x, y]: Point): Point => [x * scaleX, y * scaleX]
  const weight = (of: Weight): Weight => reduceMask(of, reduction)
  return changeOperations(operations, {
    bounds: rect => reduceRect(rect, reduction),
    draw: draw => rect => averagePicture(draw, rect, reduction),
    weight,
    geometry: geometry => reduceGeometry(geometry, reduction),
    effect: effect => scaleEffect(effect, scaleX, move),
    filters: filters => scaleFilters(filters, scaleX, move, weight),
    px: px => px * scaleX,
  })
}

function reduceMask(weight: Weight, reduction: Reduction): Weight {
  return weight && (rect => averagePlane(source => weight(source) ?? ones(source), rect, reduction))
}

function ones({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): Float32Array {
  return new Float32Array(widthPx * heightPx).fill(1)
}

function reduceGeometry(
  { placement, displacement, mask, alpha, isStored }: FrameGeometry,
  reduction: Reduction,
): FrameGeometry {
  return buildFrameGeometry(
    {
      placement: reducePlacement(placement, reduction),
      displacement: displacement && reduceDisplacement(displacement, reduction),
      mask: reduceMask(mask, reduction),
      alpha: rect => averagePlane(alpha, rect, reduction),
      isStored,
    },
    reduction.reduced,
  )
}

function reduceDisplacement({ from, reachPx }: Displacement, { scaleX, scaleY }: Reduction): Displacement {
  return {
    from: (x, y) => {
      const [atX, atY] = from(x / scaleX, y / scaleY)
      return [atX * scaleX, atY * scaleY]
    },
    reachPx: Math.ceil(reachPx * Math.max(scaleX, scaleY)),
  }
}

function reducePlacement(placement: ContentPlacement, { scaleX, scaleY }: Reduction): ContentPlacement {
  const { forward, quad } = placement
  return {
    ...placement,
    forward: (x, y) => {
      const [atX, atY] = forward(x, y)
      return [atX * scaleX, atY * scaleY]
    },
    quad: quad && [
      [quad[0][0] * scaleX, quad[0][1] * scaleY],
      [quad[1][0] * scaleX, quad[1][1] * scaleY],
      [quad[2][0] * scaleX, quad[2][1] * scaleY],
      [quad[3][0] * scaleX, quad[3][1] * scaleY],
    ],
  }
}
