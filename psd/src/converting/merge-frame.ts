import type { Layer } from 'ag-psd'
import { type Drawing, modeOf } from '../compositing/compose-layers.ts'
import { undrawnMargin } from '../compositing/effects.ts'
import type { Weight } from '../compositing/layer-mask.ts'
import { frameEffects } from './frame-effects.ts'
import { maskGeometry } from './frame-geometry.ts'
import type { FrameOperation, Operation } from './operation.ts'

/**
 * A group that contains only a frame, as that frame with the effects of the group: its shape is that of the
 * artwork. Null if it contains more.
 */
export function mergeFrame(
  base: Layer,
  operations: readonly Operation[],
  clip: readonly Operation[],
  weight: Weight,
  drawing: Drawing,
): FrameOperation | null {
  const [only, ...others] = operations
  if (clip.length > 0 || others.length > 0 || only?.kind !== 'frame' || only.effects.length > 0) return null
  if (only.filters && weight) return null
  const isOpen = base.blendMode === 'pass through'
  const opacity = only.opacity * (base.opacity ?? 1)
  return {
    ...only,
    geometry: maskGeometry(only.geometry, weight, drawing.canvas),
    mode: isOpen ? only.mode : modeOf(base, drawing),
    opacity: isOpen ? opacity : opacity * only.fill,
    fill: isOpen ? only.fill * (base.fillOpacity ?? 1) : (base.fillOpacity ?? 1),
    effects: frameEffects(base, only.geometry, drawing),
    undrawnPx: Math.max(only.undrawnPx, undrawnMargin(base.effects)),
  }
}
