/** Pointer handling on the picture: the pressed element determines the frame and the kind of change. */
import { artworkOutline, moved, type PointerTarget, type ShownFrames, toFrame } from '@vitrine/live'
import { type Dispatch, type RefObject, useRef } from 'react'
import { usePointer } from '../scenes/use-pointer.ts'
import { placementOf } from '../visit/placing.ts'
import type { PlacingAction, PlacingState } from './placing-state.ts'

export type PointerTool = 'move' | 'turn' | 'scale'

type PlacingPointer = {
  readonly surface: RefObject<HTMLDivElement | null>
  readonly shown: ShownFrames
  readonly state: PlacingState
  readonly dispatch: Dispatch<PlacingAction>
}

/** Attributes for an element that grabs a frame's artwork when pressed. */
export const takes = (frame: number, tool: PointerTool) => ({ 'data-frame': frame, 'data-tool': tool })

function pressed({ target }: Event): { readonly frame: number; readonly tool: PointerTool } | null {
  const element = target instanceof Element ? target.closest<HTMLElement | SVGElement>('[data-frame]') : null
  if (element === null) return null
  const { frame, tool } = element.dataset
  return { frame: Number(frame), tool: tool === 'turn' || tool === 'scale' ? tool : 'move' }
}

export function usePlacingPointer({ surface, shown, state, dispatch }: PlacingPointer): void {
  const { selected, history } = state
  /** The frame whose artwork is grabbed. */
  const held = useRef<number | null>(null)
  const targetOf = (frame: number, tool: PointerTool): PointerTarget | null => {
    const [plane, artwork] = [shown.planes[frame], shown.artworks[frame]]
    if (plane === undefined || artwork === undefined) return null
    const placement = placementOf(history.present, frame)
    const { centre } = artworkOutline(plane, { widthPx: artwork.width, heightPx: artwork.height }, placement)
    return {
      placement,
      plane,
      move: (by, reach) => moved(placement, by, reach),
      ...(tool === 'move' ? {} : { tool: { kind: tool, about: toFrame(plane, centre) } }),
      isFreeWithAlt: true,
    }
  }
  usePointer(surface, {
    target(by) {
      if (by instanceof PointerEvent) {
        const press = pressed(by)
        if (press === null) return null
        held.current = press.frame
        if (press.frame !== selected) dispatch({ kind: 'select', frame: press.frame })
        return targetOf(press.frame, press.tool)
      }
      held.current = selected
      return selected === null ? null : targetOf(selected, 'move')
    },
    // Until the artwork is selected, fingers and the wheel scroll the page.
    takesFinger: press => pressed(press)?.frame === selected,
    takesWheel: () => selected !== null,
    onPlace: change => held.current !== null && dispatch({ kind: 'place', frame: held.current, change }),
    onMoving: () => dispatch({ kind: 'hold' }),
    onRest: () => dispatch({ kind: 'rest' }),
  })
}
