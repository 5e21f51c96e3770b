import type { DashboardTemplate } from '@vitrine/contract'
import { startPlacement } from '@vitrine/live'
import { type Dispatch, type RefObject, useEffect, useReducer, useRef } from 'react'
import { keepPlaced, loadPlaced } from '../kept-work.ts'
import { useSession } from '../session/session.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import { placingOf } from './placing.ts'
import { beginFrames, changePlacing, type PlacingAction, type PlacingState } from './placing-state.ts'

/** Keys and the wheel rest for as long before the exact preview is begun. */
const REST_MS = 200

/**
 * Where artworks lie in the frames of a template, as they were left within the day. `isClear`: of the
 * artwork, where it is known.
 */
export function usePlacing(
  { id, frame_count, is_product_template }: DashboardTemplate,
  isClear: boolean | undefined,
): readonly [PlacingState, Dispatch<PlacingAction>] {
  const [state, dispatch] = useReducer(changePlacing, frame_count, beginFrames)
  const isRestored = useKeepPlaced(id, frame_count, state, dispatch)
  const isBegun = state.history.past.length + state.history.future.length > 0
  useEffect(() => {
    if (isClear === undefined || isBegun || isRestored.current) return
    const start = startPlacement(is_product_template, isClear)
    dispatch({ kind: 'restore', placing: placingOf(frame_count, start) })
  }, [frame_count, is_product_template, isClear, isBegun, isRestored])
  const { isMoving, isHeld, history } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins the wait again
  useEffect(() => {
    if (!isMoving || isHeld) return
    const timer = setTimeout(() => dispatch({ kind: 'rest' }), REST_MS)
    return () => clearTimeout(timer)
  }, [isMoving, isHeld, history.present])
  useUndoKeys(dispatch)
  return [state, dispatch]
}

/** Restores what was kept unless something was done before it is read, and keeps each rest. */
function useKeepPlaced(
  templateId: string,
  frameCount: number,
  { rested, history }: PlacingState,
  dispatch: Dispatch<PlacingAction>,
): RefObject<boolean> {
  const { account } = useSession()
  const isRestored = useRef(false)
  const isTouched = history.past.length + history.future.length > 0
  const touched = useRef(isTouched)
  useEffect(() => {
    touched.current = isTouched
    if (isTouched) keepPlaced(account.id, { templateId, placing: rested }).catch(() => undefined)
  }, [account.id, templateId, rested, isTouched])
  useEffect(() => {
    loadPlaced(account.id).then(
      placed => {
        if (touched.current || placed?.templateId !== templateId || placed.placing.frames.length !== frameCount) return
        isRestored.current = true
        dispatch({ kind: 'restore', placing: placed.placing })
      },
      () => undefined,
    )
  }, [account.id, templateId, frameCount, dispatch])
  return isRestored
}
