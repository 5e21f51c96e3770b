/** Where artworks lie on the wall: one placement for all scenes of a kind, others for scenes of their own. */

import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { buildArtworkMap } from '@vitrine/engine'
import { changeHistory, type History, historyOf } from '../history.ts'
import type { Point } from '../placing/frame-plane.ts'
import { arrows, type KeyPress, scaled, turned } from '../placing/gestures.ts'
import { defaultPlacement, fieldValue, type PlacementChange } from '../placing/placing.ts'

export type WallPlacing = {
  readonly byKind: Readonly<Record<string, Placement>>
  /** By the id of a template. */
  readonly own: Readonly<Record<string, Placement>>
}

type PlacedTemplate = Pick<DashboardTemplate, 'id' | 'is_product_template' | 'surface_type'>

/** Prints move together, and products of one material. */
export const kindOf = ({ is_product_template, surface_type }: PlacedTemplate): string =>
  is_product_template ? `product ${surface_type ?? ''}` : 'print'

export const hasOwn = ({ own }: WallPlacing, { id }: PlacedTemplate): boolean => own[id] !== undefined

export const wallPlacementOf = ({ byKind, own }: WallPlacing, template: PlacedTemplate): Placement =>
  own[template.id] ?? byKind[kindOf(template)] ?? defaultPlacement

export type WallPlacingState = { readonly history: History<WallPlacing>; readonly gesture: number }

export type WallPlacingAction =
  /** `isOwn`: of this scene alone; what has a placement of its own keeps it. */
  | {
      readonly kind: 'place'
      readonly template: PlacedTemplate
      readonly change: PlacementChange
      readonly isOwn: boolean
    }
  /** Back to the middle; a scene with a placement of its own joins its kind again. */
  | { readonly kind: 'reset'; readonly template: PlacedTemplate }
  | { readonly kind: 'rest' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  /** What was kept from before; not a step. */
  | { readonly kind: 'restore'; readonly placing: WallPlacing }

/** A wall where each template lies as it is said: scenes of a kind that agree move together again. */
export function placingOf(
  templates: readonly PlacedTemplate[],
  placements: Readonly<Record<string, Placement>>,
): WallPlacing {
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

export const nothingPlaced: WallPlacing = { byKind: {}, own: {} }

export const beginWallPlacing = (): WallPlacingState => ({ history: historyOf(nothingPlaced), gesture: 0 })

export function changeWallPlacing(state: WallPlacingState, action: WallPlacingAction): WallPlacingState {
  switch (action.kind) {
    case 'place': {
      const { template, change, isOwn } = action
      return step(state, before => {
        const placed = { ...wallPlacementOf(before, template), ...change }
        return isOwn || hasOwn(before, template)
          ? { ...before, own: { ...before.own, [template.id]: placed } }
          : { ...before, byKind: { ...before.byKind, [kindOf(template)]: placed } }
      })
    }
    case 'reset': {
      const { template } = action
      return rest(
        step(rest(state), before => {
          const without = (from: WallPlacing['own'], name: string) =>
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

function step(state: WallPlacingState, change: (before: WallPlacing) => WallPlacing): WallPlacingState {
  return { ...state, history: changeHistory(state.history, { kind: 'change', gesture: `${state.gesture}`, change }) }
}

const rest = (state: WallPlacingState): WallPlacingState => ({ ...state, gesture: state.gesture + 1 })

/** The size of an artwork in pixels, and the frame that it lies in, width / height. */
export type PlacedArtwork = { readonly width: number; readonly height: number; readonly aspectRatio: number }

/** Where artwork comes to rest by itself: the middle, and the thirds. */
const restingPlaces = [1 / 2, 1 / 3, 2 / 3] as const

/**
 * Artwork that is moved by (du, dv) of its frame. Where it fills the frame, its focus moves, in fractions of
 * the artwork, so that scenes of other shapes agree; else its place in the frame.
 * `reach`: how near to a resting place it is put there, in shares of the frame.
 */
export function movedBy(
  placement: Placement,
  { width, height, aspectRatio }: PlacedArtwork,
  [du, dv]: Point,
  [reachU, reachV]: Point,
): PlacementChange {
  const { fit, scale, focus, x, y } = placement
  if (fit !== 'cover' || scale < 1) {
    return {
      x: fieldValue('x', settled(x + du, reachU)),
      y: fieldValue('y', settled(y + dv, reachV)),
    }
  }
  const { xPerU, xPerV, yPerU, yPerV } = buildArtworkMap(placement, width, height, aspectRatio)
  const along = (from: number, by: number, extent: number, reach: number): number =>
    extent >= 1 ? from : round(clamp(settled(clamp(from, extent) - by, reach), extent))
  return {
    focus: [
      along(focus[0], xPerU * du + xPerV * dv, Math.abs(xPerU) + Math.abs(xPerV), Math.abs(xPerU) * reachU),
      along(focus[1], yPerU * du + yPerV * dv, Math.abs(yPerU) + Math.abs(yPerV), Math.abs(yPerV) * reachV),
    ],
  }
}

/** Kept where the frame is filled: beyond that, nothing would move. */
const clamp = (focus: number, extent: number): number => Math.max(extent / 2, Math.min(1 - extent / 2, focus))

const round = (share: number): number => Math.round(share * 10_000) / 10_000

const settled = (value: number, reach: number): number =>
  restingPlaces.find(place => Math.abs(value - place) <= reach) ?? value

/** Whether artwork lies on a resting line of its frame, so that a line shows it. */
export function restingLines({ fit, scale, focus, x, y }: Placement): { across: boolean; down: boolean } {
  const isAt = (value: number): boolean => restingPlaces.some(place => Math.abs(value - place) < 1e-4)
  const [across, down] = fit === 'cover' && scale >= 1 ? focus : [x, y]
  return { across: isAt(across), down: isAt(down) }
}

/** The share of an artwork that is outside of its frame, 0..1; turned, that of its bounding box. */
export function croppedShare(placement: Placement, { width, height, aspectRatio }: PlacedArtwork): number {
  if (placement.repeat !== 'none') return 0
  const { xPerU, xPerV, x0, yPerU, yPerV, y0 } = buildArtworkMap(placement, width, height, aspectRatio)
  const seen = (start: number, perU: number, perV: number): number => {
    const low = start + Math.min(0, perU) + Math.min(0, perV)
    const high = start + Math.max(0, perU) + Math.max(0, perV)
    return Math.max(0, Math.min(1, high) - Math.max(0, low))
  }
  return 1 - seen(x0, xPerU, xPerV) * seen(y0, yPerU, yPerV)
}

/** What a key changes: Shift and arrows move by a hundredth, + and - scale, F fits, C fills, R turns. */
export function keyChangeOnWall(placement: Placement, artwork: PlacedArtwork, press: KeyPress): PlacementChange | null {
  const arrow = arrows.get(press.key)
  if (arrow !== undefined && press.shiftKey)
    return movedBy(placement, artwork, [arrow[0] * 0.01, arrow[1] * 0.01], [0, 0])
  switch (press.key.toLowerCase()) {
    case '+':
    case '=':
      return scaled(placement, 1.05)
    case '-':
    case '_':
      return scaled(placement, 1 / 1.05)
    case 'f':
      return { fit: 'contain', scale: 1, x: 0.5, y: 0.5 }
    case 'c':
      return { fit: 'cover', scale: 1, focus: [0.5, 0.5], x: 0.5, y: 0.5 }
    case 'r':
      return turned(placement, 90)
    default:
      return null
  }
}
