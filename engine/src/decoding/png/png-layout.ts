import * as records from '../../../kernels/assembly/png/records.ts'
import { alignAddress as align } from '../../kernels/align-address.ts'
import { DeclinedError } from '../declined.ts'
import type { Part } from '../shown-part.ts'
import { type AxisPlan, planAxis } from './axis-plan.ts'
import { channelsOfType, type PngPicture } from './parse-png.ts'

/** What of a picture is wanted, and where that goes. */
export type ResultLayout = {
  readonly part: Part
  /**
   * what is computed: the part and, where there is one, a neighbour on each side, which sharpening reaches
   */
  readonly work: Part
  /** null where the picture keeps its size */
  readonly reduction: Reduction | null
  /** how many are handed over at a time */
  readonly outRows: number
  readonly outStrideBytes: number
  readonly row: number
  readonly out: number
}

/** Addresses in the decoder's memory and what it is to compute, before anything is reserved. */
export type PngLayout = ResultLayout & {
  readonly storedPixelBytes: number
  readonly storedStrideBytes: number
  readonly mostBlocks: number
  readonly windowBytes: number
  readonly input: number
  readonly window: number
  readonly palette: number
  readonly upperRow: number
  readonly stored: number
  /** first unused address */
  readonly end: number
  /** all memory of the picture, in the order of addresses */
  readonly regions: readonly MemoryRegion<RegionName>[]
}

export type Reduction = {
  readonly across: AxisPlan
  readonly down: AxisPlan
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

/** Memory of one purpose. Whole vectors are loaded and stored up to `SLACK_BYTES` beyond its size. */
export type MemoryRegion<Name> = { readonly name: Name; readonly at: number; readonly sizeBytes: number }

export type RegionName = 'input' | 'window' | 'palette' | 'row' | 'stored' | 'out' | ReductionRegionName

/** What a reduction takes. */
export type ReductionRegionName = 'tables' | 'sums' | 'middle' | 'band'

export const SLACK_BYTES = 64

/** The compressed data is taken in pieces of this size. */
export const INPUT_BYTES = 128 * 1024

/** Inflated at a time, or two rows where that is more. */
const LEAST_INFLATED_BYTES = 128 * 1024
const HISTORY_BYTES = 32 * 1024

/** Rows are handed over from memory that stays in the cache. */
const OUT_BYTES = 64 * 1024

/** Greatest reduction per axis: the 16-bit sums round each share. */
export const MOST_REDUCTION = 32

/**
 * Encoders write blocks of 5,000 bytes and more, or end one with each row. Codes are built again for each
 * block, so many small ones would cost more than the pixels.
 */
const FREE_BLOCKS = 64
const BYTES_PER_BLOCK = 4096

export type Size = { readonly widthPx: number; readonly heightPx: number }

/**
 * Lays a picture out that is reduced to `size`, of which `part` is wanted (null: all). `gapBytes`: unused
 * bytes between regions.
 */
export function buildPngLayout(png: PngPicture, size: Size, wanted: Part | null, gapBytes = 0): PngLayout {
  const { widthPx, heightPx, rowBytes, colorType, bitDepth } = png
  const result = planResult(png, size, wanted)
  const memory = new MemoryPlan<RegionName>(gapBytes)
  const reserve = memory.reserve
  const inflatedBytes = Math.max(LEAST_INFLATED_BYTES, 2 * (rowBytes + 1))
  const windowBytes = HISTORY_BYTES + inflatedBytes
  const storedStrideBytes = align(records.STORED_LEAD + rowBytes + SLACK_BYTES)
  const fixed = {
    input: reserve('input', records.INPUT_LEAD + INPUT_BYTES + records.INPUT_TAIL),
    window: reserve('window', windowBytes + records.WINDOW_SLACK),
    palette: reserve('palette', 1024),
    row: reserve('row', records.ROW_LEAD + widthPx * 4) + records.ROW_LEAD,
    upperRow: reserve('row', records.ROW_LEAD + widthPx * 4) + records.ROW_LEAD,
    stored: reserve('stored', 2 * storedStrideBytes),
    out: reserve('out', result.outRows * result.outStrideBytes),
  }
  const reduction = result.isReduced ? reserveReduction(png, size, result.work, reserve) : null
  return {
    ...result,
    reduction,
    storedPixelBytes: Math.max(1, (channelsOfType[colorType] * bitDepth) >> 3),
    storedStrideBytes,
    mostBlocks: FREE_BLOCKS + heightPx + Math.floor((rowBytes * heightPx) / BYTES_PER_BLOCK),
    windowBytes,
    ...fixed,
    end: memory.end,
    regions: memory.regions,
  }
}

/** Reserves a picture's memory, a region behind the other. */
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

/** What is computed of a picture that is reduced to `size`, of which `wanted` is wanted (null: all). */
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

/** The part and, where there is one, a neighbour on each side. */
function withNeighbours({ left, top, right, bottom }: Part, { widthPx, heightPx }: Size): Part {
  return {
    left: Math.max(0, left - 1),
    top: Math.max(0, top - 1),
    right: Math.min(widthPx, right + 1),
    bottom: Math.min(heightPx, bottom + 1),
  }
}

/** Lays out what a picture needs to be reduced. */
export function reserveReduction(
  { widthPx, heightPx }: Size,
  size: Size,
  work: Part,
  reserve: (name: ReductionRegionName, sizeBytes: number) => number,
): Reduction {
  const across = planAxis(widthPx, size.widthPx)
  const down = planAxis(heightPx, size.heightPx)
  const counts = across.counts.subarray(work.left, work.right)
  const tapPairs = Math.ceil(counts.reduce((most, count) => Math.max(most, count), 1) / 2)
  // Columns are computed by twos.
  const columns = 2 * Math.ceil((work.right - work.left) / 2)
  const lastColumn = work.right - 1
  const endColumn = (across.firsts[lastColumn] ?? 0) + (across.counts[lastColumn] ?? 0)
  const sumBytes = align((widthPx + 2 * tapPairs + 4) * 8)
  const middleBytes = align((work.right - work.left) * 8 + 6 * records.MIDDLE_LEAD)
  const bandBytes = align(widthPx * 4 + SLACK_BYTES)
  return {
    across,
    down,
    tapPairs,
    firstColumn: 4 * Math.floor((across.firsts[work.left] ?? 0) / 4),
    endColumn: 4 * Math.ceil(endColumn / 4),
    rowShares: reserve('tables', heightPx * 8),
    columnStarts: reserve('tables', columns * 4),
    columnWeights: reserve('tables', columns * tapPairs * 16),
    sums: reserve('sums', 2 * sumBytes),
    sumBytes,
    middle: reserve('middle', 4 * middleBytes),
    middleBytes,
    band: reserve('band', records.BAND_ROWS * bandBytes + widthPx),
    bandBytes,
  }
}
