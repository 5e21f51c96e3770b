/** Two fingers that move apart, together or along: the picture between them follows. */
import type { Client } from '@vitrine/live'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

type Fingers = { readonly middle: Client; readonly distance: number }

/** Null unless there are two. */
function fingersOf({ touches }: TouchEvent): Fingers | null {
  const [one, other] = touches
  if (one === undefined || other === undefined || touches.length > 2) return null
  return {
    middle: { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 },
    distance: Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)),
  }
}

/** What a finger moves itself. Chromium ignores `touch-action` of shapes in SVG, and would scroll. */
const isHeld = (target: EventTarget | null): boolean =>
  target instanceof SVGElement && getComputedStyle(target).touchAction === 'none'

/** `onPinch` receives the factor of the distance, and the current and previous middle of the fingers. */
export function usePinch(
  view: RefObject<HTMLElement | null>,
  onPinch: (share: number, middle: Client, before: Client) => void,
): void {
  const last = useRef<Fingers | null>(null)
  const pinched = useEffectEvent(onPinch)
  useEffect(() => {
    const element = view.current
    if (element === null) return
    const start = (event: TouchEvent) => {
      last.current = fingersOf(event)
      if (last.current === null) return
      event.preventDefault()
      // Ends what one finger began to move or draw: its own pointer sends no more events.
      for (const { target } of event.touches)
        target.dispatchEvent(new PointerEvent('pointercancel', { bubbles: true, pointerType: 'touch' }))
    }
    const move = (event: TouchEvent) => {
      if (event.cancelable && isHeld(event.target)) event.preventDefault()
      const fingers = fingersOf(event)
      // A page that is already scrolling continues.
      if (fingers === null || last.current === null || !event.cancelable) return
      event.preventDefault()
      pinched(fingers.distance / last.current.distance, fingers.middle, last.current.middle)
      last.current = fingers
    }
    const end = (event: TouchEvent) => {
      last.current = fingersOf(event)
    }
    const options = { passive: false }
    element.addEventListener('touchstart', start, options)
    element.addEventListener('touchmove', move, options)
    element.addEventListener('touchend', end)
    element.addEventListener('touchcancel', end)
    return () => {
      element.removeEventListener('touchstart', start)
      element.removeEventListener('touchmove', move)
      element.removeEventListener('touchend', end)
      element.removeEventListener('touchcancel', end)
    }
  })
}
