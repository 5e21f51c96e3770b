/** Placements in the gallery: one shared by all scenes of a kind, or one for a single scene. */

import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { centredCover } from '@vitrine/engine'
import {
  arrows,
  fitted,
  fittedWithMargin,
  type KeyPress,
  movedBy,
  type PlacedArtwork,
  type PlacementChange,
  scaledByKey,
  startPlacement,
  turned,
} from '@vitrine/live'
import { changeHistory, type History, historyOf } from '../history.ts'

export type GalleryPlacing = {
  readonly byKind: Readonly<Record<string, Placement>>
  /** By template id. */
  readonly own: Readonly<Record<string, Placement>>
}

type PlacedTemplate = Pick<DashboardTemplate, 'id' | 'is_product_template' | 'surface_type'>

/** Prints share a placement, and products of the same material do. */
export const kindOf = ({ is_product_template, surface_type }: PlacedTemplate): string =>
  is_product_template ? `product ${surface_type ?? ''}` : 'print'

export const hasOwn = ({ own }: GalleryPlacing, { id }: PlacedTemplate): boolean => own[id] !== undefined

/** The placement that was set in a scene or for its kind, if any. */
export const placedOnGallery = ({ byKind, own }: GalleryPlacing, template: PlacedTemplate): Placement | undefined =>
  own[template.id] ?? byKind[kindOf(template)]

/** `isClear`: whether the artwork is known to have transparent parts; see `startPlacement`. */
export const galleryPlacementOf = (placing: GalleryPlacing, template: PlacedTemplate, isClear = false): Placement =>
  placedOnGallery(placing, template) ?? startPlacement(template.is_product_template, isClear)

export const withOwn = (placing: GalleryPlacing, id: string, placement: Placement): GalleryPlacing => ({
  ...placing,
  own: { ...placing.own, [id]: rounded(placement) },
})

export type GalleryPlacingState = { readonly history: History<GalleryPlacing>; readonly gesture: number }

export type GalleryPlacingAction =
  /** `isOwn`: for this scene only. Scenes with a placement of their own are never changed by their kind. */
  | {
      readonly kind: 'place'
      readonly template: PlacedTemplate
      readonly change: PlacementChange
      readonly isOwn: boolean
    }
  /** Fits the artwork whole (with a margin on products) or fills the frame, in all these scenes. */
  | { readonly kind: 'fit'; readonly fit: 'contain' | 'cover'; readonly templates: readonly PlacedTemplate[] }
  /** Back to the initial placement; a scene with its own joins its kind again. */
  | { readonly kind: 'reset'; readonly template: PlacedTemplate }
  | { readonly kind: 'rest' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  /** Restores what was saved earlier; not an undo step. */
  | { readonly kind: 'restore'; readonly placing: GalleryPlacing }

/** A gallery with the given placement for each template; scenes of a kind that agree share one. */
export function placingOf(
  templates: readonly PlacedTemplate[],
  placements: Readonly<Record<string, Placement>>,
): GalleryPlacing {
  const byKind: Record<string, Placement> = {}
  const own: Record<string, Placement> = {}
  for (const template of templates) {
    const placement = placements[template.id]
    if (placement === undefined) continue
    const kind = kindOf(template)
    const shared = (byKind[kind] ??= placement)
    if (JSON.stringify(shared) !== JSON.stringify(placement)) own[template.id] = placement
  }
  return { byKind, own }
}

/** Whether two placements, or two sets of colours, are equal. */
export const isAlike = (one: object, other: object): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
const sorted = (fields: object) => Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))

export const nothingPlaced: GalleryPlacing = { byKind: {}, own: {} }

export const beginGalleryPlacing = (): GalleryPlacingState => ({ history: historyOf(nothingPlaced), gesture: 0 })

export function changeGalleryPlacing(state: GalleryPlacingState, action: GalleryPlacingAction): GalleryPlacingState {
  switch (action.kind) {
    case 'place': {
      const { template, change, isOwn } = action
      return step(state, before => {
        const placed = rounded({ ...galleryPlacementOf(before, template), ...change })
        return isOwn || hasOwn(before, template)
          ? withOwn(before, template.id, placed)
          : { ...before, byKind: { ...before.byKind, [kindOf(template)]: placed } }
      })
    }
    case 'fit':
      return rest(
        step(rest(state), before => ({
          ...before,
          own: {
            ...before.own,
            ...Object.fromEntries(action.templates.map(template => [template.id, fitOf(template, action.fit)])),
          },
        })),
      )
    case 'reset': {
      const { template } = action
      return rest(
        step(rest(state), before => {
          const without = (from: GalleryPlacing['own'], name: string) =>
            Object.fromEntries(Object.entries(from).filter(([key]) => key !== name))
          return hasOwn(before, template)
            ? { ...before, own: without(before.own, template.id) }
            : { ...before, byKind: without(before.byKind, kindOf(template)) }
        }),
      )
    }
    case 'rest':
      return rest(state)
    case 'undo':
    case 'redo':
      return rest({ ...state, history: changeHistory(state.history, action) })
    case 'restore':
      return { history: historyOf(action.placing), gesture: state.gesture + 1 }
  }
}

const fitOf = ({ is_product_template }: PlacedTemplate, fit: 'contain' | 'cover'): Placement => {
  if (fit === 'cover') return centredCover
  return is_product_template ? fittedWithMargin : fitted
}

/** As many digits as an address has room for: a hundredth of a pixel. */
export function rounded(placement: Placement): Placement {
  const round = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(round)
    return typeof value === 'number' ? Math.round(value * 1e5) / 1e5 : value
  }
  const fields = Object.entries(placement).map(([field, value]) => [field, round(value)])
  return { ...placement, ...Object.fromEntries(fields) }
}

function step(state: GalleryPlacingState, change: (before: GalleryPlacing) => GalleryPlacing): GalleryPlacingState {
  return { ...state, history: changeHistory(state.history, { kind: 'change', gesture: `${state.gesture}`, change }) }
}

const rest = (state: GalleryPlacingState): GalleryPlacingState => ({ ...state, gesture: state.gesture + 1 })

/** The change that a key makes: Shift and arrows move by 1 %, + and - scale, F fits, C fills, R turns. */
export function keyChangeOnGallery(
  placement: Placement,
  artwork: PlacedArtwork,
  press: KeyPress,
): PlacementChange | null {
  const arrow = arrows.get(press.key)
  if (arrow !== undefined && press.shiftKey)
    return movedBy(placement, artwork, [arrow[0] * 0.01, arrow[1] * 0.01], [0, 0])
  switch (press.key.toLowerCase()) {
    case 'f':
      return { fit: 'contain', scale: 1, x: 0.5, y: 0.5 }
    case 'c':
      return { fit: 'cover', scale: 1, focus: [0.5, 0.5], x: 0.5, y: 0.5 }
    case 'r':
      return turned(placement, 90)
    default:
      return scaledByKey(placement, press.key)
  }
}
