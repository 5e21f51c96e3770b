import type { CurvesAdjustment, Filter, Layer, PlacedLayer } from 'ag-psd'
import { type Adjustment, readAdjustment } from '../adjusting/adjustment.ts'
import { modeOf, nameOf } from '../compositing/compose-layers.ts'
import type { Weight } from '../compositing/layer-mask.ts'
import { isWholeDisplace, mapNameOf } from '../geometry/displacement.ts'
import { isDrawnWarp } from '../geometry/perspective-warp.ts'
import type { ImportNotes } from '../notes.ts'
import type { FoundFilterMask } from '../reading/filter-mask.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import { filtersOfFrame } from './frame-filters.ts'
import type { AdjustOperation, MixOperation } from './operation.ts'

/** Which filters of a smart object are drawn in addition to those that change colours. */
type DrawnFilters = {
  readonly isFrame: boolean
  readonly isDisplaced: boolean
  /** names of missing maps of Displace */
  readonly missingMaps: readonly string[]
}

function isMoved(filter: Filter, { isDisplaced, missingMaps }: DrawnFilters): boolean {
  return isDrawnWarp(filter) || (isDisplaced && isWholeDisplace(filter) && !missingMaps.includes(mapNameOf(filter)))
}

/** The mask of a smart object's filters as a weight. */
export function weightOfFilters(mask: FoundFilterMask): Weight {
  return mask === null || mask === 'unread' ? null : mask.plane
}

/**
 * Smart filters that change colours, as adjustments on the artwork within their mask. Others are noted,
 * except those drawn elsewhere: Perspective Warp, and for a frame blurs, Unsharp Mask and Displace.
 */
export function smartFilters(
  layer: Layer,
  placed: PlacedLayer,
  { filterCounts }: Pick<PsdDocument, 'filterCounts'>,
  mask: FoundFilterMask,
  notes: ImportNotes,
  drawn: DrawnFilters,
): readonly (AdjustOperation | MixOperation)[] {
  if (placed.filter?.enabled === false) return []
  const name = nameOf(layer)
  const list = placed.filter?.list ?? []
  const unread = (filterCounts.get(layer.id ?? -1) ?? 0) - list.length
  if (unread > 0)
    notes.leaveOut(
      name,
      unread === 1
        ? 'a smart filter of an unknown kind is not drawn'
        : `${unread} smart filters of unknown kinds are not drawn`,
      'applyFilter',
    )
  const used = list.filter(({ enabled }) => enabled)
  const moving = used.filter(filter => isMoved(filter, drawn))
  const changing = drawn.isFrame ? filtersOfFrame(placed) : []
  const adjusts = used
    .filter(filter => !moving.includes(filter) && !changing.includes(filter))
    .flatMap(filter => adjustOf(filter, name, notes, drawn))
  if (mask === 'unread') notes.leaveOut(name, 'the mask of its smart filters cannot be read', 'applyFilter')
  const weight = weightOfFilters(mask)
  if (weight) noteMask(name, moving, changing.length > 0 && adjusts.length > 0, notes)
  const [first, ...others] = adjusts
  if (!weight || !first) return adjusts
  if (others.length === 0) return [{ ...first, weight }]
  // The mask applies to all filters together.
  return [{ kind: 'mix', names: ['smart filters'], operations: adjusts, opacity: 1, weight, where: null }]
}

/** Notes where a mask differs from Photoshop, which mixes the pixels before and after all filters. */
function noteMask(name: string, moving: readonly Filter[], isMixed: boolean, notes: ImportNotes): void {
  if (moving.some(({ type }) => type !== 'displace')) {
    notes.leaveOut(name, 'the mask of its smart filters does not limit "perspective warp"', 'applyFilter')
  }
  if (moving.some(({ type }) => type === 'displace')) {
    notes.add('approximated', name, 'where the mask of its smart filters is grey, Displace moves the design less')
  }
  if (isMixed) {
    notes.add('approximated', name, 'where the mask of its smart filters is grey, colours change after the blur')
  }
}

function adjustOf(filter: Filter, name: string, notes: ImportNotes, { missingMaps }: DrawnFilters): AdjustOperation[] {
  const adjustment = readFilter(filter)
  if (!adjustment) {
    const map = isWholeDisplace(filter) ? missingMaps.find(each => each === mapNameOf(filter)) : undefined
    const isLost = `its smart filter "${filter.type}" is not drawn`
    if (map === undefined) notes.leaveOut(name, isLost, 'applyFilter')
    else notes.leaveOut(name, `${isLost}, for its map "${map}" is not there`, 'bringMap')
    return []
  }
  const mode = modeOf({ name, blendMode: filter.blendMode }, { notes })
  return [{ kind: 'adjust', names: [`filter ${filter.type}`], adjustment, mode, opacity: filter.opacity, weight: null }]
}

function readFilter(filter: Filter): Adjustment | null {
  switch (filter.type) {
    case 'invert':
      return readAdjustment({ type: 'invert' })
    case 'brightness/contrast':
      return readAdjustment({ type: 'brightness/contrast', ...filter.filter })
    case 'curves': {
      const curves = readCurves(filter.filter.adjustments ?? [])
      return curves && readAdjustment(curves)
    }
    default:
      return null
  }
}

type FilterCurves = NonNullable<Extract<Filter, { type: 'curves' }>['filter']['adjustments']>

/** Null if a curve was drawn freely, as 256 values. */
function readCurves(adjustments: FilterCurves): CurvesAdjustment | null {
  const curves: CurvesAdjustment = { type: 'curves' }
  for (const adjustment of adjustments) {
    if (!('curve' in adjustment)) return null
    const points = adjustment.curve.map(({ x, y }) => ({ input: x, output: y }))
    for (const channel of adjustment.channels) curves[channel === 'composite' ? 'rgb' : channel] = points
  }
  return curves
}
