import * as records from '../../../kernels/assembly/png/records.ts'
import { alignAddress as align } from '../../webassembly/align-address.ts'
import {
  MemoryPlan,
  type MemoryRegion,
  planResult,
  type ReductionRegionName,
  type ResultLayout,
  reserveReduction,
  type Size,
  SLACK_BYTES,
} from '../reduction/result-layout.ts'
import type { Part } from '../shown-part.ts'
import { channelsOfType, type PngPicture } from './parse-png.ts'

/** Addresses in the decoder's memory and what to compute, before anything is reserved. */
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

export type RegionName = 'input' | 'window' | 'palette' | 'row' | 'stored' | 'out' | ReductionRegionName

/** The compressed data is read in pieces of this size. */
export const INPUT_BYTES = 128 * 1024

/** Inflated at a time, or two rows if that is more. */
const LEAST_INFLATED_BYTES = 128 * 1024
const HISTORY_BYTES = 32 * 1024

/**
 * Encoders write blocks of 5,000 bytes and more, or end one with each row. Codes are rebuilt for each block,
 * so many small blocks would cost more than the pixels.
 */
const FREE_BLOCKS = 64
const BYTES_PER_BLOCK = 4096

/**
 * Lays out a picture that is reduced to `size`, of which `part` is requested (null: all). `gapBytes`: unused
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
