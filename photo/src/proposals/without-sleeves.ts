import type { Coverage } from '../photo-pixels.ts'
import { isInside } from './find-sides.ts'

/** A coverage of what is connected, row by row, to the middle of its lowest row: sleeves lie beside it. */
export function withoutSleeves(coverage: Coverage): Coverage {
  const { widthPx, heightPx } = coverage
  const data = new Uint8Array(coverage.data.length)
  const columns = Array.from({ length: widthPx }, (_, x) => x)
  let middle: number | null = null
  for (let y = heightPx - 1; y >= 0; y--) {
    const isCovered = (x: number): boolean => isInside(coverage, x, y)
    const start: number = middle ?? Math.round((columns.findIndex(isCovered) + columns.findLastIndex(isCovered)) / 2)
    if (!isCovered(start)) continue
    let [from, to] = [start, start]
    while (isCovered(from - 1)) from--
    while (isCovered(to + 1)) to++
    // With the partly covered pixels at its ends.
    const row = coverage.data.subarray(y * widthPx + Math.max(0, from - 1), y * widthPx + Math.min(widthPx, to + 2))
    data.set(row, y * widthPx + Math.max(0, from - 1))
    middle = Math.round((from + to) / 2)
  }
  return { widthPx, heightPx, data }
}
