/**
 * How far values stand above their row without what is narrower there than a share of it: the white top-hat
 * of morphology. Rows begin and end where weights are above 0.
 */
export function narrowPeaks(
  from: Float32Array,
  weights: Float32Array,
  widthPx: number,
  heightPx: number,
  narrowShare: number,
): Float32Array {
  const peaks = new Float32Array(from.length)
  const [least, opened] = [new Float32Array(widthPx), new Float32Array(widthPx)]
  for (let row = 0; row < widthPx * heightPx; row += widthPx) {
    let [first, end] = [row, row + widthPx]
    while (first < end && weights[first] === 0) first++
    while (end > first && weights[end - 1] === 0) end--
    const values = from.subarray(first, end)
    const radius = Math.round((narrowShare * values.length) / 2)
    slidingLeast(values, radius, least, 1)
    slidingLeast(least.subarray(0, values.length), radius, opened, -1)
    for (let x = 0; x < values.length; x++) peaks[first + x] = (values[x] ?? 0) - (opened[x] ?? 0)
  }
  return peaks
}

/** The least value within a radius of each, or with sign -1 the greatest, by a queue of candidates. */
function slidingLeast(from: Float32Array, radius: number, to: Float32Array, sign: 1 | -1): void {
  const queue = new Int32Array(from.length)
  let [head, tail] = [0, 0]
  for (let x = 0; x < from.length + radius; x++) {
    if (x < from.length) {
      const value = sign * (from[x] ?? 0)
      while (tail > head && sign * (from[queue[tail - 1] ?? 0] ?? 0) >= value) tail--
      queue[tail++] = x
    }
    if (x < radius) continue
    while ((queue[head] ?? 0) < x - 2 * radius) head++
    to[x - radius] = from[queue[head] ?? 0] ?? 0
  }
}
