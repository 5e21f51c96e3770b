/** What pointers on a scene do to the artwork in it: one moves, two scale and turn. */
import type { Placement } from '@vitrine/engine'
import { type FramePlane, type Point, toFrame } from './frame-plane.ts'
import { angleBetween, ratioBetween, scaled, turned } from './gestures.ts'
import { movedBy, type PlacedArtwork } from './moved-in-frame.ts'
import type { PlacementChange } from './placement-values.ts'

/** How near to a resting place, in CSS pixels, artwork is put there. */
const SNAP_PX = 6
/** Of a wheel, per pixel that it scrolls. */
const WHEEL_SHARE = 0.002

/** Artwork as it lies when the pointer takes it. */
export type HandTarget = {
  readonly placement: Placement
  readonly plane: FramePlane
  readonly artwork: PlacedArtwork
}

/** A point of the window, in CSS pixels. */
export type Client = { readonly clientX: number; readonly clientY: number }

/** What one pointer does that has come from `begun` to `now`, over a picture that is shown in `box`. */
export function followed(
  { placement, plane, artwork }: HandTarget,
  begun: Client,
  now: Client & { readonly ctrlKey: boolean },
  box: DOMRect,
): PlacementChange {
  const pointOf = ({ clientX, clientY }: Client): Point =>
    toFrame(plane, [(clientX - box.left) / box.width, (clientY - box.top) / box.height])
  const [start, end] = [pointOf(begun), pointOf(now)]
  const beside = pointOf({ clientX: begun.clientX + SNAP_PX, clientY: begun.clientY })
  const below = pointOf({ clientX: begun.clientX, clientY: begun.clientY + SNAP_PX })
  const reach = (axis: 0 | 1): number =>
    now.ctrlKey ? 0 : Math.max(Math.abs(beside[axis] - start[axis]), Math.abs(below[axis] - start[axis]))
  return movedBy(placement, artwork, [end[0] - start[0], end[1] - start[1]], [reach(0), reach(1)])
}

/** What two pointers do: how far they are apart scales, how they lie turns. Both maps are by pointer. */
export function pinched(
  { placement }: HandTarget,
  from: ReadonlyMap<number, Client>,
  pointers: ReadonlyMap<number, Client>,
): PlacementChange {
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

/** What a wheel does; a pinch on a trackpad comes with Control, and in smaller steps. */
export function wheeled(
  placement: Placement,
  { deltaY, ctrlKey }: Pick<WheelEvent, 'deltaY' | 'ctrlKey'>,
): PlacementChange {
  return scaled(placement, Math.exp(-deltaY * WHEEL_SHARE * (ctrlKey ? 4 : 1)))
}
