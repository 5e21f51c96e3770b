import {
  BIT_BYTES,
  BIT_TESTS,
  PLACE_BYTES,
  PLACE_TESTS,
  PLACES_BYTES,
  POSITIONS_BYTES,
  RANKS,
  SCAN_BYTES,
  STORED_BYTES,
  UNSTUFFED_GAP,
} from '../../../kernels/assembly/jpeg/records.ts'
import { alignAddress as align } from '../../webassembly/align-address.ts'
import type { Part } from '../shown-part.ts'
import type { Component, FrameHeader } from './parse-jpeg.ts'
import { MAX_SCANS } from './scan-order.ts'

/** Addresses in the decoder's memory, computed before anything is reserved, so that a limit applies. */
export type JpegLayout = {
  /** the whole picture at its scale, and the requested part */
  readonly widthPx: number
  readonly heightPx: number
  readonly part: Part
  /** what is transformed, in MCUs: the part and what its chroma is upsampled from */
  readonly transformed: Part
  readonly planes: readonly PlaneLayout[]
  readonly stretchesX: boolean
  readonly stretchesY: boolean
  /** rows of MCUs in the ring buffers of decoded rows */
  readonly slots: number
  readonly source: number
  /** end of the unstuffed data of all scans, which is stored in reverse, one scan below the other */
  readonly dataTop: number
  readonly segmentTable: number
  /** segments of all scans */
  readonly maxSegments: number
  /** Huffman tables of all scans of a progressive picture */
  readonly tables: number
  /** memory for four rows of upsampled chroma */
  readonly lines: number
  /** the rows that one row of MCUs completes */
  readonly out: number
  readonly outStrideBytes: number
  /** first unused address */
  readonly end: number
  /** all of the above in the order of addresses */
  readonly regions: readonly MemoryRegion[]
}

/** Memory for one purpose. Whole vectors are loaded and stored up to `SLACK_BYTES` beyond its size. */
export type MemoryRegion = { readonly name: RegionName; readonly at: number; readonly sizeBytes: number }

export type RegionName = 'source' | 'data' | 'segments' | 'tables' | 'samples' | 'stored' | 'lines' | 'out'

export type PlaneLayout = {
  readonly component: Component
  /** samples per block, per axis */
  readonly samplesX: number
  readonly samplesY: number
  readonly rows: number
  readonly strideBytes: number
  readonly samples: number
  /** blocks with padding to whole MCUs */
  readonly storedX: number
  readonly storedY: number
  /** stored coefficients of one row of a progressive picture's MCUs; 0 otherwise */
  readonly stored: number
}

// Fixed regions, from the first free byte (rounded up to BASE) on.
const BASE = 4096
export const COSINES = BASE
export const EXACT_COSINES = COSINES + 17 * 512
/** for 0 to 16 samples in a row, 160 bytes each */
export const ROW_COSINES = EXACT_COSINES + 512
export const ROW_COSINES_BYTES = 160
export const PLACES = ROW_COSINES + 17 * ROW_COSINES_BYTES
export const POSITIONS = PLACES + PLACES_BYTES
export const QUANTISERS = POSITIONS + 3 * POSITIONS_BYTES
export const PREDICTORS = QUANTISERS + 3 * 128
export const PICTURE = PREDICTORS + 64
export const SCAN = PICTURE + 1024
export const SCRATCH = SCAN + MAX_SCANS * SCAN_BYTES
export const HUFFMAN = SCRATCH + 3328
/** limits, offsets and values of long codes; 4,096 lengths; 4,096 look-up entries of 8 bytes */
export const HUFFMAN_BYTES = 512 + 4096 + 4096 * 8
export const HUFFMAN_INPUT = HUFFMAN + 8 * HUFFMAN_BYTES
export const DYNAMIC = HUFFMAN_INPUT + 512

