import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { type Dispatch, useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { useSession } from '../session/session.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import { isAlike, rounded } from '../visit/gallery-placing.ts'
import { placementOf, placingOf } from '../visit/placing.ts'
import { loadPlaced, savePlaced } from '../visit/saved-work.ts'
import { beginFrames, changePlacing, type PlacingAction, type PlacingState } from './placing-state.ts'

/** Keys and the wheel rest for as long before the exact preview is begun. */
const REST_MS = 200

/**
 * Where artworks lie in the frames of a template: as in the gallery, where they were moved last.
 * `start`: in the gallery; null until it is known. `onRest`: what the gallery is to show.
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
  const keep = useEffectEvent(() => {
    touched.current = isTouched
    if (!isTouched) return
    savePlaced(account.id, { templateId: id, placing: rested }).catch(() => undefined)
    onRest(placementOf(rested, 0))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each rest is kept
  useEffect(() => keep(), [rested, isTouched])
  useEffect(() => {
    if (start === null || touched.current) return
    const restore = (placing = placingOf(frame_count, start)) => {
      if (!touched.current) dispatch({ kind: 'restore', placing })
    }
    loadPlaced(account.id).then(
      placed => {
        // Frames that lie apart are of this page alone: the gallery has one placement, of the first.
        const isSame = placed?.templateId === id && isAlike(rounded(placementOf(placed.placing, 0)), start)
        restore(isSame && placed.placing.frames.length === frame_count ? placed.placing : undefined)
      },
      () => restore(),
    )
  }, [account.id, id, frame_count, start])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins the wait again
  useEffect(() => {
    if (!isMoving || isHeld) return
    const timer = setTimeout(() => dispatch({ kind: 'rest' }), REST_MS)
    return () => clearTimeout(timer)
  }, [isMoving, isHeld, history.present])
  useUndoKeys(dispatch)
  return [state, dispatch]
}
