/** The convex outline of points, and the quadrangle around it. */
import { type Corner, type Quad, quadOfPoints } from '../quad.ts'

const turn = (a: Corner, b: Corner, c: Corner): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

/** Andrew, "Another efficient algorithm for convex hulls in two dimensions" (1979). */
export function hullOf(points: readonly Corner[]): Corner[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (ordered: readonly Corner[]): Corner[] => {
    const chain: Corner[] = []
    for (const point of ordered) {
      for (;;) {
        const [before, last] = [chain.at(-2), chain.at(-1)]
        if (before === undefined || last === undefined || turn(before, last, point) > 0) break
        chain.pop()
      }
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

export function areaOf(points: readonly Corner[]): number {
  const doubled = points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length] ?? [x, y]
    return sum + x * nextY - nextX * y
  }, 0)
  return Math.abs(doubled) / 2
}

/** Where the lines through a, b and through c, d meet; null if they are parallel. */
export function meetingOf(a: Corner, b: Corner, c: Corner, d: Corner): Corner | null {
  const [abX, abY, cdX, cdY] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]]
  const determinant = abX * cdY - abY * cdX
  if (Math.abs(determinant) < 1e-9) return null
  const t = ((c[0] - a[0]) * cdY - (c[1] - a[1]) * cdX) / determinant
  return [a[0] + t * abX, a[1] + t * abY]
}

/**
 * A quadrangle around a convex outline: the side whose removal adds the least area is removed, until four are
 * left. Rounded corners become sharp.
 */
export function quadAround(hull: readonly Corner[]): Quad | null {
  let points = [...hull]
  while (points.length > 4) {
    let least: { readonly gained: number; readonly at: number; readonly corner: Corner } | null = null
    for (let at = 0; at < points.length; at++) {
      const [before, from, to, after] = [-1, 0, 1, 2].map(by => points.at((at + by) % points.length))
      if (before === undefined || from === undefined || to === undefined || after === undefined) continue
      const corner = meetingOf(before, from, to, after)
      // If neighbours meet on the other side, the outline would be open.
      if (corner === null || turn(from, to, corner) * turn(from, to, before) > 0) continue
      const gained = Math.abs(turn(from, to, corner)) / 2
      if (least === null || gained < least.gained) least = { gained, at, corner }
    }
    if (least === null) return null
    const { at, corner } = least
    const gone = (at + 1) % points.length
    points = points.map((point, i) => (i === at ? corner : point)).filter((_, i) => i !== gone)
  }
  const [a, b, c, d] = points
  return a === undefined || b === undefined || c === undefined || d === undefined ? null : quadOfPoints([a, b, c, d])
}
