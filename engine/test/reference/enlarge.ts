import type { StraightPixmap } from '../../src/pixmap.ts'

function catmullRom(x: number): number {
  const t = Math.abs(x)
  if (t < 1) return 1.5 * t * t * t - 2.5 * t * t + 1
  return t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0
}

/**
 * The artwork at a whole multiple of its size by Catmull-Rom: what lies between its pixels, so that the
 * linear steps of the supersampler do not blur truth itself. Colours only; alpha must be 255.
 */
export function enlarge(artwork: StraightPixmap, factor: number): StraightPixmap {
  if (factor === 1) return artwork
  const { widthPx, heightPx, data } = artwork
  const wide = widthPx * factor
  const across = new Float32Array(wide * heightPx * 3)
  for (let x = 0; x < wide; x++) {
    const centre = (x + 0.5) / factor - 0.5
    const first = Math.floor(centre) - 1
    for (let tap = first; tap < first + 4; tap++) {
      const weight = catmullRom(tap - centre)
      const from = Math.max(0, Math.min(widthPx - 1, tap))
      for (let y = 0; y < heightPx; y++) {
        for (let channel = 0; channel < 3; channel++) {
          const to = (y * wide + x) * 3 + channel
          across[to] = (across[to] ?? 0) + weight * (data[(y * widthPx + from) * 4 + channel] ?? 0)
        }
      }
    }
  }
  const high = heightPx * factor
  const result = new Uint8Array(wide * high * 4).fill(255)
  for (let y = 0; y < high; y++) {
    const centre = (y + 0.5) / factor - 0.5
    const first = Math.floor(centre) - 1
    const rows = [0, 1, 2, 3].map(tap => Math.max(0, Math.min(heightPx - 1, first + tap)) * wide * 3)
    const weights = [0, 1, 2, 3].map(tap => catmullRom(first + tap - centre))
    for (let x = 0; x < wide; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0.5
        for (let tap = 0; tap < 4; tap++) sum += (weights[tap] ?? 0) * (across[(rows[tap] ?? 0) + x * 3 + channel] ?? 0)
        result[(y * wide + x) * 4 + channel] = Math.max(0, Math.min(255, sum))
      }
    }
  }
  return { alpha: 'straight', widthPx: wide, heightPx: high, data: result }
}
