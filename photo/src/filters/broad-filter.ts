import { gaussianRadius, smoothByBoxes } from './gaussian-filter.ts'

/** The least width of the Gaussian, in blocks: with fewer, light differs from that of pixels by 2 of 255. */
const LEAST_SIGMA_BLOCKS = 4

/** Weights below this are noise of the sums. */
const LEAST_WEIGHT = 1e-4

/** Writes one row of a filtered plane. A value of `from` may change once its own row has been written. */
export type RowFilter = (y: number, to: Float32Array) => void

/**
 * A Gaussian of at least 8 px in which values count by their weight: as `gaussianFilterWithin`, but of
 * means of blocks, and linear between their centres.
 */
export function broadFilterWithin(
  weights: Float32Array,
  widthPx: number,
  heightPx: number,
  sigmaPx: number,
): (from: Float32Array) => RowFilter {
  const sidePx = 2 ** Math.max(1, Math.floor(Math.log2(sigmaPx / LEAST_SIGMA_BLOCKS)))
  const blocks: Blocks = {
    sidePx,
    columns: Math.ceil(widthPx / sidePx),
    rows: Math.ceil(heightPx / sidePx),
    widthPx,
    heightPx,
  }
  const radii = radiiOf(sigmaPx, sidePx)
  const totals = smoothByBoxes(meansOf(null, weights, blocks), blocks.columns, blocks.rows, radii)
  return from => {
    const sums = smoothByBoxes(meansOf(from, weights, blocks), blocks.columns, blocks.rows, radii)
    for (let k = 0; k < sums.length; k++) {
      const total = totals[k] ?? 0
      sums[k] = total > LEAST_WEIGHT ? (sums[k] ?? 0) / total : NaN
    }
    // Of one row of pixels at the centres of blocks, with another at both ends.
    const line = new Float64Array(blocks.columns + 2)
    return (y, to) => {
      lineAt(y, sums, blocks, line)
      expandLine(line, from, y, blocks, to)
    }
  }
}

type Blocks = {
  readonly sidePx: number
  readonly columns: number
  readonly rows: number
  readonly widthPx: number
  readonly heightPx: number
}

/** Of three boxes over blocks that smooth as widely as those over pixels, blocks and lines included. */
function radiiOf(sigmaPx: number, sidePx: number): [number, number, number] {
  const radiusPx = gaussianRadius(sigmaPx)
  // The variance of a box is (width² - 1) / 12, that of lines between centres 1 / 6 of a block's square.
  const variance = (radiusPx * (radiusPx + 1) - (sidePx ** 2 - 1) / 12) / sidePx ** 2 - 1 / 6
  const least = Math.floor((Math.sqrt(4 * variance + 1) - 1) / 2)
  const wider = Math.round((3 * (variance - least * (least + 1))) / (2 * least + 2))
  return [least + (wider > 0 ? 1 : 0), least + (wider > 1 ? 1 : 0), least + (wider > 2 ? 1 : 0)]
}

/** The means of values times weights in each block; without values, of weights. */
function meansOf(from: Float32Array | null, weights: Float32Array, blocks: Blocks): Float32Array {
  const { sidePx, columns, rows, widthPx, heightPx } = blocks
  const means = new Float32Array(columns * rows)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0, k = Math.floor(y / sidePx) * columns; x < widthPx; k++) {
      let sum = 0
      for (const end = Math.min(widthPx, x + sidePx); x < end; x++, i++) {
        const weight = weights[i] ?? 0
        sum += from === null ? weight : weight * (from[i] ?? 0)
      }
      means[k] = (means[k] ?? 0) + sum / sidePx ** 2
    }
  }
  return means
}

/** Lines between the centres of blocks, down to those of a row of pixels; constant beyond them. */
function lineAt(y: number, means: Float32Array, { sidePx, columns, rows }: Blocks, line: Float64Array): void {
  const at = Math.min(rows - 1, Math.max(0, (y + 0.5) / sidePx - 0.5))
  const share = at - Math.floor(at)
  const above = Math.floor(at) * columns
  const below = share > 0 ? above + columns : above
  for (let k = 0; k < columns; k++) {
    line[k + 1] = (means[above + k] ?? NaN) * (1 - share) + (means[below + k] ?? NaN) * share
  }
  line[0] = line[1] ?? NaN
  line[columns + 1] = line[columns] ?? NaN
}

/** The same along the row; pixels' own values where a block has none. */
function expandLine(
  line: Float64Array,
  own: Float32Array,
  y: number,
  { sidePx, widthPx }: Blocks,
  to: Float32Array,
): void {
  const row = y * widthPx
  const first = 0.5 + (sidePx >> 1)
  for (let k = 0, x = 0, from = first; x < widthPx; k++, from = 0.5) {
    const left = line[k] ?? NaN
    const slope = ((line[k + 1] ?? NaN) - left) / sidePx
    for (let t = from; t < sidePx && x < widthPx; t++, x++) {
      const value = left + slope * t
      to[x] = Number.isNaN(value) ? (own[row + x] ?? 0) : value
    }
  }
}
