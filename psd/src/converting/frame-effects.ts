import { intersectRects, MAX_EFFECT_OFFSET_PX, MAX_EFFECTS, type Rect } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import { type Drawing, nameOf } from '../compositing/compose-layers.ts'
import { EffectMasks } from '../compositing/effect-masks.ts'
import {
  coverOfEffects,
  drawGradientOverlay,
  effectMargin,
  type LayerEffect,
  readEffects,
  shapedOf,
} from '../compositing/effects.ts'
import { multiplyPlane } from '../compositing/float-picture.ts'
import { hasPixels, layerRect } from '../compositing/layer-source.ts'
import { isEmpty, spread } from '../rects.ts'
import { reachOfFilters } from './frame-filters.ts'
import type { FrameGeometry } from './frame-geometry.ts'
import type { FrameEffect, FrameOperation } from './operation.ts'

/** The effects of a smart object, as its frame draws them from the shape of artwork. Notes those left out. */
export function frameEffects(
  layer: Layer,
  { bounds }: Pick<FrameGeometry, 'bounds'>,
  { canvas, document, notes }: Drawing,
): readonly FrameEffect[] {
  // The bounds of the pixels that Photoshop stored have room for filters around them.
  const box = hasPixels(layer) ? layerRect(layer) : bounds
  const all = readEffects(layer.effects, document.globalAngle)
  const seen = all.filter(effect => effect.kind !== 'shadow' || !isEmpty(shadowRect(effect, bounds, canvas)))
  const held = seen.map(nearest).filter(effect => effect.kind !== 'shadow' || effect.offset.every(isHeld))
  const farthest = MAX_EFFECT_OFFSET_PX.toLocaleString('en')
  for (const { name } of seen.filter(({ name }) => held.every(effect => effect.name !== name)))
    notes.leaveOut(nameOf(layer), `its ${name} is more than ${farthest} px away and is not drawn`, 'layerForEffect')
  for (const name of new Set(held.slice(0, -MAX_EFFECTS).map(({ name }) => name))) {
    const text = `its lowest ${name} is not drawn, for it has more than ${MAX_EFFECTS} effects`
    notes.leaveOut(nameOf(layer), text, 'layerForEffect')
  }
  return held.slice(-MAX_EFFECTS).map((effect: LayerEffect): FrameEffect => {
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

/** An inner shadow covers everything at any distance that a template cannot hold. */
function nearest(effect: LayerEffect): LayerEffect {
  if (effect.kind !== 'inner-shadow') return effect
  const [x, y] = effect.offset
  const limit = (px: number): number => Math.min(MAX_EFFECT_OFFSET_PX, Math.max(-MAX_EFFECT_OFFSET_PX, px))
  return { ...effect, offset: [limit(x), limit(y)] }
}

const isHeld = (px: number): boolean => Math.abs(px) <= MAX_EFFECT_OFFSET_PX

/** Where the shadow of a frame can be seen. */
function shadowRect(shadow: Extract<LayerEffect, { kind: 'shadow' }>, bounds: Rect, canvas: Rect): Rect {
  const [dx, dy] = shadow.offset
  const moved = { ...bounds, left: bounds.left + dx, top: bounds.top + dy }
  return intersectRects(spread(moved, Math.ceil(shadow.spread + shadow.blur) + 1), canvas)
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

/**
 * Where effects show outside the artwork of a frame; `shapeIn` is its shape. Null if there are none.
 * `frameCount`: of the frames whose masks are retained at the same time.
 */
export function coverBeside(
  frame: FrameOperation,
  shapeIn: (rect: Rect) => Float32Array,
  frameCount: number,
): ((rect: Rect) => Float32Array) | null {
  const effects = shapedOf(effectsBeside(frame))
  const margin = effectMargin(effects)
  if (margin === 0) return null
  const masks = new EffectMasks(effects.length * frameCount)
  const matte = { sources: [frame], effects, shapeIn, opacity: 1, bounds: spread(frame.geometry.bounds, margin) }
  return rect => coverOfEffects(matte, masks, rect)
}

/** The shape of the pixels that Photoshop stored for a frame. */
export function storedShape({ alpha, mask }: FrameGeometry, rect: Rect): Float32Array {
  const stored = alpha(rect)
  const weight = mask?.(rect)
  if (weight) multiplyPlane(stored, weight)
  return stored
}
