/** What the pointer on the picture changes. Everything follows from where it began: nothing adds up. */
import type { Placement } from '@vitrine/engine'
import type { Point } from './frame-plane.ts'
import { fieldValue, type PlacementChange } from './placement-values.ts'

/** Where artwork comes to rest by itself, near its frame's middle. */
const MIDDLE = 0.5
/** Within so many degrees of a right angle artwork is turned to it. */
const SNAP_DEGREES = 4

/** By (du, dv) of the frame. `reach`: how near to the middle it is put there, in shares of the frame. */
export function moved({ x, y }: Placement, [du, dv]: Point, [reachX, reachY]: Point): PlacementChange {
  const settle = (value: number, reach: number): number => (Math.abs(value - MIDDLE) <= reach ? MIDDLE : value)
  return { x: fieldValue('x', settle(x + du, reachX)), y: fieldValue('y', settle(y + dv, reachY)) }
}

export function scaled({ scale }: Placement, factor: number): PlacementChange {
  return { scale: fieldValue('scale', scale * factor) }
}

/** Clockwise, to -180..180 degrees; near a right angle to it, unless it `isFree`. */
export function turned({ rotation }: Placement, degrees: number, isFree = false): PlacementChange {
  const sum = rotation + degrees
  const around = sum - 360 * Math.round(sum / 360)
  const right = Math.round(around / 90) * 90
  const snapped = !isFree && Math.abs(around - right) <= SNAP_DEGREES ? right : around
  // Rounding may give -0.
  return { rotation: fieldValue('rotation', snapped) + 0 }
}

/** Degrees clockwise about a centre, from one point of the frame to another. */
export function angleBetween(centre: Point, from: Point, to: Point, aspectRatio: number): number {
  const angleOf = ([u, v]: Point): number => Math.atan2(v - centre[1], (u - centre[0]) * aspectRatio)
  return ((angleOf(to) - angleOf(from)) * 180) / Math.PI
}

/** How many times as far from a centre a point of the frame is as another one. */
export function ratioBetween(centre: Point, from: Point, to: Point, aspectRatio: number): number {
  const distance = ([u, v]: Point): number => Math.hypot((u - centre[0]) * aspectRatio, v - centre[1])
  return distance(to) / Math.max(1e-6, distance(from))
}

/** The artwork's middle is in its frame's, so that guides are shown there. */
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

/**
 * What a key changes: arrows move by a hundredth of the frame, + and - scale, [ and ] turn; else null.
 * `move`: how artwork moves, by shares of the frame.
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
    case '+':
    case '=':
      return scaled(placement, 1.05)
    case '-':
    case '_':
      return scaled(placement, 1 / 1.05)
    case '[':
    case '{':
      return turned(placement, -1 * size, true)
    case ']':
    case '}':
      return turned(placement, size, true)
    default:
      return null
  }
}
