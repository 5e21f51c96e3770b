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

/** The map followed by a scale and an offset per axis. */
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

/** Whether two maps are identical. */
export function isSameMap(a: AffineMap, b: AffineMap): boolean {
  const isSameX = a.xPerU === b.xPerU && a.xPerV === b.xPerV && a.x0 === b.x0
  return isSameX && a.yPerU === b.yPerU && a.yPerV === b.yPerV && a.y0 === b.y0
}

/** The bounding box of the image of the unit square that begins at `startU`. */
export function boundUnitSquare(map: AffineMap, startU: number): Bounds {
  return {
    left: map.x0 + map.xPerU * startU + Math.min(0, map.xPerU) + Math.min(0, map.xPerV),
    top: map.y0 + map.yPerU * startU + Math.min(0, map.yPerU) + Math.min(0, map.yPerV),
    width: Math.abs(map.xPerU) + Math.abs(map.xPerV),
    height: Math.abs(map.yPerU) + Math.abs(map.yPerV),
  }
}
