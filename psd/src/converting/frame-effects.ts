import { intersectRects, type Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import {
  coverOfEffects,
  drawGradientOverlay,
  effectMargin,
  type LayerEffect,
  readEffects,
} from '../compositing/effects.ts'
import { cutPlane, multiplyPlane } from '../compositing/float-picture.ts'
import { hasPixels, layerRect } from '../compositing/layer-source.ts'
import { spread } from '../rects.ts'
import { reachOfFilters } from './frame-filters.ts'
import type { FrameGeometry } from './frame-geometry.ts'
import type { FrameEffect, FrameOperation } from './operation.ts'

/** The effects of a smart object, as its frame draws them from the shape of artwork. */
export function frameEffects(
  layer: Layer,
  { bounds }: Pick<FrameGeometry, 'bounds'>,
  canvas: Rect,
  globalAngle: number,
): readonly FrameEffect[] {
  // The bounds of the pixels that Photoshop stored have room for filters around them.
  const box = hasPixels(layer) ? layerRect(layer) : bounds
  return readEffects(layer.effects, globalAngle).map((effect: LayerEffect): FrameEffect => {
    if (effect.kind !== 'gradient') return effect
    const { name, mode, opacity } = effect
    const draw = (rect: Rect) => drawGradientOverlay(effect, intersectRects(rect, bounds), box, canvas)
    return {
      kind: 'picture',
      name,
      mode,
      opacity,
      picture: { kind: 'picture', names: [name], mode, fill: 1, bounds, draw },
    }
  })
}

/** How far effects of a frame reach beyond it, including those that are not drawn. */
export function marginOf(frame: FrameOperation): number {
  return effectMargin(effectsBeside(frame))
}

/** Effects that are not drawn, and filters, count as a stroke, which hides as much of Photoshop's picture. */
function effectsBeside({ effects, filters, undrawnPx }: FrameOperation): readonly LayerEffect[] {
  const drawn = effects.filter(effect => effect.kind !== 'picture')
  const band = { kind: 'stroke', name: 'bevel', mode: 'normal', opacity: 1, color: [0, 0, 0] } as const
  const outerPx = Math.max(undrawnPx, reachOfFilters(filters))
  return outerPx === 0 ? drawn : [...drawn, { ...band, outerPx, innerPx: 0 }]
}

/** Where effects show outside the artwork of a frame; `shapeIn` is its shape. Null if there are none. */
export function coverBeside(
  frame: FrameOperation,
  rect: Rect,
  shapeIn: (rect: Rect) => Float32Array,
): Float32Array | null {
  const effects = effectsBeside(frame)
  const margin = effectMargin(effects)
  if (margin === 0) return null
  const wide = spread(rect, margin)
  return cutPlane(coverOfEffects(effects, shapeIn(wide), wide), wide, rect)
}

/** The shape of the pixels that Photoshop stored for a frame. */
export function storedShape({ alpha, mask }: FrameGeometry, rect: Rect): Float32Array {
  const stored = alpha(rect)
  const weight = mask?.(rect)
  if (weight) multiplyPlane(stored, weight)
  return stored
}
