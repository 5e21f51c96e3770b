import type { Layer } from 'ag-psd'
import { readBlendIf } from '../compositing/blend-if.ts'
import { hasEffects } from '../compositing/effects.ts'
import { hasMask } from '../compositing/layer-mask.ts'

/** Whether a group changes nothing of its layers. */
export function isOpen(group: Layer): boolean {
  const isPlain = group.blendMode === 'pass through' && (group.opacity ?? 1) >= 1 && (group.fillOpacity ?? 1) >= 1
  return isPlain && !hasMask(group) && !readBlendIf(group).below && !hasEffects(group.effects)
}
