/** A separable filter over a plane, which its edge values extend. `kernel` has an odd length. */
export function filterPlane(
  plane: Float32Array,
  widthPx: number,
  heightPx: number,
  kernel: Float64Array,
  outside: number | null = null,
): Float32Array {
  const across = filterRows(plane, widthPx, heightPx, 1, widthPx, kernel, outside)
  return filterRows(across, heightPx, widthPx, widthPx, 1, kernel, outside)
}

/** Filters lines of `length` values that lie `step` apart; there are `lines` of them, `stride` apart. */
function filterRows(
  plane: Float32Array,
  length: number,
  lines: number,
  step: number,
  stride: number,
  kernel: Float64Array,
  outside: number | null,
): Float32Array {
  const out = new Float32Array(plane.length)
  const radius = (kernel.length - 1) / 2
  const padded = new Float64Array(length + 2 * radius)
  for (let line = 0; line < lines; line++) {
    const start = line * stride
    for (let i = 0; i < length; i++) padded[i + radius] = plane[start + i * step] ?? 0
    padded.fill(outside ?? padded[radius] ?? 0, 0, radius)
    padded.fill(outside ?? padded[radius + length - 1] ?? 0, radius + length)
    for (let i = 0; i < length; i++) {
      let sum = 0
      for (let k = 0; k < kernel.length; k++) sum += (kernel[k] ?? 0) * (padded[i + k] ?? 0)
      out[start + i * step] = sum
    }
  }
  return out
}

/** The weights of a Gaussian, whose sum is 1; sigma in pixels. */
export function gaussianKernel(sigmaPx: number): Float64Array {
  const radius = Math.max(1, Math.ceil(sigmaPx * 3))
  const kernel = Float64Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigmaPx ** 2)),
  )
  const sum = kernel.reduce((a, b) => a + b, 0)
  return kernel.map(weight => weight / sum)
}
