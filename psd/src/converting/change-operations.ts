import type { Point, Rect } from '@vitrine/engine'
import type { Weight } from '../compositing/layer-mask.ts'
import type { FrameFilters } from './frame-filters.ts'
import type { FrameGeometry } from './frame-geometry.ts'
import type { FrameEffect, FrameOperation, Operation, PictureOperation } from './operation.ts'

/** How a document lies in another picture. */
export type Change = {
  readonly bounds: (rect: Rect) => Rect
  readonly draw: (draw: PictureOperation['draw']) => PictureOperation['draw']
  readonly weight: (weight: Weight) => Weight
  readonly geometry: (geometry: FrameGeometry) => FrameGeometry
  readonly effect: (effect: FrameEffect, frame: FrameOperation) => FrameEffect
  readonly filters: (filters: FrameFilters, frame: FrameOperation) => FrameFilters
  /** a length */
  readonly px: (px: number) => number
}

/** The same operations, for a picture in which their document is placed. */
export function changeOperations(operations: readonly Operation[], change: Change): Operation[] {
  const inside = (list: readonly Operation[]): Operation[] => changeOperations(list, change)
  const picture = (of: PictureOperation): PictureOperation => {
    return { ...of, bounds: change.bounds(of.bounds), draw: change.draw(of.draw) }
  }
  return operations.map((operation): Operation => {
    switch (operation.kind) {
      case 'picture':
        return picture(operation)
      case 'frame':
        return {
          ...operation,
          geometry: change.geometry(operation.geometry),
          inner: inside(operation.inner),
          effects: operation.effects.map(effect =>
            effect.kind === 'picture'
              ? { ...effect, picture: picture(effect.picture) }
              : change.effect(effect, operation),
          ),
          filters: operation.filters && change.filters(operation.filters, operation),
          undrawnPx: Math.ceil(change.px(operation.undrawnPx)),
        }
      case 'adjust':
        return { ...operation, weight: change.weight(operation.weight) }
      case 'color': {
        const { bounds, weight } = operation
        return { ...operation, bounds: change.bounds(bounds), weight: change.weight(weight) }
      }
      case 'group': {
        const { weight, operations: list, clip } = operation
        return { ...operation, operations: inside(list), clip: inside(clip), weight: change.weight(weight) }
      }
      case 'mix':
        return { ...operation, operations: inside(operation.operations), weight: change.weight(operation.weight) }
      default:
        throw new Error('Pictures are joined to affine ones after they were moved.')
    }
  })
}

/** `move`: of an offset. Pictures are drawn, not scaled. */
export function scaleEffect(effect: FrameEffect, scale: number, move: (offset: Point) => Point): FrameEffect {
  switch (effect.kind) {
    case 'picture':
    case 'overlay':
      return effect
    case 'stroke':
      return { ...effect, outerPx: effect.outerPx * scale, innerPx: effect.innerPx * scale }
    default: {
      const { offset, spread, blur } = effect
      return { ...effect, offset: move(offset), spread: spread * scale, blur: blur * scale }
    }
  }
}
