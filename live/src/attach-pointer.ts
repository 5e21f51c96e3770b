/** Pointers, wheel and keys on a scene: one pointer moves the artwork, two move, scale and turn it. */
import { keyChange } from './gestures.ts'
import type { PlacementChange } from './placement-values.ts'
import { followed, type PointerTarget, pinched, wheeled } from './pointer-moves.ts'

/** A pointer that moves less, in CSS pixels, has clicked and not dragged. */
const CLICK_PX = 4
/** How long the wheel or keys must pause to complete a change. */
const REST_MS = 250

export type PointerInput = {
  /** The artwork that a press or wheel event grabs, or keys, without an event; null leaves it to the page. */
  readonly target: (by?: PointerEvent | WheelEvent) => PointerTarget | null
  /** Whether one finger moves the artwork; if not, it scrolls the page until there are two. */
  readonly takesFinger: (press: PointerEvent) => boolean
  /** Whether a wheel scales the artwork; if not, it scrolls the page. A trackpad pinch always scales. */
  readonly takesWheel: () => boolean
  /** Whether keys place the artwork; see `keyChange`. */
  readonly takesKeys?: boolean
  /** `isAlt`: the Alt key was down when the gesture began. */
  readonly onPlace: (change: PlacementChange, isAlt: boolean) => void
  /** Called when pointers begin to move the artwork. */
  readonly onMoving?: () => void
  /** Called after changes, once the artwork rests. */
  readonly onRest: () => void
  /** Called for a press without movement. */
  readonly onClick?: () => void
}

type Grab = {
  /** Positions at the beginning, by pointer. */
  readonly from: ReadonlyMap<number, PointerEvent>
  readonly target: PointerTarget
  readonly isAlt: boolean
}

/** Returns a function that detaches it. */
export function attachPointer(surface: HTMLElement, input: PointerInput): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const pointers = new Map<number, PointerEvent>()
  let grab: Grab | null = null
  let hasMoved = false
  /** Null if no rest is pending. */
  let timer: ReturnType<typeof setTimeout> | null = null
  const stopTimer = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const rest = () => {
    stopTimer()
    input.onRest()
  }
  const restLater = () => {
    stopTimer()
    timer = setTimeout(rest, REST_MS)
  }
  const leave = ({ pointerId }: PointerEvent) => {
    if (!pointers.delete(pointerId) || grab === null) return
    // Ends the gesture for all: lifting a finger would otherwise make the remaining one drag the artwork.
    grab = null
    if (hasMoved) rest()
  }
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    if (pointers.size === 0) hasMoved = false
    pointers.set(event.pointerId, event)
    if (event.pointerType === 'touch' && pointers.size < 2 && !input.takesFinger(event)) return
    const target = input.target(event)
    if (target === null) return
    // Completes the wheel's change first.
    if (timer !== null) rest()
    for (const id of pointers.keys()) surface.setPointerCapture(id)
    grab = { from: new Map(pointers), target, isAlt: event.altKey }
  }
  const onMove = (event: PointerEvent) => {
    if (!pointers.has(event.pointerId)) return
    pointers.set(event.pointerId, event)
    const begun = grab?.from.get(event.pointerId)
    if (grab === null || begun === undefined) return
    if (!hasMoved) {
      if (Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY) < CLICK_PX) return
      hasMoved = true
      input.onMoving?.()
    }
    const { target, from, isAlt } = grab
    const box = surface.getBoundingClientRect()
    input.onPlace(from.size > 1 ? pinched(target, from, pointers, box) : followed(target, begun, event, box), isAlt)
  }
  /** Chromium ignores `touch-action` of shapes in SVG: it would scroll, and end the gesture. */
  const onTouchMove = (event: TouchEvent) => {
    if (grab !== null && event.cancelable) event.preventDefault()
  }
  const onWheel = (event: WheelEvent) => {
    const target = event.ctrlKey || input.takesWheel() ? input.target(event) : null
    if (target === null) return
    event.preventDefault()
    input.onPlace(wheeled(target.placement, event), event.altKey)
    restLater()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = input.takesKeys === true && !event.ctrlKey && !event.metaKey ? input.target() : null
    const change = target && keyChange(target.placement, event, by => target.move(by, [0, 0]))
    if (change === null) return
    event.preventDefault()
    input.onPlace(change, event.altKey)
    restLater()
  }
  const onClick = () => {
    if (!hasMoved) input.onClick?.()
    hasMoved = false
  }
  surface.addEventListener('pointerdown', onDown, { signal })
  surface.addEventListener('pointermove', onMove, { signal })
  surface.addEventListener('pointerup', leave, { signal })
  surface.addEventListener('pointercancel', leave, { signal })
  surface.addEventListener('touchmove', onTouchMove, { signal, passive: false })
  surface.addEventListener('wheel', onWheel, { signal, passive: false })
  surface.addEventListener('keydown', onKeyDown, { signal })
  surface.addEventListener('click', onClick, { signal })
  return () => {
    stopTimer()
    listening.abort()
  }
}
