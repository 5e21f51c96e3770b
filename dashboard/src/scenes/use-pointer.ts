/** Attaches pointer handling to an element, with the options of its newest rendering. */
import { attachPointer, type PointerInput } from '@vitrine/live'
import { type RefObject, useEffect, useRef } from 'react'

export function usePointer(surface: RefObject<HTMLElement | null>, input: PointerInput): void {
  const newest = useRef(input)
  useEffect(() => {
    newest.current = input
  })
  useEffect(() => {
    if (surface.current === null) return
    return attachPointer(surface.current, {
      target: by => newest.current.target(by),
      takesFinger: press => newest.current.takesFinger(press),
      takesWheel: () => newest.current.takesWheel(),
      onPlace: (change, isAlt) => newest.current.onPlace(change, isAlt),
      onMoving: () => newest.current.onMoving?.(),
      onRest: () => newest.current.onRest(),
      onClick: () => newest.current.onClick?.(),
    })
  }, [surface])
}
