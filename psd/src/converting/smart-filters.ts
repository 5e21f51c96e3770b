import type { CurvesAdjustment, Filter, Layer, PlacedLayer } from 'ag-psd'
import { type Adjustment, readAdjustment } from '../adjusting/adjustment.ts'
import { modeOf, nameOf } from '../compositing/compose-layers.ts'
import { isWholeDisplace, mapNameOf } from '../geometry/displacement.ts'
import { isDrawnWarp } from '../geometry/perspective-warp.ts'
import type { ImportNotes } from '../notes.ts'
import type { PsdDocument } from '../reading/open-document.ts'
import type { AdjustOperation } from './operation.ts'

/** Blurs of larger radii are for backgrounds. */
const MAX_BLUR_PX = 1_000

/** The Gaussian that all blurs of a smart object together are, in document pixels; 0: none. */
export function blurOf({ filter }: PlacedLayer): number {
  if (!filter?.enabled) return 0
  const radii = filter.list.map(each => (isWholeBlur(each) ? radiusOf(each) : 0))
  return Math.min(MAX_BLUR_PX, Math.hypot(...radii))
}

function isWholeBlur({ type, enabled, opacity, blendMode }: Filter): boolean {
  return type === 'gaussian blur' && enabled && opacity >= 1 && blendMode === 'normal'
}

function radiusOf(filter: Filter): number {
  const radius = filter.type === 'gaussian blur' ? (filter.filter.radius?.value ?? 0) : 0
  return Number.isFinite(radius) ? Math.max(0, radius) : 0
}

/** What is drawn of the filters of a smart object beside colours. */
type DrawnFilters = {
  readonly isFrame: boolean
  readonly isDisplaced: boolean
  /** names of maps of Displace that are not there */
  readonly missingMaps: readonly string[]
}

function isDrawnOtherwise(filter: Filter, { isFrame, isDisplaced, missingMaps }: DrawnFilters): boolean {
  if (isDrawnWarp(filter) || (isFrame && isWholeBlur(filter))) return true
  return isDisplaced && isWholeDisplace(filter) && !missingMaps.includes(mapNameOf(filter))
}

/**
 * Smart filters that change colours, as adjustments on the artwork. The others are noted, but for those that
 * are drawn otherwise: Perspective Warp, and of a frame blurs and Displace.
 */
export function smartFilters(
  layer: Layer,
  placed: PlacedLayer,
  { filterCounts }: Pick<PsdDocument, 'filterCounts'>,
  notes: ImportNotes,
  drawn: DrawnFilters,
): AdjustOperation[] {
  if (!placed.filter?.enabled) return []
  const unread = (filterCounts.get(layer.id ?? -1) ?? 0) - placed.filter.list.length
  if (unread > 0)
    notes.leaveOut(
      nameOf(layer),
      unread === 1
        ? 'a smart filter of an unknown kind is not drawn'
        : `${unread} smart filters of unknown kinds are not drawn`,
      'applyFilter',
    )
  return placed.filter.list
    .filter(filter => filter.enabled && !isDrawnOtherwise(filter, drawn))
    .flatMap(filter => {
      const adjustment = readFilter(filter)
      if (!adjustment) {
        const map = isWholeDisplace(filter) ? drawn.missingMaps.find(name => name === mapNameOf(filter)) : undefined
        const isLost = `its smart filter "${filter.type}" is not drawn`
        if (map === undefined) notes.leaveOut(nameOf(layer), isLost, 'applyFilter')
        else notes.leaveOut(nameOf(layer), `${isLost}, for its map "${map}" is not there`, 'bringMap')
        return []
      }
      const mode = modeOf({ name: nameOf(layer), blendMode: filter.blendMode }, { notes })
      return [
        {
          kind: 'adjust' as const,
          names: [`filter ${filter.type}`],
          adjustment,
          mode,
          opacity: filter.opacity,
          weight: null,
        },
      ]
    })
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

/** Null where a curve was drawn by hand, as 256 values. */
function readCurves(adjustments: FilterCurves): CurvesAdjustment | null {
  const curves: CurvesAdjustment = { type: 'curves' }
  for (const adjustment of adjustments) {
    if (!('curve' in adjustment)) return null
    const points = adjustment.curve.map(({ x, y }) => ({ input: x, output: y }))
    for (const channel of adjustment.channels) curves[channel === 'composite' ? 'rgb' : channel] = points
  }
  return curves
}
