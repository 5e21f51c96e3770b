import type { Point } from '@vitrine/engine'
import type { ArtworkPoint } from './artwork-point.ts'

const STEPS = 8
const DIFFERENCE_PX = 0.5

/** The inverse of a surface near a known point: Newton's method from there. */
export function invertSurface(
  toArtwork: (x: number, y: number) => ArtworkPoint,
  near: (u: number, v: number) => Point,
): (u: number, v: number) => Point {
  return (u, v) => {
    let [x, y] = near(u, v)
    for (let step = 0; step < STEPS; step++) {
      const here = toArtwork(x, y)
      const [right, below] = [toArtwork(x + DIFFERENCE_PX, y), toArtwork(x, y + DIFFERENCE_PX)]
      const [ux, vx] = [(right.u - here.u) / DIFFERENCE_PX, (right.v - here.v) / DIFFERENCE_PX]
      const [uy, vy] = [(below.u - here.u) / DIFFERENCE_PX, (below.v - here.v) / DIFFERENCE_PX]
      const determinant = ux * vy - uy * vx
      if (Math.abs(determinant) < 1e-12) break
      const [du, dv] = [u - here.u, v - here.v]
      x += (du * vy - dv * uy) / determinant
      y += (dv * ux - du * vx) / determinant
    }
    return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : near(u, v)
  }
}
