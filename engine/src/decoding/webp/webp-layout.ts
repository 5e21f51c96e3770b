import * as records from '../../../kernels/assembly/webp/records.ts'
import {
  MemoryPlan,
  type MemoryRegion,
  planResult,
  type ReductionRegionName,
  type ResultLayout,
  reserveReduction,
  type Size,
} from '../reduction/result-layout.ts'
import type { Part } from '../shown-part.ts'
import type { WebpPicture } from './parse-webp.ts'

/** Addresses in the decoder's memory and what it is to compute, before anything is reserved. */
export type WebpLayout = ResultLayout & {
  readonly chunk: number
  readonly tops: number
  readonly topModes: number
  readonly topContexts: number
  readonly strengths: number
  readonly yRows: number
  readonly uRows: number
  readonly vRows: number
  readonly yStrideBytes: number
  readonly uvStrideBytes: number
  /** first unused address */
  readonly end: number
  /** all memory of the picture, in the order of addresses */
  readonly regions: readonly MemoryRegion<RegionName>[]
}

export type RegionName = 'input' | 'blocks' | 'planes' | 'row' | 'out' | ReductionRegionName

const BLOCK_PX = 16

/**
 * Lays a picture out that is reduced to `size`, of which `part` is wanted (null: all). `gapBytes`: unused
 * bytes between regions.
 */
export function buildWebpLayout(webp: WebpPicture, size: Size, wanted: Part | null, gapBytes = 0): WebpLayout {
  const { widthPx, chunk } = webp
  const result = planResult(webp, size, wanted)
  const memory = new MemoryPlan<RegionName>(gapBytes)
  const reserve = memory.reserve
  const columns = Math.ceil(widthPx / BLOCK_PX)
  const yStrideBytes = columns * BLOCK_PX + 2 * records.ROW_MARGIN
  const uvStrideBytes = (columns * BLOCK_PX) / 2 + 2 * records.ROW_MARGIN
  const chromaRows = (records.KEPT_ROWS + BLOCK_PX) / 2
  const fixed = {
    chunk: reserve('input', records.INPUT_LEAD + chunk.length) + records.INPUT_LEAD,
    tops: reserve('blocks', (columns + 1) * 32),
    topModes: reserve('blocks', columns * 4),
    topContexts: reserve('blocks', columns * 16),
    strengths: reserve('blocks', columns * 4),
    yRows: reserve('planes', (records.KEPT_ROWS + BLOCK_PX) * yStrideBytes) + records.ROW_MARGIN,
    uRows: reserve('planes', chromaRows * uvStrideBytes) + records.ROW_MARGIN,
    vRows: reserve('planes', chromaRows * uvStrideBytes) + records.ROW_MARGIN,
    row: reserve('row', columns * BLOCK_PX * 4),
    out: reserve('out', result.outRows * result.outStrideBytes),
  }
  const reduction = result.isReduced ? reserveReduction(webp, size, result.work, reserve) : null
  return { ...result, reduction, yStrideBytes, uvStrideBytes, ...fixed, end: memory.end, regions: memory.regions }
}
