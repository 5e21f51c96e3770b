import * as records from '../../../kernels/assembly/webp/records.ts'
import { alignAddress } from '../../webassembly/align-address.ts'
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
import { LOSSLESS_HEADER_BYTES, type WebpAlpha, type WebpPicture } from './parse-webp.ts'

/** Addresses in the decoder's memory and what to compute, before anything is reserved. */
export type WebpLayout = LossyLayout | LosslessLayout

export type LossyLayout = ResultLayout & {
  readonly isLossless: false
  readonly alpha: AlphaLayout | null
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
  readonly stream: StreamLayout
  /** first unused address */
  readonly end: number
  /** all memory of the picture, in the order of addresses */
  readonly regions: readonly MemoryRegion<RegionName>[]
}

/** The memory of a VP8L stream. */
export type StreamLayout = {
  readonly data: number
  readonly ring: number
  readonly ringBytes: number
  readonly images: number
  readonly imagesBytes: number
  readonly codes: number
  readonly codesBytes: number
  readonly rows: number
  readonly rowStrideBytes: number
}

/** `data`: if it is not a stream. */
export type AlphaLayout = {
  readonly stream: StreamLayout | null
  readonly data: number
  readonly rows: number
  readonly rowStrideBytes: number
}

export type RegionName =
  | 'input'
  | 'blocks'
  | 'planes'
  | 'ring'
  | 'images'
  | 'codes'
  | 'alpha'
  | 'row'
  | 'out'
  | ReductionRegionName

const BLOCK_PX = 16

/** Tiles of all three kinds. Encoders use tiles of 16 pixels a side, and larger ones in large pictures. */
const MOST_TILES = 1_048_576
const LEAST_TILE_PX = 4
const TILE_KINDS = 3

/** A prefix code group takes 2 to 20 KB; large pictures have some hundreds. */
const LEAST_CODES_BYTES = 131_072
const MOST_CODES_BYTES = 6_291_456
const CODES_BYTES_PER_PX = 16

/**
 * Lays out a picture that is reduced to `size`, of which `part` is requested (null: all). `gapBytes`: unused
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
  const chromaRows = (records.RETAINED_ROWS + BLOCK_PX) / 2
  const fixed = {
    chunk: reserve('input', records.INPUT_LEAD + chunk.length) + records.INPUT_LEAD,
    tops: reserve('blocks', (columns + 1) * 32),
    topModes: reserve('blocks', columns * 4),
    topContexts: reserve('blocks', columns * 16),
    strengths: reserve('blocks', columns * 4),
    yRows: reserve('planes', (records.RETAINED_ROWS + BLOCK_PX) * yStrideBytes) + records.ROW_MARGIN,
    uRows: reserve('planes', chromaRows * uvStrideBytes) + records.ROW_MARGIN,
    vRows: reserve('planes', chromaRows * uvStrideBytes) + records.ROW_MARGIN,
    row: reserve('row', columns * BLOCK_PX * 4),
    out: reserve('out', result.outRows * result.outStrideBytes),
    alpha: webp.alpha && layOutAlpha(webp, webp.alpha, reserve),
  }
  const isYuv = reducesPlanes(webp, size)
  const reduction = result.isReduced ? reserveReduction(webp, size, result.work, reserve, isYuv) : null
  const { end, regions } = memory
  return { isLossless: false, ...result, reduction, yStrideBytes, uvStrideBytes, ...fixed, end, regions }
}

function buildLosslessLayout(webp: WebpPicture, size: Size, wanted: Part | null, gapBytes: number): LosslessLayout {
  const result = planResult(webp, size, wanted)
  const memory = new MemoryPlan<RegionName>(gapBytes)
  const stream = layOutStream(webp, webp.chunk.length - LOSSLESS_HEADER_BYTES, memory.reserve)
  const out = memory.reserve('out', result.outRows * result.outStrideBytes)
  const reduction = result.isReduced ? reserveReduction(webp, size, result.work, memory.reserve) : null
  const { end, regions } = memory
  return { isLossless: true, ...result, reduction, stream, row: stream.rows, out, end, regions }
}

type Reserve = (name: RegionName, sizeBytes: number) => number

function layOutStream({ widthPx, heightPx }: Size, dataBytes: number, reserve: Reserve): StreamLayout {
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
  return {
    data: reserve('input', dataBytes + records.INPUT_TAIL),
    ring: reserve('ring', ringBytes),
    ringBytes,
    images: reserve('images', imagesBytes),
    imagesBytes,
    codes: reserve('codes', codesBytes),
    codesBytes,
    rows: reserve('row', records.PIXEL_ROW_COUNT * rowStrideBytes),
    rowStrideBytes,
  }
}

function layOutAlpha(size: Size, { data, isStream }: WebpAlpha, reserve: Reserve): AlphaLayout {
  const rowStrideBytes = alignAddress(size.widthPx + SLACK_BYTES)
  return {
    stream: isStream ? layOutStream(size, data.length, reserve) : null,
    data: isStream ? 0 : reserve('alpha', data.length),
    rows: reserve('alpha', 2 * rowStrideBytes),
    rowStrideBytes,
  }
}

/** Whether Y, U and V are reduced before conversion: if the result has at most half of each side. */
export function reducesPlanes(
  { isLossless, hasAlpha, widthPx, heightPx }: Pick<WebpPicture, 'isLossless' | 'hasAlpha' | keyof Size>,
  size: Size,
): boolean {
  return !isLossless && !hasAlpha && widthPx >= 2 * size.widthPx && heightPx >= 2 * size.heightPx
}
