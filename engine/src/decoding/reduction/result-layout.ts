import * as records from '../../../kernels/assembly/reduction/records.ts'
import { alignAddress as align } from '../../webassembly/align-address.ts'
import { DeclinedError } from '../declined.ts'
import type { Part } from '../shown-part.ts'
import { type AxisPlan, planAxis } from './axis-plan.ts'

/** The requested part of a picture, and its destination. */
export type ResultLayout = {
  readonly part: Part
  /** what is computed: the part and its existing neighbours on each side, for sharpening */
  readonly work: Part
  /** null if the picture keeps its size */
  readonly reduction: Reduction | null
  /** rows handed over at a time */
  readonly outRows: number
  readonly outStrideBytes: number
  readonly row: number
  readonly out: number
}

export type Reduction = {
  readonly across: AxisPlan
  readonly down: AxisPlan
  /**
   * whether pixels are opaque YUV in pairs side by side that share U and V; sums and counts of pixels then
   * refer to pairs
   */
  readonly isYuv: boolean
  /** of the widest column */
  readonly tapPairs: number
  /** pixels of the picture that the computed columns need: multiples of 4 */
  readonly firstColumn: number
  readonly endColumn: number
  readonly rowShares: number
  readonly columnStarts: number
  readonly columnWeights: number
  readonly sums: number
  readonly sumBytes: number
  readonly middle: number
  readonly middleBytes: number
  readonly band: number
  readonly bandBytes: number
}

/** The memory regions of a reduction. */
export type ReductionRegionName = 'tables' | 'sums' | 'middle' | 'band'

/** Memory for one purpose. Whole vectors are loaded and stored up to `SLACK_BYTES` beyond its size. */
export type MemoryRegion<Name> = { readonly name: Name; readonly at: number; readonly sizeBytes: number }

export const SLACK_BYTES = 64

/** Rows are handed over in memory that stays in the cache. */
const OUT_BYTES = 64 * 1024

/** Greatest reduction per axis: the 16-bit sums round each contribution. */
export const MOST_REDUCTION = 32

export type Size = { readonly widthPx: number; readonly heightPx: number }

/** Reserves a picture's memory, one region after another. */
export class MemoryPlan<Name> {
  readonly regions: MemoryRegion<Name>[] = []
  readonly #gapBytes: number
  /** first unused address */
  end: number

  constructor(gapBytes: number) {
    this.#gapBytes = gapBytes
    this.end = align(records.DYNAMIC + gapBytes)
  }

  readonly reserve = (name: Name, sizeBytes: number): number => {
    const at = this.end
    this.regions.push({ name, at, sizeBytes })
    this.end = align(at + sizeBytes + SLACK_BYTES + this.#gapBytes)
    return at
  }
}

/** What to compute of a picture that is reduced to `size`, of which `wanted` is requested (null: all). */
export function planResult({ widthPx, heightPx }: Size, size: Size, wanted: Part | null) {
  if (widthPx > MOST_REDUCTION * size.widthPx || heightPx > MOST_REDUCTION * size.heightPx) {
    throw new DeclinedError('unsupported', 'A stronger reduction is for the general decoder.')
  }
  const part = wanted ?? { left: 0, top: 0, right: size.widthPx, bottom: size.heightPx }
  const isReduced = size.widthPx !== widthPx || size.heightPx !== heightPx
  const outStrideBytes = (part.right - part.left) * 4
  const outRows = Math.max(1, Math.min(part.bottom - part.top, Math.floor(OUT_BYTES / outStrideBytes)))
  return { part, work: isReduced ? withNeighbours(part, size) : part, isReduced, outRows, outStrideBytes }
}

/** The part extended by its existing neighbours on each side. */
function withNeighbours({ left, top, right, bottom }: Part, { widthPx, heightPx }: Size): Part {
  return {
    left: Math.max(0, left - 1),
    top: Math.max(0, top - 1),
    right: Math.min(widthPx, right + 1),
    bottom: Math.min(heightPx, bottom + 1),
  }
}

/** Lays out the memory of a reduction. */
export function reserveReduction(
  { widthPx, heightPx }: Size,
  size: Size,
  work: Part,
  reserve: (name: ReductionRegionName, sizeBytes: number) => number,
  isYuv = false,
): Reduction {
  const across = planAxis(widthPx, size.widthPx)
  const down = planAxis(heightPx, size.heightPx)
  const pixelPx = isYuv ? 2 : 1
  const pixels = Math.ceil(widthPx / pixelPx)
  const spans = Array.from({ length: work.right - work.left }, (_, i) => spanOf(across, work.left + i, pixelPx))
  const tapPairs = Math.ceil(spans.reduce((most, { first, end }) => Math.max(most, end - first), 1) / 2)
  // Columns are computed in pairs.
  const columns = 2 * Math.ceil((work.right - work.left) / 2)
  const sumBytes = align((pixels + 2 * tapPairs + 4) * 8)
  const middleBytes = align((work.right - work.left) * 8 + 6 * records.MIDDLE_LEAD)
  const bandBytes = align(pixels * 4 + SLACK_BYTES)
  return {
    across,
    down,
    isYuv,
    tapPairs,
    firstColumn: 4 * Math.floor((spans[0]?.first ?? 0) / 4),
    endColumn: 4 * Math.ceil((spans.at(-1)?.end ?? 0) / 4),
    rowShares: reserve('tables', heightPx * 8),
    columnStarts: reserve('tables', columns * 4),
    columnWeights: reserve('tables', columns * tapPairs * 16),
    sums: reserve('sums', 2 * sumBytes),
    sumBytes,
    middle: reserve('middle', 4 * middleBytes),
    middleBytes,
    band: reserve('band', records.BAND_ROWS * bandBytes + pixels),
    bandBytes,
  }
}

/** The source pixels of an output pixel, each `pixelPx` wide. */
export function spanOf({ firsts, counts }: AxisPlan, out: number, pixelPx: number): { first: number; end: number } {
  const first = firsts[out] ?? 0
  return { first: Math.floor(first / pixelPx), end: Math.ceil((first + (counts[out] ?? 0)) / pixelPx) }
}
