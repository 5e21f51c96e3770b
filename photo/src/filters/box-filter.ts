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
  for (let y = 0; y < heightPx; y++) {
    const first = y * widthPx
    let sum = 0
    let count = 0
    for (let x = 0; x < Math.min(radiusPx, widthPx); x++, count++) sum += from[first + x] ?? 0
    for (let x = 0; x < widthPx; x++) {
      if (x + radiusPx < widthPx) {
        sum += from[first + x + radiusPx] ?? 0
        count++
      }
      if (x - radiusPx > 0) {
        sum -= from[first + x - radiusPx - 1] ?? 0
        count--
      }
      to[first + x] = sum / count
    }
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
    for (let x = 0; x < widthPx; x++) {
      let sum = sums[x] ?? 0
      if (isAdded) sum += from[added + x] ?? 0
      if (isRemoved) sum -= from[removed + x] ?? 0
      sums[x] = sum
      to[first + x] = sum / count
    }
  }
}
