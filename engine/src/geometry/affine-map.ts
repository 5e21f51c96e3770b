import type { Bounds } from './rect.ts'

/** An affine map of the plane: (u, v) -> (xPerU u + xPerV v + x0, yPerU u + yPerV v + y0). */
export type AffineMap = {
  readonly xPerU: number
  readonly xPerV: number
  readonly x0: number
  readonly yPerU: number
  readonly yPerV: number
  readonly y0: number
}

/** The map followed by a scale and a shift of each axis. */
export function scaleAndShift(
  map: AffineMap,
  scaleX: number,
  scaleY: number,
  shiftX: number,
  shiftY: number,
): AffineMap {
  return {
    xPerU: map.xPerU * scaleX,
    xPerV: map.xPerV * scaleX,
    x0: shiftX + map.x0 * scaleX,
    yPerU: map.yPerU * scaleY,
    yPerV: map.yPerV * scaleY,
    y0: shiftY + map.y0 * scaleY,
  }
}

/** The smallest rectangle that holds the image of the unit square. */
export function boundUnitSquare(map: AffineMap): Bounds {
  return {
    left: map.x0 + Math.min(0, map.xPerU) + Math.min(0, map.xPerV),
    top: map.y0 + Math.min(0, map.yPerU) + Math.min(0, map.yPerV),
    width: Math.abs(map.xPerU) + Math.abs(map.xPerV),
    height: Math.abs(map.yPerU) + Math.abs(map.yPerV),
  }
}
