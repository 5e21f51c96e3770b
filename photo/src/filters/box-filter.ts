/**
 * The mean of the (2 r + 1)² values around each, in time independent of r; at the rim, of those that exist.
 * Writes into `to`, which may be `from`; `rows` is memory for what is between.
 */
export function boxFilter(
  from: Float32Array,
  widthPx: number,
  heightPx: number,
  radiusPx: number,
  to: Float32Array = new Float32Array(from.length),
  rows: Float32Array = new Float32Array(from.length),
): Float32Array {
  meanOfRows(from, widthPx, heightPx, radiusPx, rows)
  meanOfColumns(rows, widthPx, heightPx, radiusPx, to)
  return to
}

function meanOfRows(from: Float32Array, widthPx: number, heightPx: number, radiusPx: number, to: Float32Array): void {
  for (let first = 0; first < widthPx * heightPx; first += widthPx) {
    meanOfRow(from.subarray(first, first + widthPx), radiusPx, to.subarray(first, first + widthPx))
  }
}

function meanOfRow(from: Float32Array, radiusPx: number, to: Float32Array): void {
  const size = from.length
  const [begin, end] = [Math.min(size, radiusPx + 1), size - radiusPx]
  let [sum, count, x] = [0, Math.min(radiusPx, size), 0]
  for (let i = 0; i < count; i++) sum += from[i] ?? 0
  for (; x < begin; x++) {
    if (x < end) {
      sum += from[x + radiusPx] ?? 0
      count++
    }
    to[x] = sum / count
  }
  for (; x < end; x++) {
    sum += from[x + radiusPx] ?? 0
    sum -= from[x - radiusPx - 1] ?? 0
    to[x] = sum / count
  }
  for (; x < size; x++) {
    sum -= from[x - radiusPx - 1] ?? 0
    count--
    to[x] = sum / count
  }
}

function meanOfColumns(
  from: Float32Array,
  widthPx: number,
  heightPx: number,
  radiusPx: number,
  to: Float32Array,
): void {
  const sums = new Float64Array(widthPx)
  let count = Math.min(radiusPx, heightPx)
  for (let i = 0; i < count * widthPx; i += widthPx) {
    for (let x = 0; x < widthPx; x++) sums[x] = (sums[x] ?? 0) + (from[i + x] ?? 0)
  }
  for (let y = 0; y < heightPx; y++) {
    const [first, reach] = [y * widthPx, radiusPx * widthPx]
    const [isAdded, isRemoved] = [y + radiusPx < heightPx, y - radiusPx > 0]
    count += (isAdded ? 1 : 0) - (isRemoved ? 1 : 0)
    const [added, removed] = [first + reach, first - reach - widthPx]
    if (isAdded && isRemoved) {
      for (let x = 0; x < widthPx; x++) sums[x] = (sums[x] ?? 0) + (from[added + x] ?? 0) - (from[removed + x] ?? 0)
    } else if (isAdded) {
      for (let x = 0; x < widthPx; x++) sums[x] = (sums[x] ?? 0) + (from[added + x] ?? 0)
    } else if (isRemoved) {
      for (let x = 0; x < widthPx; x++) sums[x] = (sums[x] ?? 0) - (from[removed + x] ?? 0)
    }
    for (let x = 0; x < widthPx; x++) to[first + x] = (sums[x] ?? 0) / count
  }
}
