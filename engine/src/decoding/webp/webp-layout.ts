import * as records from '../../../kernels/assembly/webp/records.ts'
import { alignAddress } from '../../kernels/align-address.ts'
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
import type { WebpPicture } from './parse-webp.ts'

/** Addresses in the decoder's memory and what it is to compute, before anything is reserved. */
export type WebpLayout = LossyLayout | LosslessLayout

export type LossyLayout = ResultLayout & {
  readonly isLossless: false
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

export type LosslessLayout = ResultLayout & {
  readonly isLossless: true
  readonly chunk: number
  readonly ring: number
  readonly ringBytes: number
  readonly images: number
  readonly imagesBytes: number
  readonly codes: number
  readonly codesBytes: number
  readonly rowStrideBytes: number
  /** first unused address */
  readonly end: number
  /** all memory of the picture, in the order of addresses */
  readonly regions: readonly MemoryRegion<RegionName>[]
}

export type RegionName =
  | 'input'
  | 'blocks'
  | 'planes'
  | 'ring'
  | 'images'
  | 'codes'
  | 'row'
  | 'out'
  | ReductionRegionName

const BLOCK_PX = 16

/** Tiles of all three kinds. Those of encoders have 16 pixels a side and more in large pictures. */
const MOST_TILES = 1_048_576
const LEAST_TILE_PX = 4
const TILE_KINDS = 3

/** A group's codes take 2 to 20 KB; large pictures have some hundreds. */
const LEAST_CODES_BYTES = 131_072
const MOST_CODES_BYTES = 6_291_456
const CODES_BYTES_PER_PX = 16

/**
 * Lays a picture out that is reduced to `size`, of which `part` is wanted (null: all). `gapBytes`: unused
 * bytes between regions.
 */
export function buildWebpLayout(webp: WebpPicture, size: Size, wanted: Part | null, gapBytes = 0): WebpLayout {
  return webp.isLossless
    ? buildLosslessLayout(webp, size, wanted, gapBytes)
    : buildLossyLayout(webp, size, wanted, gapBytes)
}

function buildLossyLayout(webp: WebpPicture, size: Size, wanted: Part | null, gapBytes: number): LossyLayout {
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
  const { end, regions } = memory
  return { isLossless: false, ...result, reduction, yStrideBytes, uvStrideBytes, ...fixed, end, regions }
}

function buildLosslessLayout(webp: WebpPicture, size: Size, wanted: Part | null, gapBytes: number): LosslessLayout {
  const { widthPx, heightPx, chunk } = webp
  const result = planResult(webp, size, wanted)
  const memory = new MemoryPlan<RegionName>(gapBytes)
  const reserve = memory.reserve
  const pixels = widthPx * heightPx
  const tiles = TILE_KINDS * Math.ceil(widthPx / LEAST_TILE_PX) * Math.ceil(heightPx / LEAST_TILE_PX)
  const ringBytes = 4 * Math.min(pixels, records.RING_PIXELS + 2 * widthPx + SLACK_BYTES)
  const imagesBytes =
    4 * Math.min(tiles, MOST_TILES) +
    records.PALETTE_BYTES +
    records.COLORS_BYTES +
    (TILE_KINDS + 1) * records.IMAGE_SLACK_BYTES
  const codesBytes = Math.min(MOST_CODES_BYTES, LEAST_CODES_BYTES + CODES_BYTES_PER_PX * pixels)
  const rowStrideBytes = alignAddress(widthPx * 4 + SLACK_BYTES)
  const fixed = {
    chunk: reserve('input', chunk.length + records.INPUT_TAIL),
    ring: reserve('ring', ringBytes),
    images: reserve('images', imagesBytes),
    codes: reserve('codes', codesBytes),
    row: reserve('row', records.PIXEL_ROWS * rowStrideBytes),
    out: reserve('out', result.outRows * result.outStrideBytes),
  }
  const reduction = result.isReduced ? reserveReduction(webp, size, result.work, reserve) : null
  const { end, regions } = memory
  const sizes = { ringBytes, imagesBytes, codesBytes, rowStrideBytes }
  return { isLossless: true, ...result, reduction, ...sizes, ...fixed, end, regions }
}
