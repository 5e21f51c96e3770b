/**
 * The mean of the (2 r + 1)² values around each, in time independent of r; at the rim, of those that exist.
 * Writes into `to`, which may be `from`.
 */
export function boxFilter(
  from: Float32Array,
  widthPx: number,
  heightPx: number,
  radiusPx: number,
  to: Float32Array = new Float32Array(from.length),
): Float32Array {
  const rows = new Float32Array(from.length)
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
  let count = 0
  const change = (y: number, sign: 1 | -1): void => {
    const first = y * widthPx
    for (let x = 0; x < widthPx; x++) sums[x] = (sums[x] ?? 0) + sign * (from[first + x] ?? 0)
    count += sign
  }
  for (let y = 0; y < Math.min(radiusPx, heightPx); y++) change(y, 1)
  for (let y = 0; y < heightPx; y++) {
    if (y + radiusPx < heightPx) change(y + radiusPx, 1)
    if (y - radiusPx > 0) change(y - radiusPx - 1, -1)
    const first = y * widthPx
    for (let x = 0; x < widthPx; x++) to[first + x] = (sums[x] ?? 0) / count
  }
}
