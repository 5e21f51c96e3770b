import type { Mesh, Point } from '@vitrine/engine'
import type { Warp } from 'ag-psd'
import { MAX_MESH_POINTS } from '../limits.ts'
import { PsdRefusedError } from '../refused-error.ts'
import { styledMesh } from './named-styles.ts'

/** The mesh of a warp; null if there is none. @throws PsdRefusedError */
export function meshOf(warp: Warp | undefined, widthPx: number, heightPx: number): Mesh | null {
  if (!warp?.style || warp.style === 'none' || warp.style === 'cylinder') return null
  if (warp.style !== 'custom') return styledMesh(warp, widthPx, heightPx)
  const points = (warp.customEnvelopeWarp?.meshPoints ?? []).map(({ x, y }): Point => [x, y])
  const columns = warp.deformNumCols ?? 4
  const rows = warp.deformNumRows ?? 4
  const isSized = [columns, rows].every(count => count >= 4 && count <= MAX_MESH_POINTS && (count - 1) % 3 === 0)
  if (!isSized || points.length !== columns * rows) {
    throw new PsdRefusedError(`A warp of ${points.length} points is not understood (${columns} x ${rows}).`)
  }
  if (!points.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y))) {
    throw new PsdRefusedError('This file is damaged: a warp has points that are no numbers.')
  }
  const { bounds, customEnvelopeWarp } = warp
  return {
    columns,
    rows,
    points,
    sliceX: slices(
      customEnvelopeWarp?.quiltSliceX,
      bounds?.left.value ?? 0,
      bounds?.right.value ?? widthPx,
      (columns - 1) / 3,
    ),
    sliceY: slices(
      customEnvelopeWarp?.quiltSliceY,
      bounds?.top.value ?? 0,
      bounds?.bottom.value ?? heightPx,
      (rows - 1) / 3,
    ),
  }
}

/** Stored boundaries lie 0.6 px outside at both ends, and stand for the ends of the content. */
function slices(stored: readonly number[] | undefined, from: number, to: number, patches: number): number[] {
  const even = Array.from({ length: patches + 1 }, (_, i) => from + ((to - from) * i) / patches)
  if (stored?.length !== patches + 1) return even
  const ascends = stored.every((value, i) => i === 0 || value > (stored[i - 1] ?? 0))
  return ascends ? stored.map((value, i) => (i === 0 ? from : i === patches ? to : value)) : even
}
