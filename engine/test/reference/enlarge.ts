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
    for (let tap = 0; tap < 4 * wide; tap += 4) {
      for (let channel = 0; channel < 3; channel++, to++) {
        let sum = 0
        for (let i = tap; i < tap + 4; i++) {
          const from = (y * widthPx + (columns.at[i] ?? 0)) * 4 + channel
          sum = Math.fround(sum + (columns.weights[i] ?? 0) * (data[from] ?? 0))
        }
        across[to] = sum
      }
    }
  }
  const rows = findTaps(heightPx, factor)
  const result = new Uint8Array(wide * high * 4).fill(255)
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0.5
        for (let i = 4 * y; i < 4 * y + 4; i++)
          sum += (rows.weights[i] ?? 0) * (across[((rows.at[i] ?? 0) * wide + x) * 3 + channel] ?? 0)
        result[(y * wide + x) * 4 + channel] = Math.max(0, Math.min(255, sum))
      }
    }
  }
  return { alpha: 'straight', widthPx: wide, heightPx: high, data: result }
}
