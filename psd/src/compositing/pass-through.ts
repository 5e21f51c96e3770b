import type { Layer } from 'ag-psd'
import { readBlendIf } from './blend-if.ts'
import { type ClippingSet, clippingSets } from './clipping-sets.ts'

/**
 * Whether the layers of a group meet what is below it. In Photoshop, a fill below 100 % and layers clipped to
 * it keep its adjustments within its own pixels, while its other layers still blend with what is below.
 */
export function passesThrough(set: ClippingSet): boolean {
  const { base, clipped } = set
  if (base.children === undefined || base.blendMode !== 'pass through') return false
  if (!keepsAdjustments(set)) return true
  if (hasAdjustments(base.children)) return false
  return clipped.length === 0 || blendsBelow(base.children)
}

/** Whether layers that blend with what is below a group, and adjustments that do not, are both in it. */
export function mixesBoth(set: ClippingSet): boolean {
  const { blendMode, children } = set.base
  if (children === undefined || blendMode !== 'pass through' || !keepsAdjustments(set)) return false
  return hasAdjustments(children) && blendsBelow(children)
}

function keepsAdjustments({ base, clipped }: ClippingSet): boolean {
  return clipped.length > 0 || (base.fillOpacity ?? 1) < 1
}

/** Groups that keep theirs do not count, so that each layer is visited once, however groups are nested. */
function hasAdjustments(layers: readonly Layer[]): boolean {
  return clippingSets(layers).some(set => {
    const { adjustment, blendMode, children } = set.base
    if (adjustment) return true
    return children !== undefined && blendMode === 'pass through' && !keepsAdjustments(set) && hasAdjustments(children)
  })
}

function blendsBelow(layers: readonly Layer[]): boolean {
  return clippingSets(layers).some(set => {
    const { adjustment, blendMode, children } = set.base
    if (adjustment) return false
    if (readBlendIf(set.base).below) return true
    if (children === undefined || blendMode !== 'pass through') return !isolatedModes.has(blendMode)
    return !(keepsAdjustments(set) && hasAdjustments(children)) && blendsBelow(children)
  })
}

/** Those that do not depend on what is below. */
const isolatedModes: ReadonlySet<Layer['blendMode']> = new Set([undefined, 'normal', 'pass through', 'dissolve'])
