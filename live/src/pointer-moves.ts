/** What pointers do to the artwork of a scene: one moves, two scale and turn. */
import type { Placement } from '@vitrine/engine'
import { type FramePlane, type Point, toFrame } from './frame-plane.ts'
import { angleBetween, ratioBetween, scaled, turned } from './gestures.ts'
import type { PlacementChange } from './placement-values.ts'

/** How close to a snap position artwork snaps, in CSS pixels. */
const SNAP_PX = 6
/** Scaling per pixel that the wheel scrolls. */
const WHEEL_SHARE = 0.002
/** `WheelEvent.DOM_DELTA_LINE`: some wheels report lines, of this many pixels each. */
const DELTA_LINE = 1
const LINE_PX = 16

/** The artwork as it is placed when the pointer grabs it. */
export type PointerTarget = {
  readonly placement: Placement
  readonly plane: FramePlane
  /** Moves by shares of the frame. `reach`: how close to a snap position it snaps. */
  readonly move: (by: Point, reach: Point) => PlacementChange
  /** What a single pointer does instead of moving, around a point of the frame. */
  readonly tool?: { readonly kind: 'turn' | 'scale'; readonly about: Point }
  /** Alt disables snapping, as Control does. */
  readonly isFreeWithAlt?: boolean
}

/** A point of the window, in CSS pixels. */
export type Client = { readonly clientX: number; readonly clientY: number }
type Held = Client & { readonly ctrlKey: boolean; readonly altKey: boolean }

/** The change by one pointer that moved from `begun` to `now`, over a picture shown in `box`. */
export function followed(target: PointerTarget, begun: Client, now: Held, box: DOMRect): PlacementChange {
  const { placement, plane, tool } = target
  const isFree = now.ctrlKey || (target.isFreeWithAlt === true && now.altKey)
  if (tool === undefined) return dragged(target, begun, now, box, isFree)
  const [start, end] = [pointOf(plane, begun, box), pointOf(plane, now, box)]
  return tool.kind === 'turn'
    ? turned(placement, angleBetween(tool.about, start, end, plane.aspectRatio), isFree)
    : scaled(placement, ratioBetween(tool.about, start, end, plane.aspectRatio))
}

function dragged(
  { plane, move }: PointerTarget,
  begun: Client,
  now: Client,
  box: DOMRect,
  isFree: boolean,
): PlacementChange {
  const [start, end] = [pointOf(plane, begun, box), pointOf(plane, now, box)]
  const beside = pointOf(plane, { clientX: begun.clientX + SNAP_PX, clientY: begun.clientY }, box)
  const below = pointOf(plane, { clientX: begun.clientX, clientY: begun.clientY + SNAP_PX }, box)
  const reach = (axis: 0 | 1): number =>
    isFree ? 0 : Math.max(Math.abs(beside[axis] - start[axis]), Math.abs(below[axis] - start[axis]))
  return move([end[0] - start[0], end[1] - start[1]], [reach(0), reach(1)])
}

const pointOf = (plane: FramePlane, { clientX, clientY }: Client, box: DOMRect): Point =>
  toFrame(plane, [(clientX - box.left) / box.width, (clientY - box.top) / box.height])

/** By pointer. */
type Pointers = ReadonlyMap<number, Client>

/** The change by two pointers: their midpoint moves, their distance scales, their angle turns. */
export const pinched = (target: PointerTarget, from: Pointers, now: Pointers, box: DOMRect): PlacementChange => ({
  ...dragged(target, middleOf(from), middleOf(now), box, false),
  ...stretched(target.placement, from, now),
})

function middleOf(pointers: Pointers): Client {
  const all = [...pointers.values()]
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return { clientX: mean(all.map(({ clientX }) => clientX)), clientY: mean(all.map(({ clientY }) => clientY)) }
}

function stretched(placement: Placement, from: Pointers, now: Pointers): PlacementChange {
  const [first = 0, second = 0] = [...from.keys()]
  const pair = (of: Pointers): Point => {
    const [a, b] = [of.get(first), of.get(second)]
    return a === undefined || b === undefined ? [1, 0] : [b.clientX - a.clientX, b.clientY - a.clientY]
  }
  const [before, after] = [pair(from), pair(now)]
  return {
    ...scaled(placement, ratioBetween([0, 0], before, after, 1)),
    ...turned(placement, angleBetween([0, 0], before, after, 1)),
  }
}

type Wheel = Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>

/** How far a wheel scrolls, in pixels. */
export const wheelPixels = ({ deltaY, deltaMode }: Omit<Wheel, 'ctrlKey'>): number =>
  deltaY * (deltaMode === DELTA_LINE ? LINE_PX : 1)

/** The change by a wheel. Trackpad pinches arrive with Control, in smaller steps. */
export const wheeled = (placement: Placement, event: Wheel): PlacementChange =>
  scaled(placement, Math.exp(-wheelPixels(event) * WHEEL_SHARE * (event.ctrlKey ? 4 : 1)))