/** limits, offsets and values of long codes; 1,024 look-up entries of 8 bytes */
export const SCAN_TABLE_BYTES = 512 + 1024 * 8
/** an AC table for each scan, and a DC table for each component */
const MAX_SCAN_TABLES = MAX_SCANS + 3

/** The reader may load below the data: more than the longest block takes. */
const BELOW_DATA_BYTES = 4096

export const SLACK_BYTES = 64

/** Eighths of the size, per axis: 1 to 8. */
export type Eighths = { readonly x: number; readonly y: number }

/**
 * Lays out the part `wanted` (pixels of the reduced picture, null for all) of a picture at `eighths`/8. Sizes
 * round up as in libjpeg. `dataSizeBytes`: from the first scan's data to the end of the file. `gapBytes`:
 * unused bytes between regions.
 */
export function buildJpegLayout(
  frame: FrameHeader,
  restartInterval: number,
  eighths: Eighths,
  dataSizeBytes: number,
  wanted: Part | null = null,
  gapBytes = 0,
): JpegLayout {
  const { components, widthPx, heightPx, isProgressive, factorX, factorY, mcusX, mcusY } = frame
  const whole = {
    left: 0,
    top: 0,
    right: Math.ceil((widthPx * eighths.x) / 8),
    bottom: Math.ceil((heightPx * eighths.y) / 8),
  }
  const part = wanted ? clip(wanted, whole) : whole
  const isFull = eighths.x === 8 && eighths.y === 8
  const chroma = components[1]
  // At full size, chroma is upsampled as in libjpeg; below, its blocks are transformed to more samples.
  const stretchesX = isFull && chroma !== undefined && chroma.factorX < factorX
  const stretchesY = isFull && chroma !== undefined && chroma.factorY < factorY
  const slots = stretchesY ? 2 : 1
  const transformed = findTransformed(frame, part, eighths, stretchesX, stretchesY)
  const mcusAcross = transformed.right - transformed.left

  let end = align(DYNAMIC + gapBytes)
  const regions: MemoryRegion[] = []
  const reserve = (name: RegionName, sizeBytes: number): number => {
    const at = end
    regions.push({ name, at, sizeBytes })
    end = align(end + sizeBytes + SLACK_BYTES + gapBytes)
    return at
  }
  const source = reserve('source', dataSizeBytes)
  const scans = isProgressive ? MAX_SCANS : 1
  const dataSpace = dataSizeBytes + scans * UNSTUFFED_GAP + BELOW_DATA_BYTES
  const dataTop = reserve('data', dataSpace) + dataSpace
  const maxSegments = countSegmentsMax(frame, restartInterval, scans, dataSizeBytes)
  const segmentTable = reserve('segments', maxSegments * 8 + 8)
  const tables = isProgressive ? reserve('tables', MAX_SCAN_TABLES * SCAN_TABLE_BYTES) : 0
  const planes = components.map((component): PlaneLayout => {
    const samplesX = isFull ? 8 : (eighths.x * factorX) / component.factorX
    const samplesY = isFull ? 8 : (eighths.y * factorY) / component.factorY
    const storedX = mcusX * component.factorX
    const storedY = mcusY * component.factorY
    const rows = component.factorY * samplesY
    const strideBytes = align(mcusAcross * component.factorX * samplesX + 16 + SLACK_BYTES)
    return {
      component,
      samplesX,
      samplesY,
      rows,
      strideBytes,
      samples: reserve('samples', strideBytes * rows * slots + SLACK_BYTES) + 16,
      storedX,
      storedY,
      stored: isProgressive ? reserve('stored', storedX * component.factorY * STORED_BYTES) : 0,
    }
  })
  const lines = reserve('lines', align(mcusAcross * factorX * eighths.x + 64) * 4 + 256)
  const outStrideBytes = (part.right - part.left) * 4
  // including the row above, which waits for the chroma below it
  const out = reserve('out', outStrideBytes * (factorY * eighths.y + 1) + 256)
  return {
    widthPx: whole.right,
    heightPx: whole.bottom,
    part,
    transformed,
    planes,
    stretchesX,
    stretchesY,
    slots,
    source,
    dataTop,
    segmentTable,
    maxSegments,
    tables,
    lines,
    out,
    outStrideBytes,
    end,
    regions,
  }
}

