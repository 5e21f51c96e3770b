/** A state with undo and redo steps. */

export type History<State> = {
  readonly past: readonly State[]
  readonly present: State
  readonly future: readonly State[]
  readonly lastEdit: string | null
}

/** A history without steps. */
export const historyOf = <State>(state: State): History<State> => ({
  past: [],
  present: state,
  future: [],
  lastEdit: null,
})

export type Edit<State> =
  /** `gesture` groups edits (of one drag, or one field) into a single undo step. */
  | { readonly kind: 'change'; readonly gesture: string; readonly change: (state: State) => State }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }

const STEPS_KEPT = 200

export function changeHistory<State>(history: History<State>, action: Edit<State>): History<State> {
  switch (action.kind) {
    case 'change': {
      const isSameGesture = history.lastEdit === action.gesture
      const past = isSameGesture ? history.past : [...history.past, history.present].slice(-STEPS_KEPT)
      return { past, present: action.change(history.present), future: [], lastEdit: action.gesture }
    }
    case 'undo': {
      const previous = history.past.at(-1)
      if (previous === undefined) return history
      return {
        past: history.past.slice(0, -1),
        present: previous,
        future: [history.present, ...history.future],
        lastEdit: null,
      }
    }
    case 'redo': {
      const [next, ...future] = history.future
      if (next === undefined) return history
      return { past: [...history.past, history.present], present: next, future, lastEdit: null }
    }
  }
}
