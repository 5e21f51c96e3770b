import * as records from '../../../kernels/assembly/jpeg/records.ts'
import { zigzag } from '../../encoding/jpeg/quantiser.ts'
import { DeclinedError } from '../declined.ts'
import {
  COSINES,
  EXACT_COSINES,
  type JpegLayout,
  PICTURE,
  type PlaneLayout,
  POSITIONS,
  PREDICTORS,
  positionOfColumn,
  QUANTISERS,
  ROW_COSINES,
  ROW_COSINES_BYTES,
  SCRATCH,
} from './jpeg-layout.ts'
import type { JpegHeader, Tables } from './parse-jpeg.ts'

/** Scratch offset in the block, per kind of storage, for coefficients that are not needed or out of range. */
const NEEDLESS_IN_SCRATCH = 192
const NEEDLESS_IN_STORED = 136

/** Block records follow the picture record, one for each block of an MCU. */
export const BLOCK_RECORDS = PICTURE + records.RECORDS

/** Writes the picture and its block records, except the Huffman tables. */
export function describePicture(memory: DataView, { frame, tables }: JpegHeader, layout: JpegLayout): void {
  const { part, transformed } = layout
  const [luma, cb, cr] = layout.planes
  if (!luma) throw new DeclinedError('doubtful', 'A picture without components.')
  const blue = cb ?? luma
  const red = cr ?? luma
  const chromaEnd = cb ? Math.ceil((frame.widthPx * cb.component.factorX) / frame.factorX) : 0
  const chromaPerMcu = cb ? 8 * cb.component.factorX : 0
  const chromaWidth = Math.min(chromaEnd, transformed.right * chromaPerMcu) - transformed.left * chromaPerMcu
  const chromaHeight = cb ? Math.ceil((frame.heightPx * cb.component.factorY) / frame.factorY) : 0
  const write = (field: number, value: number): void => memory.setInt32(PICTURE + field, value, true)
  write(records.BLOCKS_PER_MCU, frame.blocksPerMcu)
  write(records.MCUS_X, frame.mcusX)
  write(records.MCUS_Y, frame.mcusY)
  write(records.RESTART_INTERVAL, tables.restartInterval)
  write(records.SEGMENT_TABLE, layout.segmentTable)
  write(records.SCRATCH, SCRATCH)
  write(records.COMPONENTS, frame.components.length)
  write(records.OUT_WIDTH, part.right - part.left)
  write(records.OUT_BOTTOM, part.bottom)
  write(records.OUT, layout.out)
  write(records.OUT_STRIDE, layout.outStrideBytes)
  write(records.STRETCH_X, Number(layout.stretchesX))
  write(records.STRETCH_Y, Number(layout.stretchesY))
  write(records.CHROMA_WIDTH, chromaWidth)
  write(records.CHROMA_HEIGHT, chromaHeight)
  write(records.LUMA_RING, luma.rows * layout.slots)
  write(records.CHROMA_RING, blue.rows * layout.slots)
  write(records.LUMA, luma.samples)
  write(records.LUMA_STRIDE, luma.strideBytes)
  write(records.CB, blue.samples)
  write(records.CR, red.samples)
  write(records.CHROMA_STRIDE, blue.strideBytes)
  write(records.LINES, layout.lines)
  write(records.LUMA_ROWS_PER_MCU, luma.rows)
  write(records.SLOTS, layout.slots)
  write(records.PREDICTORS, PREDICTORS)
  write(records.FIRST_X, transformed.left)
  write(records.END_X, transformed.right)
  write(records.FIRST_Y, transformed.top)
  write(records.END_Y, transformed.bottom)
  write(records.OUT_TOP, part.top)
  write(records.OUT_LEFT, part.left - transformed.left * frame.factorX * luma.samplesX)
  let record = BLOCK_RECORDS
  layout.planes.forEach((plane, index) => {
    writePositions(memory, plane, index, tables, frame.isProgressive)
    for (let y = 0; y < plane.component.factorY; y++) {
      for (let x = 0; x < plane.component.factorX; x++, record += records.RECORD_BYTES)
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
  const write = (field: number, value: number): void => memory.setInt32(record + field, value, true)
  if (isProgressive) {
    write(records.STORED_BASE, plane.stored + (y * plane.storedX + x) * records.STORED_BYTES)
    write(records.STORED_STEP, component.factorX)
  } else {
    write(records.POSITIONS, POSITIONS + index * records.POSITIONS_BYTES)
    write(records.PREDICTOR, PREDICTORS + index * 4)
  }
  write(records.QUANTISER, QUANTISERS + index * 128)
  write(records.TARGET_STEP, component.factorX * samplesX)
  write(records.TARGET_STRIDE, strideBytes)
  write(records.SAMPLES_X, samplesX)
  write(records.SAMPLES_Y, samplesY)
  const isLarge = transform === records.LARGE_TRANSFORM
  write(records.COSINES_X, isLarge ? ROW_COSINES + samplesX * ROW_COSINES_BYTES : COSINES + samplesX * 512)
  const isExact = transform === records.EXACT_TRANSFORM
  write(records.COSINES_Y, isExact ? EXACT_COSINES : COSINES + samplesY * 512)
  write(records.TRANSFORM, transform)
  write(records.TARGET_BASE, plane.samples + y * samplesY * strideBytes + x * samplesX)
  write(records.SLOT_BYTES, strideBytes * plane.rows)
}

/** Writes the target and the dequantisation step of each coefficient, in the order of the transform. */
function writePositions(
  memory: DataView,
  plane: PlaneLayout,
  index: number,
  tables: Tables,
  isProgressive: boolean,
): void {
  const positions = POSITIONS + index * records.POSITIONS_BYTES
  const quantiser = QUANTISERS + index * 128
  const steps = tables.quantisers[plane.component.quantiser]
  const transform = transformOf(plane)
  const needless = isProgressive ? NEEDLESS_IN_STORED : NEEDLESS_IN_SCRATCH
  for (let k = 0; k < 256; k++) memory.setUint8(positions + k, needless)
  zigzag.forEach((natural, k) => {
    const row = natural >> 3
    const column = natural & 7
    const offset = 2 * indexOf(row, column, transform)
    if (isProgressive || isNeeded(natural, plane)) memory.setUint8(positions + k, offset)
    memory.setUint16(quantiser + offset, steps?.[k] ?? 0, true)
    if (isProgressive) writeOrder(memory, positions + records.ORDER, offset / 2, k)
  })
}

/** Records that the coefficient at `index` of a stored block has zigzag index `k`. */
function writeOrder(memory: DataView, order: number, index: number, k: number): void {
  const group = order + (index >> 4) * 64 + (index & 15)
  for (let vector = 0; vector < 4; vector++) memory.setUint8(group + vector * 16, k >> 4 === vector ? k & 15 : 128)
}

function isNeeded(natural: number, { samplesX, samplesY }: PlaneLayout): boolean {
  return (natural & 7) < samplesX && natural >> 3 < samplesY
}

/** The zigzag index of the last coefficient that a component's transform reads. */
export function findLastNeeded(plane: PlaneLayout): number {
  return zigzag.findLastIndex(natural => isNeeded(natural, plane))
}

/** Bytes of a stored block up to the last coefficient that the transform reads: a multiple of 32. */
export function findBytesNeeded(plane: PlaneLayout): number {
  const transform = transformOf(plane)
  const indices = zigzag
    .filter(natural => isNeeded(natural, plane))
    .map(natural => indexOf(natural >> 3, natural & 7, transform))
  return 32 * ((Math.max(...indices) >> 4) + 1)
}

/** The index of a coefficient in its block, in the order of the transform. */
function indexOf(row: number, column: number, transform: number): number {
  if (transform === records.EXACT_TRANSFORM || transform === records.LARGE_TRANSFORM)
    return row * 8 + (positionOfColumn[column] ?? 0)
  if (transform !== records.FOUR_TRANSFORM) return column * 8 + row
  // pairs of columns 0 2, then 1 3, of rows 0 2 1 3; then what 4 x 4 samples do not need
  if (row < 4 && column < 4) return (column & 1) * 8 + (positionOfColumn[row] ?? 0) * 2 + (column >> 1)
  return row < 4 ? 16 + row * 4 + column - 4 : row * 8 + column
}

function transformOf({ samplesX, samplesY }: PlaneLayout): number {
  if (samplesX === 8 && samplesY === 8) return records.EXACT_TRANSFORM
  if (samplesX === 1 && samplesY === 1) return records.FLAT_TRANSFORM
  if (samplesX === 4 && samplesY === 4) return records.FOUR_TRANSFORM
  return samplesX <= 4 && samplesY <= 4 ? records.SMALL_TRANSFORM : records.LARGE_TRANSFORM
}