/** The MCUs that contain the part, and the samples from which its chroma is upsampled. */
function findTransformed(
  { factorX, factorY, mcusX, mcusY }: FrameHeader,
  part: Part,
  eighths: Eighths,
  stretchesX: boolean,
  stretchesY: boolean,
): Part {
  // An upsampled sample depends on its neighbours: two more pixels if chroma has half the samples.
  const marginX = stretchesX ? 2 : 0
  const marginY = stretchesY ? 2 : 0
  const mcuWidthPx = factorX * eighths.x
  const mcuHeightPx = factorY * eighths.y
  return {
    left: Math.max(0, Math.floor((part.left - marginX) / mcuWidthPx)),
    top: Math.max(0, Math.floor((part.top - marginY) / mcuHeightPx)),
    right: Math.min(mcusX, Math.ceil((part.right + marginX) / mcuWidthPx)),
    bottom: Math.min(mcusY, Math.ceil((part.bottom + marginY) / mcuHeightPx)),
  }
}

/** The most segments of all scans: by the restart interval, and by the size of the data. */
function countSegmentsMax(
  { components, isProgressive, mcusX, mcusY }: FrameHeader,
  restartInterval: number,
  scans: number,
  dataSizeBytes: number,
): number {
  // A progressive scan of a single component counts blocks instead of MCUs: up to four for each.
  const units = components.length === 1 || !isProgressive ? mcusX * mcusY : 4 * mcusX * mcusY
  const segmentsOfScan = restartInterval === 0 ? 1 : Math.ceil(units / restartInterval)
  // Every segment except a scan's last ends with a marker of two bytes.
  return Math.min(scans * segmentsOfScan, scans + (dataSizeBytes >> 1))
}

/** Clips to the picture; at least one pixel remains. */
function clip({ left, top, right, bottom }: Part, whole: Part): Part {
  const from = (at: number, end: number): number => Math.max(0, Math.min(end - 1, Math.floor(at)))
  const x = from(left, whole.right)
  const y = from(top, whole.bottom)
  return {
    left: x,
    top: y,
    right: Math.max(x + 1, Math.min(whole.right, Math.ceil(right))),
    bottom: Math.max(y + 1, Math.min(whole.bottom, Math.ceil(bottom))),
  }
}

/** Pairs of coefficients that are multiplied together, in the column order of a stored block. */
const pairs = [
  [0, 2],
  [1, 3],
  [4, 6],
  [5, 7],
] as const

/** Position of columns 0 to 7 in a row that is stored in pairs. */
export const positionOfColumn: readonly number[] = Array.from({ length: 8 }, (_, u) =>
  pairs.flat().findIndex(column => column === u),
)

/** The contribution of coefficient `u` to sample `n` of `samples`: a cosine with 13 bits. */
function cosine(n: number, u: number, samples: number): number {
  if (u >= Math.min(8, samples)) return 0
  return u === 0 ? 8192 : Math.round(Math.SQRT2 * 8192 * Math.cos(((2 * n + 1) * u * Math.PI) / (2 * samples)))
}

