import * as shared from '../../../kernels/assembly/png/records.ts'
import * as records from '../../../kernels/assembly/webp/records.ts'
import { alignAddress as align } from '../../kernels/align-address.ts'
import { DeclinedError } from '../declined.ts'
import {
  MOST_REDUCTION,
  OUT_BYTES,
  type Reduction,
  type ReductionRegionName,
  reserveReduction,
  type Size,
  withNeighbours,
} from '../png/png-layout.ts'
import type { Part } from '../shown-part.ts'
import type { WebpPicture } from './parse-webp.ts'

/** Addresses in the decoder's memory and what it is to compute, before anything is reserved. */
export type WebpLayout = {
  readonly part: Part
  /** what is computed: the part and, where it is reduced, a neighbour on each side for the sharpening */
  readonly work: Part
  /** null where the picture keeps its size */
  readonly reduction: Reduction | null
  readonly outRows: number
  readonly outStrideBytes: number
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
  readonly row: number
  readonly out: number
  /** first unused address */
  readonly end: number
  /** all memory of the picture, in the order of addresses */
  readonly regions: readonly MemoryRegion[]
}

/** Memory of one purpose. Whole vectors are loaded and stored up to `SLACK_BYTES` beyond its size. */
type MemoryRegion = { readonly name: RegionName; readonly at: number; readonly sizeBytes: number }

export type RegionName = 'input' | 'blocks' | 'planes' | 'row' | 'out' | ReductionRegionName

export const SLACK_BYTES = 64

const BLOCK_PX = 16

/**
 * Lays a picture out that is reduced to `size`, of which `part` is wanted (null: all). `gapBytes`: unused
 * bytes between regions.
 */
export function buildWebpLayout(webp: WebpPicture, size: Size, wanted: Part | null, gapBytes = 0): WebpLayout {
  const { widthPx, heightPx, chunk } = webp
  if (widthPx > MOST_REDUCTION * size.widthPx || heightPx > MOST_REDUCTION * size.heightPx) {
    throw new DeclinedError('unsupported', 'A stronger reduction is for the general decoder.')
  }
  const part = wanted ?? { left: 0, top: 0, right: size.widthPx, bottom: size.heightPx }
  let end = align(shared.DYNAMIC + gapBytes)
  const regions: MemoryRegion[] = []
  const reserve = (name: RegionName, sizeBytes: number): number => {
    const at = end
    regions.push({ name, at, sizeBytes })
    end = align(end + sizeBytes + SLACK_BYTES + gapBytes)
    return at
  }
  const columns = Math.ceil(widthPx / BLOCK_PX)
  const yStrideBytes = columns * BLOCK_PX + 2 * records.ROW_MARGIN
  const uvStrideBytes = (columns * BLOCK_PX) / 2 + 2 * records.ROW_MARGIN
  const chromaRows = (records.KEPT_ROWS + BLOCK_PX) / 2
  const outStrideBytes = (part.right - part.left) * 4
  const outRows = Math.max(1, Math.min(part.bottom - part.top, Math.floor(OUT_BYTES / outStrideBytes)))
  const isReduced = size.widthPx !== widthPx || size.heightPx !== heightPx
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
    out: reserve('out', outRows * outStrideBytes),
  }
  const work = isReduced ? withNeighbours(part, size) : part
  const reduction = isReduced ? reserveReduction(webp, size, work, reserve) : null
  return { part, work, reduction, outRows, outStrideBytes, yStrideBytes, uvStrideBytes, ...fixed, end, regions }
}
