import assert from 'node:assert/strict'
import type { OpaquePixmap } from '../src/index.ts'

/** Luminance that changes by more than this between a pixel's neighbours is an edge. */
const EDGE_STEP = 24

/** The mean difference of 255, and the noise at the edges of the second picture in decibels. */
export function comparePictures(one: OpaquePixmap, other: OpaquePixmap): { mean: number; edgesDb: number } {
  const { widthPx, heightPx, data } = other
  assert.deepEqual([one.widthPx, one.heightPx], [widthPx, heightPx])
  const lumaAt = (i: number): number => 0.299 * (data[i] ?? 0) + 0.587 * (data[i + 1] ?? 0) + 0.114 * (data[i + 2] ?? 0)
  const row = 3 * widthPx
  let [sum, edgeSum, edgeCount] = [0, 0, 0]
  for (let i = 0; i < data.length; i += 3) {
    const x = (i / 3) % widthPx
    const isRim = x === 0 || x === widthPx - 1 || i < row || i >= data.length - row
    const step = isRim
      ? 0
      : Math.max(Math.abs(lumaAt(i + 3) - lumaAt(i - 3)), Math.abs(lumaAt(i + row) - lumaAt(i - row)))
    for (let c = 0; c < 3; c++) {
      const difference = Math.abs((one.data[i + c] ?? 0) - (data[i + c] ?? 0))
      sum += difference
      if (step <= EDGE_STEP) continue
      edgeSum += difference ** 2
      edgeCount++
    }
  }
  return { mean: sum / data.length, edgesDb: 10 * Math.log10(255 ** 2 / (edgeSum / edgeCount)) }
}
