import { type ContentMap, type ContentPlacement, contentCoverage, type StraightPixmap, slope } from '@vitrine/engine'
import type { FloatPicture } from '../src/compositing/float-picture.ts'
import { createPicture } from '../src/compositing/float-picture.ts'

/** Catmull and Rom's cubic. */
function cubic(x: number): number {
  const t = Math.abs(x)
  if (t < 1) return 1.5 * t ** 3 - 2.5 * t * t + 1
  return t < 2 ? -0.5 * t ** 3 + 2.5 * t * t - 4 * t + 2 : 0
}

/** Content through a map, by a cubic as wide as its footprint; alpha has the coverage of its edges. */
export function sampleContent(content: StraightPixmap, map: ContentMap, placement: ContentPlacement): FloatPicture {
  const { rect, x, y } = map
  const out = createPicture(rect)
  const coverage = contentCoverage(placement, map)
  const scaleX = content.widthPx / placement.contentWidth
  const scaleY = content.heightPx / placement.contentHeight
  for (let k = 0; k < x.length; k++) {
    if ((coverage[k] ?? 0) <= 0) continue
    const [column, row] = [k % rect.widthPx, Math.floor(k / rect.widthPx)]
    const reachOf = (plane: Float32Array, scale: number): number => {
      const across = slope(plane, k, column, rect.widthPx, 1)
      const down = slope(plane, k, row, rect.heightPx, rect.widthPx)
      return Math.min(24, Math.max(1, Math.max(Math.abs(across), Math.abs(down)) * scale))
    }
    samplePoint(content, (x[k] ?? 0) * scaleX, (y[k] ?? 0) * scaleY, reachOf(x, scaleX), reachOf(y, scaleY), out, k)
    out.alpha[k] = (out.alpha[k] ?? 0) * (coverage[k] ?? 0)
  }
  return out
}

function samplePoint(
  { widthPx, heightPx, data }: StraightPixmap,
  x: number,
  y: number,
  reachX: number,
  reachY: number,
  out: FloatPicture,
  k: number,
): void {
  const sums = [0, 0, 0, 0]
  let total = 0
  for (let j = Math.ceil(y - 2 * reachY - 0.5); j <= y + 2 * reachY - 0.5; j++) {
    const weightY = cubic((j + 0.5 - y) / reachY)
    const row = Math.max(0, Math.min(heightPx - 1, j)) * widthPx
    for (let i = Math.ceil(x - 2 * reachX - 0.5); i <= x + 2 * reachX - 0.5; i++) {
      const weight = weightY * cubic((i + 0.5 - x) / reachX)
      const at = (row + Math.max(0, Math.min(widthPx - 1, i))) * 4
      const alpha = ((data[at + 3] ?? 0) / 255) * weight
      for (let c = 0; c < 3; c++) sums[c] = (sums[c] ?? 0) + ((data[at + c] ?? 0) / 255) * alpha
      sums[3] = (sums[3] ?? 0) + alpha
      total += weight
    }
  }
  const alpha = sums[3] ?? 0
  for (let c = 0; c < 3; c++) out.color[3 * k + c] = alpha > 0 ? Math.min(1, Math.max(0, (sums[c] ?? 0) / alpha)) : 0
  out.alpha[k] = Math.min(1, Math.max(0, alpha / total))
}
