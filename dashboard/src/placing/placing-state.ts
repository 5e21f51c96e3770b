/** The state of placing: undo steps, the selected frame, and whether the pointer is moving artwork. */

import { centredCover } from '@vitrine/engine'
import { type PlacementChange } from '@vitrine/live'
import { changeHistory, type History, historyOf } from '../history.ts'
import { isAlike } from '../visit/gallery-placing.ts'
import { type Placing, placingOf, withPlacement, withSharing } from '../visit/placing.ts'

export type PlacingState = {
  readonly history: History<Placing>
  /** The placement at the last rest; the exact preview and requests use this. */
  readonly rested: Placing
  /** The frame whose artwork has handles on the picture. */
  readonly selected: number | null
  /** A pointer is down: pausing does not count as a rest. */
  readonly isHeld: boolean
  readonly isMoving: boolean
  /** Increases at each rest, so that all changes between two rests are undone in one step. */
  readonly gesture: number
}

export type PlacingAction =
  | { readonly kind: 'place'; readonly frame: number; readonly change: PlacementChange }
  | { readonly kind: 'share'; readonly isShared: boolean; readonly frame: number }
  | { readonly kind: 'reset'; readonly frame: number }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  | { readonly kind: 'select'; readonly frame: number | null }
  | { readonly kind: 'hold' }
  | { readonly kind: 'rest' }
  /** Restores what was saved earlier; not an undo step. What is there already stays the same object. */
  | { readonly kind: 'restore'; readonly placing: Placing }

export function beginPlacing(placing: Placing): PlacingState {
  return { history: historyOf(placing), rested: placing, selected: null, isHeld: false, isMoving: false, gesture: 0 }
}

export const beginFrames = (frameCount: number): PlacingState => beginPlacing(placingOf(frameCount))

export function changePlacing(state: PlacingState, action: PlacingAction): PlacingState {
  switch (action.kind) {
    case 'place': {
      const { frame, change } = action
      return { ...step(state, before => withPlacement(before, frame, change), 'place'), isMoving: true }
    }
    case 'share':
      return rest(step(state, before => withSharing(before, action.isShared, action.frame), 'share'))
    case 'reset':
      return rest(step(state, before => withPlacement(before, action.frame, centredCover), 'reset'))
    case 'undo':
    case 'redo':
      return rest({ ...state, history: changeHistory(state.history, action) })
    case 'select':
      return { ...state, selected: action.frame }
    case 'hold':
      return { ...state, isHeld: true }
    case 'rest':
      return rest(state)
    case 'restore':
      return !state.isMoving && isAlike(state.rested, action.placing)
        ? state
        : { ...beginPlacing(action.placing), gesture: state.gesture + 1 }
  }
}

function step(state: PlacingState, change: (before: Placing) => Placing, name: string): PlacingState {
  const edit = { kind: 'change', gesture: `${name} ${state.gesture}`, change } as const
  return { ...state, history: changeHistory(state.history, edit) }
}

function rest(state: PlacingState): PlacingState {
  return {
    ...state,
    rested: state.history.present,
    isHeld: false,
    isMoving: false,
    gesture: state.gesture + 1,
  }
}
