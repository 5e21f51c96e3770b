import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { type Dispatch, useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { useSession } from '../session/session.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import { isAlike, rounded } from '../visit/gallery-placing.ts'
import { placementOf, placingOf } from '../visit/placing.ts'
import { loadPlaced, savePlaced } from '../visit/saved-work.ts'
import { beginFrames, changePlacing, type PlacingAction, type PlacingState } from './placing-state.ts'

/** How long keys and the wheel must rest before the exact preview begins. */
const REST_MS = 200

/**
 * The placements in a template's frames: those of the gallery or of this page, whichever is newer. `start`:
 * from the gallery; null until loaded. `onRest`: receives the placement for the gallery.
 */
export function usePlacing(
  { id, frame_count }: DashboardTemplate,
  start: Placement | null,
  onRest: (placement: Placement) => void,
): readonly [PlacingState, Dispatch<PlacingAction>] {
  const { account } = useSession()
  const [state, dispatch] = useReducer(changePlacing, frame_count, beginFrames)
  const { isMoving, isHeld, history, rested } = state
  const isTouched = history.past.length + history.future.length > 0
  const touched = useRef(isTouched)
  const save = useEffectEvent(() => {
    touched.current = isTouched
    if (!isTouched) return
    savePlaced(account.id, { templateId: id, placing: rested }).catch(() => undefined)
    onRest(placementOf(rested, 0))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: saved at each rest
  useEffect(() => save(), [rested, isTouched])
  useEffect(() => {
    if (start === null || touched.current) return
    const restore = (placing = placingOf(frame_count, start)) => {
      if (!touched.current) dispatch({ kind: 'restore', placing })
    }
    loadPlaced(account.id).then(
      placed => {
        // Separate placements belong to this page only: the gallery has one, that of the first frame.
        const isSame = placed?.templateId === id && isAlike(rounded(placementOf(placed.placing, 0)), start)
        restore(isSame && placed.placing.frames.length === frame_count ? placed.placing : undefined)
      },
      () => restore(),
    )
  }, [account.id, id, frame_count, start])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step restarts the wait
  useEffect(() => {
    if (!isMoving || isHeld) return
    const timer = setTimeout(() => dispatch({ kind: 'rest' }), REST_MS)
    return () => clearTimeout(timer)
  }, [isMoving, isHeld, history.present])
  useUndoKeys(dispatch)
  return [state, dispatch]
}
