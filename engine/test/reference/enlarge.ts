import type { StraightPixmap } from '../../src/pixmap.ts'

function catmullRom(x: number): number {
  const t = Math.abs(x)
  if (t < 1) return 1.5 * t * t * t - 2.5 * t * t + 1
  return t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0
}

/** The four pixels of a side that each pixel of the enlarged side is made from, and their weights. */
function findTaps(sizePx: number, factor: number): { readonly at: Int32Array; readonly weights: Float64Array } {
  const at = new Int32Array(4 * sizePx * factor)
  const weights = new Float64Array(at.length)
  for (let i = 0; i < at.length; i++) {
    const centre = ((i >> 2) + 0.5) / factor - 0.5
    const tap = Math.floor(centre) - 1 + (i & 3)
    at[i] = Math.max(0, Math.min(sizePx - 1, tap))
    weights[i] = catmullRom(tap - centre)
  }
  return { at, weights }
}

/**
 * The artwork at a whole multiple of its size by Catmull-Rom: what lies between its pixels, so that the
 * linear steps of the supersampler do not blur truth itself. Colours only; alpha must be 255.
 */
export function enlarge(artwork: StraightPixmap, factor: number): StraightPixmap {
  if (factor === 1) return artwork
  const { widthPx, heightPx, data } = artwork
  const wide = widthPx * factor
  const high = heightPx * factor
  const across = new Float32Array(wide * heightPx * 3)
  const columns = findTaps(widthPx, factor)
  for (let y = 0, to = 0; y < heightPx; y++) {
    for (let tap = 0; tap < 4 * wide; tap += 4, to += 3) {
      for (let i = tap; i < tap + 4; i++) {
        const from = (y * widthPx + (columns.at[i] ?? 0)) * 4
        const weight = columns.weights[i] ?? 0
        across[to] = (across[to] ?? 0) + weight * (data[from] ?? 0)
        across[to + 1] = (across[to + 1] ?? 0) + weight * (data[from + 1] ?? 0)
        across[to + 2] = (across[to + 2] ?? 0) + weight * (data[from + 2] ?? 0)
      }
    }
  }
  const rows = findTaps(heightPx, factor)
  const result = new Uint8Array(wide * high * 4).fill(255)
  const sums = new Float64Array(wide * 3)
  for (let y = 0, to = 0; y < high; y++) {
    sums.fill(0.5)
    for (let tap = 4 * y; tap < 4 * y + 4; tap++) {
      const weight = rows.weights[tap] ?? 0
      const from = (rows.at[tap] ?? 0) * wide * 3
      for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + weight * (across[from + i] ?? 0)
    }
    for (let i = 0; i < sums.length; i += 3, to += 4) {
      for (let channel = 0; channel < 3; channel++)
        result[to + channel] = Math.max(0, Math.min(255, sums[i + channel] ?? 0))
    }
  }
  return { alpha: 'straight', widthPx: wide, heightPx: high, data: result }
}
