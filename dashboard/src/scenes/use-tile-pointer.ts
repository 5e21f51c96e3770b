/** Hands on a scene of the wall: one pointer moves the artwork, two scale and turn it, a wheel scales. */
import { type Client, followed, type HandTarget, type PlacementChange, pinched, wheeled } from '@vitrine/live'
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** A pointer that moves less has clicked, in CSS pixels. */
const CLICK_PX = 4
/** A wheel rests for as long before its turns are one step to undo. */
const WHEEL_REST_MS = 250

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
        const change =
          current.from.size > 1
            ? pinched(current.target, current.from, pointers.current)
            : followed(current.target, begun, event, box)
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
      onPlace(wheeled(target.placement, event), event.altKey)
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
