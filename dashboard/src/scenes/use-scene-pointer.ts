import type { Placement } from '@vitrine/contract'
import { type FramePlane, movedBy, type PlacedArtwork } from '@vitrine/live'
import { type Dispatch, type RefObject, useState } from 'react'
import type { GalleryPlacingAction } from '../visit/gallery-placing.ts'
import type { SceneFacts } from './scene-facts.ts'
import { usePointer } from './use-pointer.ts'

type ScenePointer = {
  readonly surface: RefObject<HTMLElement | null>
  readonly template: SceneFacts
  readonly placement: Placement
  /** Undefined until the scene is shown. */
  readonly plane: FramePlane | undefined
  readonly placed: PlacedArtwork | null
  /** Whether one finger moves the artwork; if not, it scrolls the page. */
  readonly isTouchable: boolean
  readonly dispatch: Dispatch<GalleryPlacingAction>
  readonly onRest?: () => void
  readonly onClick?: () => void
}

/** Pointer handling on a gallery scene; Alt moves its own artwork only. Returns whether it is moving. */
export function useScenePointer(input: ScenePointer): boolean {
  const { surface, template, placement, plane, placed, isTouchable, dispatch, onRest, onClick } = input
  const [isMoved, setMoved] = useState(false)
  usePointer(surface, {
    target: () =>
      plane === undefined || placed === null
        ? null
        : { placement, plane, move: (by, reach) => movedBy(placement, placed, by, reach) },
    takesFinger: () => isTouchable,
    takesWheel: () => surface.current === document.activeElement,
    onPlace: (change, isOwn) => dispatch({ kind: 'place', template, change: { ...placement, ...change }, isOwn }),
    onMoving: () => setMoved(true),
    onRest() {
      setMoved(false)
      dispatch({ kind: 'rest' })
      onRest?.()
    },
    ...(onClick === undefined ? {} : { onClick }),
  })
  return isMoved
}
