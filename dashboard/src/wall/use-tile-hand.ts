/** Hands on a scene of the wall: one pointer moves the artwork, two scale and turn it, a wheel scales. */
import type { Placement } from '@vitrine/contract'
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { type FramePlane, type Point, toFrame } from '../placing/frame-plane.ts'
import { angleBetween, ratioBetween, scaled, turned } from '../placing/gestures.ts'
import type { PlacementChange } from '../placing/placing.ts'
import { movedBy, type PlacedArtwork } from './wall-placing.ts'

/** A pointer that moves less has clicked, in CSS pixels. */
const CLICK_PX = 4
/** How near to a resting place, in CSS pixels, artwork is put there. */
const SNAP_PX = 6
/** Of a wheel, per pixel that it scrolls. */
const WHEEL_SHARE = 0.002
/** A wheel rests for as long before its turns are one step to undo. */
const WHEEL_REST_MS = 250

export type HandTarget = {
  readonly placement: Placement
  readonly plane: FramePlane
  readonly artwork: PlacedArtwork
}

type TileHandInput = {
  readonly surface: RefObject<HTMLElement | null>
  /** Null while nothing is shown. */
  readonly target: HandTarget | null
  /** One finger moves the artwork; else it scrolls the page, and two fingers scale. */
  readonly isTouchable: boolean
  readonly onPlace: (change: PlacementChange, isOwn: boolean) => void
  readonly onRest: () => void
  /** A press that moved nothing. */
  readonly onClick: () => void
}

type Client = { readonly clientX: number; readonly clientY: number }
type Grab = { readonly from: ReadonlyMap<number, Client>; readonly target: HandTarget; readonly isOwn: boolean }

export function useTileHand({ surface, target, isTouchable, onPlace, onRest, onClick }: TileHandInput) {
  const pointers = useRef(new Map<number, Client>())
  const grab = useRef<Grab | null>(null)
  const hasMoved = useRef(false)
  const [isHeld, setHeld] = useState(false)
  const newest = useRef({ target, onPlace, onRest })
  useEffect(() => {
    newest.current = { target, onPlace, onRest }
  })
  useWheel(surface, newest)
  const hold = (isOwn: boolean) => {
    const { target } = newest.current
    grab.current = target && { from: new Map(pointers.current), target, isOwn }
  }
  return {
    isHeld,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return
        pointers.current.set(event.pointerId, event)
        hasMoved.current = false
        if (event.pointerType === 'touch' && !isTouchable && pointers.current.size < 2) return
        for (const id of pointers.current.keys()) event.currentTarget.setPointerCapture(id)
        hold(event.altKey)
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (!pointers.current.has(event.pointerId)) return
        pointers.current.set(event.pointerId, event)
        const { current } = grab
        const box = surface.current?.getBoundingClientRect()
        if (current === null || box === undefined) return
        const begun = current.from.get(event.pointerId) ?? event
        const distance = Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY)
        if (!hasMoved.current && distance < CLICK_PX) return
        hasMoved.current = true
        setHeld(true)
        const change = current.from.size > 1 ? pinched(current, pointers.current) : followed(current, begun, event, box)
        newest.current.onPlace(change, current.isOwn)
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => leave(event.pointerId),
      onPointerCancel: (event: PointerEvent<HTMLElement>) => leave(event.pointerId),
      onClick() {
        if (!hasMoved.current) onClick()
        hasMoved.current = false
      },
    },
  }
  function leave(pointerId: number): void {
    if (!pointers.current.delete(pointerId)) return
    if (pointers.current.size > 0) {
      hold(grab.current?.isOwn === true)
      return
    }
    grab.current = null
    setHeld(false)
    if (hasMoved.current) newest.current.onRest()
  }
}

function followed({ target }: Grab, begun: Client, event: PointerEvent, box: DOMRect): PlacementChange {
  const { placement, plane, artwork } = target
  const pointOf = ({ clientX, clientY }: Client): Point =>
    toFrame(plane, [(clientX - box.left) / box.width, (clientY - box.top) / box.height])
  const [start, now] = [pointOf(begun), pointOf(event)]
  const beside = pointOf({ clientX: begun.clientX + SNAP_PX, clientY: begun.clientY })
  const below = pointOf({ clientX: begun.clientX, clientY: begun.clientY + SNAP_PX })
  const reach = (axis: 0 | 1): number =>
    event.ctrlKey ? 0 : Math.max(Math.abs(beside[axis] - start[axis]), Math.abs(below[axis] - start[axis]))
  return movedBy(placement, artwork, [now[0] - start[0], now[1] - start[1]], [reach(0), reach(1)])
}

function pinched({ from, target: { placement } }: Grab, pointers: ReadonlyMap<number, Client>): PlacementChange {
  const [first = 0, second = 0] = [...from.keys()]
  const pair = (of: ReadonlyMap<number, Client>): Point => {
    const [a, b] = [of.get(first), of.get(second)]
    return a === undefined || b === undefined ? [1, 0] : [b.clientX - a.clientX, b.clientY - a.clientY]
  }
  const [before, now] = [pair(from), pair(pointers)]
  return {
    ...scaled(placement, ratioBetween([0, 0], before, now, 1)),
    ...turned(placement, angleBetween([0, 0], before, now, 1)),
  }
}

type Newest = RefObject<{
  target: HandTarget | null
  onPlace: TileHandInput['onPlace']
  onRest: TileHandInput['onRest']
}>

/** A wheel scrolls the page until the scene has the focus; a pinch on a trackpad comes with Control. */
function useWheel(surface: TileHandInput['surface'], newest: Newest): void {
  useEffect(() => {
    const element = surface.current
    let timer: ReturnType<typeof setTimeout> | undefined
    const onWheel = (event: WheelEvent) => {
      const { target, onPlace } = newest.current
      if (target === null || !(event.ctrlKey || element === document.activeElement)) return
      event.preventDefault()
      onPlace(scaled(target.placement, Math.exp(-event.deltaY * WHEEL_SHARE * (event.ctrlKey ? 4 : 1))), event.altKey)
      clearTimeout(timer)
      timer = setTimeout(() => newest.current.onRest(), WHEEL_REST_MS)
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      clearTimeout(timer)
      element?.removeEventListener('wheel', onWheel)
    }
  }, [surface, newest])
}
