import { invertTone, type Tone } from '@vitrine/engine'
import { solveLinear, zeroMatrix } from './numerics/solve-linear.ts'
import type { PhotoPixels } from './photo-pixels.ts'
import type { SurfaceMap } from './surfaces/frame-surface.ts'

/** Cells along a side of the artwork: their means are nearly even for folds and weave, but not for bodies. */
const CELLS = 10

/** Of the cells: the least share that must be entirely visible. */
const LEAST_SEEN_SHARE = 0.8

/** Added to linear light, whose logarithm is taken. */
const LEAST_LIGHT = 0.002

/**
 * How far the light on a surface is from a plane: the residual of the best slope through the logarithms of
 * cells' means. It is small for flat cloth, wherever light comes from. Null if too little is visible.
 */
export function findRelief(photo: PhotoPixels, map: SurfaceMap, mask: Uint8Array, tone: Tone): number | null {
  const cells = lightOfCells(photo, map, mask, tone)
  if (cells.length < LEAST_SEEN_SHARE * CELLS * CELLS) return null
  const matrix = zeroMatrix(3)
  const right = new Float64Array(3)
  const termsOf = ({ u, v }: Cell): readonly number[] => [1, u, v]
  for (const cell of cells) {
    const terms = termsOf(cell)
    for (const [i, term] of terms.entries()) {
      right[i] = (right[i] ?? 0) + term * cell.light
      for (const [j, other] of terms.entries()) {
        const row = matrix[i]
        if (row) row[j] = (row[j] ?? 0) + term * other
      }
    }
  }
  const plane = solveLinear(matrix, right)
  const missOf = (cell: Cell): number =>
    termsOf(cell).reduce((rest, term, i) => rest - term * (plane[i] ?? 0), cell.light)
  return Math.sqrt(cells.reduce((sum, cell) => sum + missOf(cell) ** 2, 0) / cells.length)
}

/** A cell of the artwork: its corner, and the logarithm of the mean light on it. */
type Cell = { readonly u: number; readonly v: number; readonly light: number }

function lightOfCells(photo: PhotoPixels, { rect, u, v }: SurfaceMap, mask: Uint8Array, tone: Tone): Cell[] {
  const lightOf = Float64Array.from({ length: 256 }, (_, byte) => invertTone(tone, byte / 255))
  const sums = new Float64Array(CELLS * CELLS)
  const counts = new Float64Array(CELLS * CELLS)
  for (const [i, byte] of mask.entries()) {
    const [column, row] = [Math.floor(CELLS * (u[i] ?? -1)), Math.floor(CELLS * (v[i] ?? -1))]
    if (byte < 128 || !(column >= 0 && column < CELLS && row >= 0 && row < CELLS)) continue
    const pixel = (rect.top + Math.floor(i / rect.widthPx)) * photo.widthPx + rect.left + (i % rect.widthPx)
    const cell = row * CELLS + column
    sums[cell] = (sums[cell] ?? 0) + (lightOf[photo.data[3 * pixel + 1] ?? 0] ?? 0)
    counts[cell] = (counts[cell] ?? 0) + 1
  }
  const cells: Cell[] = []
  for (const [cell, count] of counts.entries()) {
    if (count === 0) continue
    const light = Math.log((sums[cell] ?? 0) / count + LEAST_LIGHT)
    cells.push({ u: (cell % CELLS) / CELLS, v: Math.floor(cell / CELLS) / CELLS, light })
  }
  return cells
}
