import type { Coverage } from '../photo-pixels.ts'

/** A coverage of a smaller photo: means by area. */
export function reduceCoverage(coverage: Coverage, widthPx: number, heightPx: number): Coverage {
  const rows = averageAlong(coverage.data, coverage.widthPx, widthPx, coverage.heightPx, coverage.widthPx, 1)
  const sums = averageAlong(rows, coverage.heightPx, heightPx, widthPx, 1, widthPx)
  return { widthPx, heightPx, data: Uint8Array.from(sums, value => Math.round(value)) }
}

/** Lines of `from` values become lines of `to`; a line begins every `stride`, its values lie `step` apart. */
function averageAlong(
  plane: Uint8Array | Float32Array,
  from: number,
  to: number,
  lines: number,
  stride: number,
  step: number,
): Float32Array {
  const reduced = new Float32Array(lines * to)
  const scale = from / to
  // Values along a row lie side by side; along a column a row apart, which is as wide before as after.
  const toStride = step === 1 ? to : 1
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < to; i++) {
      const [start, end] = [i * scale, (i + 1) * scale]
      let sum = 0
      for (let k = Math.floor(start); k < end && k < from; k++) {
        const share = Math.min(end, k + 1) - Math.max(start, k)
        sum += share * (plane[line * stride + k * step] ?? 0)
      }
      reduced[line * toStride + i * step] = sum / scale
    }
  }
  return reduced
}
