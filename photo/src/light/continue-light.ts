import type { Rect } from '@vitrine/engine'
import type { Planes } from './clean-photo.ts'

/** A pixel that is less covered shows what is behind, and so do its neighbours by the lens and the JPEG. */
const WHOLE_SHARE = 0.98
const BLURRED_PX = 1

/** As far beyond a part as filters of its light reach. */
const REACH_PX = 10

/** Not yet continued to. */
const OUTSIDE = 255

/**
 * Continues the values inside a part over its edge and beyond, in place, ring by ring: each pixel takes the
 * mean of its neighbours further inside. What is behind would else count as light on the part.
 */
export function continueLight(planes: Planes, rect: Rect, coverage: Float32Array): void {
  const rings = new Uint8Array(coverage.length)
  for (let i = 0; i < rings.length; i++) if ((coverage[i] ?? 0) < WHOLE_SHARE) rings[i] = OUTSIDE
  for (let k = 0; k < BLURRED_PX; k++) for (const i of findRim(rings, rect)) rings[i] = OUTSIDE
  let last = findRim(rings, rect)
  for (let ring = 1; ring <= REACH_PX; ring++) {
    const next: number[] = []
    for (const i of last) {
      for (const near of neighboursOf(i, rect)) {
        if (rings[near] !== OUTSIDE) continue
        rings[near] = ring
        next.push(near)
      }
    }
    for (const i of next) {
      const inner = neighboursOf(i, rect).filter(near => (rings[near] ?? OUTSIDE) < ring)
      for (const plane of planes) plane[i] = inner.reduce((sum, near) => sum + (plane[near] ?? 0), 0) / inner.length
    }
    last = next
  }
}

/** The pixels inside beside one outside. */
function findRim(rings: Uint8Array, { widthPx }: Rect): number[] {
  const rim: number[] = []
  for (let i = 0, x = 0; i < rings.length; i++, x = x === widthPx - 1 ? 0 : x + 1) {
    if (rings[i] !== 0) continue
    const isBeside = (x > 0 && rings[i - 1] === OUTSIDE) || (x < widthPx - 1 && rings[i + 1] === OUTSIDE)
    if (isBeside || rings[i - widthPx] === OUTSIDE || rings[i + widthPx] === OUTSIDE) rim.push(i)
  }
  return rim
}

function neighboursOf(i: number, { widthPx, heightPx }: Rect): number[] {
  const [x, y] = [i % widthPx, Math.floor(i / widthPx)]
  const [right, bottom] = [Math.min(widthPx - 1, x + 1), Math.min(heightPx - 1, y + 1)]
  const near: number[] = []
  for (let row = Math.max(0, y - 1); row <= bottom; row++)
    for (let column = Math.max(0, x - 1); column <= right; column++)
      if (row !== y || column !== x) near.push(row * widthPx + column)
  return near
}