/** Writes the cosines for blocks of 1 to 16 samples (engine/kernels/assembly/jpeg). */
export function writeCosines(memory: DataView): void {
  for (let samples = 1; samples <= 16; samples++) {
    for (let n = 0; n < Math.ceil(samples / 2); n++) {
      // even 0 2, even 4 6, odd 1 3, odd 5 7
      for (const [vector, pair] of [0, 2, 1, 3].entries()) {
        const [u, v] = pairs[pair] ?? pairs[0]
        const at = COSINES + samples * 512 + n * 64 + vector * 16
        writePairs(memory, at, cosine(n, u, samples), cosine(n, v, samples))
      }
    }
    writeRowCosines(memory, ROW_COSINES + samples * ROW_COSINES_BYTES, samples)
  }
  // jidctint.c's constants (FIX_0_298631336 and so on), combined into sums of products of pairs
  const exact = [
    [8192, 8192],
    [8192, -8192],
    [10703, 4433],
    [4433, -10704],
    [11363, 9633],
    [6437, 2260],
    [9633, -2259],
    [-11362, -6436],
    [6437, -11362],
    [2261, 9633],
    [2260, -6436],
    [9633, -11363],
  ] as const
  exact.forEach(([a, b], vector) => writePairs(memory, EXACT_COSINES + vector * 16, a, b))
  // the same for a row of few coefficients: pairs 0 2, pairs 1 3, for samples 0 to 3, then the output order
  ;[10703, 4433, -4433, -10703].forEach((b, n) => writePair(memory, EXACT_COSINES + 192 + n * 4, 8192, b))
  ;[exact[4], exact[6], exact[8], exact[10]].forEach(([a, b], n) =>
    writePair(memory, EXACT_COSINES + 208 + n * 4, a, b),
  )
  for (let i = 0; i < 16; i++) memory.setUint8(EXACT_COSINES + 224 + i, (i & 4) === 0 ? i : i ^ 3)
}

/** Writes the tables at PLACES: the positions of a byte's ones, and how many are below each. */
export function writePlaces(memory: DataView): void {
  for (let byte = 0; byte < 256; byte++) {
    let ones = 0
    for (let bit = 0; bit < 8; bit++) {
      const isOne = ((byte >> bit) & 1) === 1
      memory.setUint8(PLACES + RANKS + byte * 8 + bit, isOne ? ones : 128)
      if (isOne) memory.setUint8(PLACES + byte * 8 + ones++, bit)
    }
  }
  for (let lane = 0; lane < 16; lane++) {
    memory.setUint8(PLACES + RANKS + BIT_TESTS + lane, 128 >> (lane & 7))
    memory.setUint8(PLACES + RANKS + BIT_BYTES + lane, lane < 8 ? 7 : 6)
    memory.setUint8(PLACES + RANKS + PLACE_TESTS + lane, 1 << (lane & 7))
    memory.setUint8(PLACES + RANKS + PLACE_BYTES + lane, lane >> 3)
  }
}

/** Pairs for samples 0 to 3 and 4 to 7, then the shuffle that orders them and their mirror images. */
function writeRowCosines(memory: DataView, table: number, samples: number): void {
  for (let n = 0; n < 8; n++) {
    pairs.forEach((pair, vector) => {
      const at = table + (n >> 2) * 64 + vector * 16 + (n & 3) * 4
      pair.forEach((u, i) => memory.setInt16(at + 2 * i, cosine(n, u, samples), true))
    })
  }
  // 0 to 3 and their mirror images: bytes 0 to 7; 4 to 7: bytes 8 to 15. Narrow rows are stored twice.
  const half = Math.ceil(samples / 2)
  const find = (n: number): number => {
    const twin = n < half ? n : samples - 1 - n
    return (twin >> 2) * 8 + (n < half ? 0 : 4) + (twin & 3)
  }
  for (let i = 0; i < 16; i++) {
    const n = samples > 8 ? i : i & 7
    const source = n < samples ? find(n) : 0
    memory.setUint8(table + 128 + i, samples > 8 ? source : source + (i & 8))
  }
}

function writePairs(memory: DataView, at: number, a: number, b: number): void {
  for (let lane = 0; lane < 4; lane++) writePair(memory, at + lane * 4, a, b)
}

function writePair(memory: DataView, at: number, a: number, b: number): void {
  memory.setInt16(at, a, true)
  memory.setInt16(at + 2, b, true)
}
