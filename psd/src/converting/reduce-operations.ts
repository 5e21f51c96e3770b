import type { ContentPlacement } from '@vitrine/engine'
import type { Weight } from '../compositing/layer-mask.ts'
import { averagePicture, averagePlane, type Reduction, reduceRect } from './area-average.ts'
import { buildFrameGeometry, type FrameGeometry } from './frame-geometry.ts'
import type { FrameEffect, Operation, PictureOperation } from './operation.ts'

/** The same operations in a smaller document: pictures and masks are means by area, frames lie as exactly. */
export function reduceOperations(operations: readonly Operation[], reduction: Reduction): Operation[] {
  const inside = (list: readonly Operation[]): Operation[] => reduceOperations(list, reduction)
  const reduceWeight = (weight: Weight): Weight => reduceMask(weight, reduction)
  return operations.map((operation): Operation => {
    switch (operation.kind) {
      case 'picture':
        return reducePicture(operation, reduction)
      case 'frame':
        return {
          ...operation,
          geometry: reduceGeometry(operation.geometry, reduction),
          inner: inside(operation.inner),
          effects: operation.effects.map(effect => reduceEffect(effect, reduction)),
          undrawnPx: Math.ceil(operation.undrawnPx * reduction.scaleX),
        }
      case 'adjust':
        return { ...operation, weight: reduceWeight(operation.weight) }
      case 'color': {
        const { bounds, weight } = operation
        return { ...operation, bounds: reduceRect(bounds, reduction), weight: reduceWeight(weight) }
      }
      case 'group': {
        const { weight, operations: list, clip } = operation
        return { ...operation, operations: inside(list), clip: inside(clip), weight: reduceWeight(weight) }
      }
      case 'mix':
        return { ...operation, operations: inside(operation.operations), weight: reduceWeight(operation.weight) }
      default:
        throw new Error('Pictures are joined to affine ones after they were reduced.')
    }
  })
}

function reducePicture(picture: PictureOperation, reduction: Reduction): PictureOperation {
  const { draw, bounds } = picture
  return {
    ...picture,
    bounds: reduceRect(bounds, reduction),
    draw: rect => averagePicture(draw, rect, reduction),
  }
}

function reduceEffect(effect: FrameEffect, reduction: Reduction): FrameEffect {
  const scale = reduction.scaleX
  switch (effect.kind) {
    case 'picture':
      return { ...effect, picture: reducePicture(effect.picture, reduction) }
    case 'overlay':
      return effect
    case 'stroke':
      return { ...effect, outerPx: effect.outerPx * scale, innerPx: effect.innerPx * scale }
    default: {
      const { offset, spread, blur } = effect
      const moved = [offset[0] * scale, offset[1] * scale] as const
      return { ...effect, offset: moved, spread: spread * scale, blur: blur * scale }
    }
  }
}

function reduceMask(weight: Weight, reduction: Reduction): Weight {
  return weight && (rect => averagePlane(source => weight(source) ?? ones(source), rect, reduction))
}

function ones({ widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number }): Float32Array {
  return new Float32Array(widthPx * heightPx).fill(1)
}

function reduceGeometry({ placement, mask, alpha, isStored }: FrameGeometry, reduction: Reduction): FrameGeometry {
  return buildFrameGeometry(
    reducePlacement(placement, reduction),
    reduceMask(mask, reduction),
    rect => averagePlane(alpha, rect, reduction),
    isStored,
    reduction.reduced,
  )
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
