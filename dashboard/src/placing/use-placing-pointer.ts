/** Pointers and the wheel on the picture: one pointer moves, turns or scales, two scale and turn. */

import {
  angleBetween,
  artworkOutline,
  type FramePlane,
  moved,
  type PlacementChange,
  type Point,
  ratioBetween,
  scaled,
  toFrame,
  turned,
} from '@vitrine/live'
import { type Dispatch, type PointerEvent, type RefObject, useEffect, useRef } from 'react'
import type { ShownFrames } from '../preview/preview-messages.ts'
import { placementOf } from '../visit/placing.ts'
import type { PlacingAction, PlacingState } from './placing-state.ts'

export type HandTool = 'move' | 'turn' | 'scale'

/** How near to the middle, in CSS pixels, artwork is put there. */
const SNAP_PX = 6
/** Of a wheel, per pixel that it scrolls. */
const WHEEL_SHARE = 0.002
const LINE_PX = 16

type Client = { readonly clientX: number; readonly clientY: number }

/** What the pointer has hold of, and where it took it. */
type Grab = {
  readonly tool: HandTool
  readonly frame: number
  readonly placement: ReturnType<typeof placementOf>
  /** By pointer, where each was when the grab began. */
  readonly from: ReadonlyMap<number, Client>
}

type Hand = {
  readonly take: (event: PointerEvent, tool: HandTool, frame: number) => void
  readonly move: (event: PointerEvent) => void
  readonly leave: (event: PointerEvent) => void
}

type HandInput = {
  readonly surface: RefObject<HTMLDivElement | null>
  readonly shown: ShownFrames
  readonly state: PlacingState
  readonly dispatch: Dispatch<PlacingAction>
}

export function useHand({ surface, shown, state, dispatch }: HandInput): Hand {
  const grab = useRef<Grab | null>(null)
  const pointers = useRef(new Map<number, Client>())
  const newest = useRef({ shown, state })
  useEffect(() => {
    newest.current = { shown, state }
  })
  const hold = (tool: HandTool, frame: number) => {
    const placement = placementOf(newest.current.state.history.present, frame)
    grab.current = { tool, frame, placement, from: new Map(pointers.current) }
  }
  const take = (event: PointerEvent, tool: HandTool, frame: number) => {
    const isSelected = newest.current.state.selected === frame
    // A finger scrolls the page until it has chosen the artwork.
    if (event.button !== 0 || (event.pointerType === 'touch' && !isSelected)) return
    event.stopPropagation()
    if (!isSelected) dispatch({ kind: 'select', frame })
    dispatch({ kind: 'hold' })
    surface.current?.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, event)
    hold(tool, frame)
  }
  const move = (event: PointerEvent) => {
    const box = surface.current?.getBoundingClientRect()
    if (grab.current === null || box === undefined || !pointers.current.has(event.pointerId)) return
    pointers.current.set(event.pointerId, event)
    const { frame, from } = grab.current
    const plane = newest.current.shown.planes[frame]
    if (plane === undefined) return
    const change =
      from.size > 1
        ? pinched(grab.current, pointers.current)
        : followed(grab.current, event, plane, box, newest.current.shown)
    dispatch({ kind: 'place', frame, change })
  }
  const leave = (event: PointerEvent) => {
    if (!pointers.current.delete(event.pointerId) || grab.current === null) return
    const { frame } = grab.current
    if (pointers.current.size > 0) return hold('move', frame)
    grab.current = null
    dispatch({ kind: 'rest' })
  }
  useWheel(surface, event => {
    const { selected, history } = newest.current.state
    // A wheel scrolls the page until the artwork was chosen.
    if (selected === null) return false
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1)
    const change = scaled(placementOf(history.present, selected), Math.exp(-pixels * WHEEL_SHARE))
    dispatch({ kind: 'place', frame: selected, change })
    return true
  })
  return { take, move, leave }
}

/** What one pointer does with the tool that it took. */
function followed(
  { tool, frame, placement, from }: Grab,
  event: PointerEvent,
  plane: FramePlane,
  box: DOMRect,
  shown: ShownFrames,
): PlacementChange {
  const pointOf = ({ clientX, clientY }: Client): Point =>
    toFrame(plane, [(clientX - box.left) / box.width, (clientY - box.top) / box.height])
  const begun = from.get(event.pointerId) ?? event
  const [start, now] = [pointOf(begun), pointOf(event)]
  const isFree = event.altKey || event.ctrlKey
  if (tool === 'move') {
    const beside = pointOf({ clientX: begun.clientX + SNAP_PX, clientY: begun.clientY })
    const below = pointOf({ clientX: begun.clientX, clientY: begun.clientY + SNAP_PX })
    const reach = (axis: 0 | 1): number =>
      isFree ? 0 : Math.max(Math.abs(beside[axis] - start[axis]), Math.abs(below[axis] - start[axis]))
    return moved(placement, [now[0] - start[0], now[1] - start[1]], [reach(0), reach(1)])
  }
  const artwork = shown.artworks[frame]
  if (artwork === undefined) return {}
  const { centre } = artworkOutline(plane, { widthPx: artwork.width, heightPx: artwork.height }, placement)
  const about = toFrame(plane, centre)
  if (tool === 'turn') return turned(placement, angleBetween(about, start, now, plane.aspectRatio), isFree)
  return scaled(placement, ratioBetween(about, start, now, plane.aspectRatio))
}

/** What two pointers do: how far they are apart scales, how they lie turns. */
function pinched({ placement, from }: Grab, pointers: ReadonlyMap<number, Client>): PlacementChange {
  const [first, second] = [...from.keys()]
  const pair = (of: ReadonlyMap<number, Client>): Point => {
    const [a, b] = [of.get(first ?? 0), of.get(second ?? 0)]
    return a === undefined || b === undefined ? [1, 0] : [b.clientX - a.clientX, b.clientY - a.clientY]
  }
  const [before, now] = [pair(from), pair(pointers)]
  return {
    ...scaled(placement, ratioBetween([0, 0], before, now, 1)),
    ...turned(placement, angleBetween([0, 0], before, now, 1)),
  }
}

/** A wheel that may keep the page from scrolling. `turn` says whether it took it. */
function useWheel(surface: RefObject<HTMLDivElement | null>, turn: (event: WheelEvent) => boolean): void {
  const newest = useRef(turn)
  useEffect(() => {
    newest.current = turn
  })
  useEffect(() => {
    const element = surface.current
    const onWheel = (event: WheelEvent) => newest.current(event) && event.preventDefault()
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [surface])
}
