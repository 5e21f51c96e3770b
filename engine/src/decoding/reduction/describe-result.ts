import * as records from '../../../kernels/assembly/reduction/records.ts'
import { type AxisPlan, SHARPENING, WHOLE } from './axis-plan.ts'
import { type Reduction, type ResultLayout, type Size, spanOf } from './result-layout.ts'

/** Writes the picture's size, the requested part and its destination, and the tables of its reduction. */
export function describeResult(view: DataView, { widthPx, heightPx }: Size, layout: ResultLayout): void {
  const { part, work, reduction } = layout
  const write = (field: number, value: number): void => view.setInt32(records.PICTURE + field, value, true)
  write(records.WIDTH, widthPx)
  write(records.HEIGHT, heightPx)
  write(records.ROW, layout.row)
  write(records.OUT, layout.out)
  write(records.OUT_ROWS, layout.outRows)
  write(records.OUT_WIDTH, part.right - part.left)
  write(records.OUT_TOP, part.top)
  write(records.OUT_HEIGHT, part.bottom - part.top)
  write(records.OUT_LEFT, part.left - (reduction === null ? 0 : work.left))
  write(records.IS_REDUCED, Number(reduction !== null))
  if (reduction !== null) describeReduction(view, reduction, layout, write)
}

/** Writes the fields and tables of a reduction. */
function describeReduction(
  view: DataView,
  reduction: Reduction,
  { part, work }: ResultLayout,
  write: (field: number, value: number) => void,
): void {
  const { across, down } = reduction
  write(records.ROW_SHARES, reduction.rowShares)
  write(records.COLUMN_STARTS, reduction.columnStarts)
  write(records.COLUMN_WEIGHTS, reduction.columnWeights)
  write(records.TAP_PAIRS, reduction.tapPairs)
  write(records.WORK_WIDTH, work.right - work.left)
  write(records.WORK_HEIGHT, work.bottom - work.top)
  write(records.WORK_TOP, part.top - work.top)
  write(records.FIRST_COLUMN, reduction.firstColumn)
  write(records.END_COLUMN, reduction.endColumn)
  write(records.SUMS, reduction.sums)
  write(records.SUM_BYTES, reduction.sumBytes)
  write(records.MIDDLE, reduction.middle)
  write(records.MIDDLE_BYTES, reduction.middleBytes)
  write(records.BAND, reduction.band)
  write(records.BAND_BYTES, reduction.bandBytes)
  write(records.IS_YUV, Number(reduction.isYuv))
  write(records.SHARPEN_X, across.outPx === across.sourcePx ? 0 : SHARPENING)
  write(records.SHARPEN_Y, down.outPx === down.sourcePx ? 0 : SHARPENING)
  writeRowShares(view, reduction, work.top, work.bottom)
  writeColumns(view, reduction, work.left, work.right)
}

function writeRowShares(view: DataView, { down, rowShares }: Reduction, top: number, bottom: number): void {
  for (let y = 0; y < down.sourcePx; y++) {
    const out = Math.max(-1, Math.min(bottom - top - 1, (down.falls[y] ?? 0) - top))
    view.setInt32(rowShares + 8 * y, out, true)
    view.setInt32(rowShares + 8 * y + 4, 0, true)
  }
  for (let out = top; out < bottom; out++) {
    const first = down.firsts[out] ?? 0
    for (let tap = 0; tap < (down.counts[out] ?? 0); tap++) {
      const isFirstShare = down.falls[first + tap] === out
      const at = rowShares + 8 * (first + tap) + (isFirstShare ? 4 : 6)
      view.setInt16(at, down.weights[out * down.mostTaps + tap] ?? 0, true)
    }
  }
}

function writeColumns(
  view: DataView,
  { across, isYuv, tapPairs, columnStarts, columnWeights }: Reduction,
  left: number,
  right: number,
): void {
  const columns = 2 * Math.ceil((right - left) / 2)
  let at = columnWeights
  for (let column = 0; column < columns; column++) {
    // the padding of an odd number of columns has no weight
    const isThere = left + column < right
    const out = Math.min(left + column, right - 1)
    const { first } = spanOf(across, out, isYuv ? 2 : 1)
    view.setUint32(columnStarts + 4 * column, 8 * first, true)
    for (let tap = first; tap < first + 2 * tapPairs; tap++, at += 8) {
      const weights = isThere ? weightsOf(across, out, tap, isYuv) : [0, 0, 0, 0]
      weights.forEach((weight, channel) => view.setInt16(at + 2 * channel, weight, true))
    }
  }
}

/** For each channel of a pixel, or of a pair of pixels: two Y, and the U and V that they share. */
function weightsOf(across: AxisPlan, out: number, pixel: number, isYuv: boolean): readonly number[] {
  const weightAt = (source: number): number => {
    const tap = source - (across.firsts[out] ?? 0)
    return tap >= 0 && tap < (across.counts[out] ?? 0) ? (across.weights[out * across.mostTaps + tap] ?? 0) : 0
  }
  if (!isYuv) {
    const weight = weightAt(pixel)
    return [weight, weight, weight, weight]
  }
  const [left, right] = [weightAt(2 * pixel), weightAt(2 * pixel + 1)]
  const both = Math.min(WHOLE - 1, left + right)
  return [left, right, both, both]
}
