import { Declined } from './declined.ts'
import {
  COSINES,
  EXACT_COSINES,
  type JpegLayout,
  PICTURE,
  PLACE_OF_COLUMN,
  type PlaneLayout,
  POSITIONS,
  PREDICTORS,
  QUANTISERS,
  ROW_COSINES,
  ROW_COSINES_BYTES,
  SCRATCH,
  STORED_BYTES,
} from './jpeg-layout.ts'
import type { JpegHeader, Tables } from './parse-jpeg.ts'
import { ZIGZAG } from './zigzag.ts'

/** Where coefficients go that no scale needs, or that overflow the block: relative to the block, per kind of storage. */
const NEEDLESS_IN_SCRATCH = 192
const NEEDLESS_IN_STORED = 136

/** Block records follow the picture, one for each block of an MCU. */
export const RECORDS = PICTURE + 128
export const RECORD_BYTES = 64

/** Writes the picture and its block records, but for the Huffman tables: see engine/kernels/assembly/jpeg/records.ts. */
export function describePicture(memory: DataView, { frame, tables }: JpegHeader, layout: JpegLayout): void {
  const { part, transformed } = layout
  const [luma, cb, cr] = layout.planes
  if (!luma) throw new Declined('doubtful', 'A picture without components.')
  const blue = cb ?? luma
  const red = cr ?? luma
  const chromaEnd = cb ? Math.ceil((frame.widthPx * cb.component.factorX) / luma.component.factorX) : 0
  const chromaPerMcu = cb ? 8 * cb.component.factorX : 0
  const chromaWidth = Math.min(chromaEnd, transformed.right * chromaPerMcu) - transformed.left * chromaPerMcu
  const chromaHeight = cb ? Math.ceil((frame.heightPx * cb.component.factorY) / luma.component.factorY) : 0
  const blocks = frame.components.reduce((sum, { factorX, factorY }) => sum + factorX * factorY, 0)
  writeWords(memory, PICTURE, [
    blocks,
    layout.mcusX,
    layout.mcusY,
    tables.restartInterval,
    layout.segmentTable,
    SCRATCH,
    frame.components.length,
    part.right - part.left,
    part.bottom,
    layout.out,
    layout.outStrideBytes,
    Number(layout.stretchesX),
    Number(layout.stretchesY),
    chromaWidth,
    chromaHeight,
    luma.rows * layout.slots,
    blue.rows * layout.slots,
    luma.samples,
    luma.strideBytes,
    blue.samples,
    red.samples,
    blue.strideBytes,
    layout.lines,
    luma.rows,
    layout.slots,
    PREDICTORS,
    transformed.left,
    transformed.right,
    transformed.top,
    transformed.bottom,
    part.top,
    part.left - transformed.left * luma.component.factorX * luma.samplesX,
  ])
  let record = RECORDS
  layout.planes.forEach((plane, index) => {
    writePositions(memory, plane, index, tables, frame.isProgressive)
    for (let y = 0; y < plane.component.factorY; y++) {
      for (let x = 0; x < plane.component.factorX; x++, record += RECORD_BYTES)
        writeRecord(memory, record, plane, index, x, y, frame.isProgressive)
    }
  })
}

function writeRecord(
  memory: DataView,
  record: number,
  plane: PlaneLayout,
  index: number,
  x: number,
  y: number,
  isProgressive: boolean,
): void {
  const { component, samplesX, samplesY, strideBytes } = plane
  const transform = transformOf(plane)
  const stored = [plane.stored + (y * plane.storedX + x) * STORED_BYTES, 0, component.factorX]
  writeWords(memory, record, isProgressive ? stored : [0, 0, POSITIONS + index * 256])
  writeWords(memory, record + 12, [
    QUANTISERS + index * 128,
    isProgressive ? plane.storedX * component.factorY : PREDICTORS + index * 4,
    0,
    component.factorX * samplesX,
    strideBytes,
    samplesX,
    samplesY,
    transform === 3 ? ROW_COSINES + samplesX * ROW_COSINES_BYTES : COSINES + samplesX * 512,
    transform === 1 ? EXACT_COSINES : COSINES + samplesY * 512,
    transform,
    plane.samples + y * samplesY * strideBytes + x * samplesX,
    strideBytes * plane.rows,
  ])
}

/** Where each coefficient goes and what it is multiplied by: each transform has its own order, see engine/kernels/assembly/jpeg. */
function writePositions(
  memory: DataView,
  plane: PlaneLayout,
  index: number,
  tables: Tables,
  isProgressive: boolean,
): void {
  const positions = POSITIONS + index * 256
  const quantiser = QUANTISERS + index * 128
  const steps = tables.quantisers[plane.component.quantiser]
  const transform = transformOf(plane)
  const needless = isProgressive ? NEEDLESS_IN_STORED : NEEDLESS_IN_SCRATCH
  for (let k = 0; k < 256; k++) memory.setUint8(positions + k, needless)
  ZIGZAG.forEach((natural, k) => {
    const row = natural >> 3
    const column = natural & 7
    const offset = 2 * placeOf(row, column, transform)
    const isNeeded = isProgressive || (column < Math.min(8, plane.samplesX) && row < Math.min(8, plane.samplesY))
    if (isNeeded) memory.setUint8(positions + k, offset)
    memory.setUint16(quantiser + offset, steps?.[k] ?? 0, true)
  })
}

/** The number of a coefficient in its block, as the transform wants it. */
function placeOf(row: number, column: number, transform: Transform): number {
  if (transform === 1 || transform === 3) return row * 8 + (PLACE_OF_COLUMN[column] ?? 0)
  if (transform !== 4) return column * 8 + row
  // 16 pairs of columns 0 2, then 1 3, of rows 0 2 1 3; behind them what 4 x 4 samples do not need
  if (row < 4 && column < 4) return (column & 1) * 8 + (PLACE_OF_COLUMN[row] ?? 0) * 2 + (column >> 1)
  return row < 4 ? 16 + row * 4 + column - 4 : row * 8 + column
}

/** See TRANSFORM in records.ts. */
type Transform = 0 | 1 | 2 | 3 | 4

function transformOf({ samplesX, samplesY }: PlaneLayout): Transform {
  if (samplesX === 8 && samplesY === 8) return 1
  if (samplesX === 1 && samplesY === 1) return 0
  if (samplesX === 4 && samplesY === 4) return 4
  return samplesX <= 4 && samplesY <= 4 ? 2 : 3
}

/** Whole numbers of 32 bits, one behind the other. */
export function writeWords(memory: DataView, at: number, words: readonly number[]): void {
  words.forEach((value, i) => memory.setInt32(at + 4 * i, value, true))
}
