/** What pointer gestures change, relative to the start of the gesture, so that errors don't accumulate. */
import type { Placement } from '@vitrine/engine'
import type { Point } from './frame-plane.ts'
import { fieldValue, type PlacementChange } from './placement-values.ts'

/** Artwork snaps to the middle of its frame. */
const MIDDLE = 0.5
/** Artwork within so many degrees of a right angle snaps to it. */
const SNAP_DEGREES = 4

/** Moves by (du, dv) of the frame. `reach`: how close to the middle it snaps, in shares of the frame. */
export function moved({ x, y }: Placement, [du, dv]: Point, [reachX, reachY]: Point): PlacementChange {
  const settle = (value: number, reach: number): number => (Math.abs(value - MIDDLE) <= reach ? MIDDLE : value)
  return { x: fieldValue('x', settle(x + du, reachX)), y: fieldValue('y', settle(y + dv, reachY)) }
}

export function scaled({ scale }: Placement, factor: number): PlacementChange {
  return { scale: fieldValue('scale', scale * factor) }
}

/** Clockwise, to -180..180 degrees; snaps to right angles unless `isFree`. */
export function turned({ rotation }: Placement, degrees: number, isFree = false): PlacementChange {
  const sum = rotation + degrees
  const around = sum - 360 * Math.round(sum / 360)
  const right = Math.round(around / 90) * 90
  const snapped = !isFree && Math.abs(around - right) <= SNAP_DEGREES ? right : around
  // Rounding may give -0.
  return { rotation: fieldValue('rotation', snapped) + 0 }
}

/** The clockwise angle in degrees around a centre, from one point of the frame to another. */
export function angleBetween(centre: Point, from: Point, to: Point, aspectRatio: number): number {
  const angleOf = ([u, v]: Point): number => Math.atan2(v - centre[1], (u - centre[0]) * aspectRatio)
  return ((angleOf(to) - angleOf(from)) * 180) / Math.PI
}

/** The ratio of two points' distances from a centre, in the frame. */
export function ratioBetween(centre: Point, from: Point, to: Point, aspectRatio: number): number {
  const distance = ([u, v]: Point): number => Math.hypot((u - centre[0]) * aspectRatio, v - centre[1])
  return distance(to) / Math.max(1e-6, distance(from))
}

/** Whether the artwork's centre is the frame's, along each axis; guides are shown there. */
export const isCentred = ({ x, y }: Placement): { readonly across: boolean; readonly down: boolean } => ({
  across: x === MIDDLE,
  down: y === MIDDLE,
})

export type KeyPress = { readonly key: string; readonly shiftKey: boolean; readonly altKey: boolean }

/** The direction of each arrow key. */
export const arrows = new Map<string, Point>([
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['ArrowUp', [0, -1]],
  ['ArrowDown', [0, 1]],
])

/** The factor by which each key scales, with Shift and without. */
const scalings = new Map([
  ['+', 1.05],
  ['=', 1.05],
  ['-', 1 / 1.05],
  ['_', 1 / 1.05],
])

/** The change that + and - make; null for other keys. */
export function scaledByKey(placement: Placement, key: string): PlacementChange | null {
  const factor = scalings.get(key)
  return factor === undefined ? null : scaled(placement, factor)
}

/**
 * The change that a key makes: arrows move by a hundredth of the frame, + and - scale, [ and ] turn; null for
 * others. `move`: moves the artwork by shares of the frame.
 */
export function keyChange(
  placement: Placement,
  { key, shiftKey, altKey }: KeyPress,
  move: (by: Point) => PlacementChange = by => moved(placement, by, [0, 0]),
): PlacementChange | null {
  const arrow = arrows.get(key)
  const size = altKey ? 0.1 : shiftKey ? 10 : 1
  if (arrow !== undefined) return move([arrow[0] * 0.01 * size, arrow[1] * 0.01 * size])
  switch (key) {
    case '[':
    case '{':
      return turned(placement, -1 * size, true)
    case ']':
    case '}':
      return turned(placement, size, true)
    default:
      return scaledByKey(placement, key)
  }
}
