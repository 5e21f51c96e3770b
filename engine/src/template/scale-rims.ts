import { growRect, type Rect } from '../geometry/rect.ts'
import { encodeLight } from '../lighting/light-chunk.ts'
import type { ToneTables } from '../lighting/light-tables.ts'
import type { OpaquePixmap } from '../pixmap.ts'
import { buildAxisWeights } from '../sampling/resample-layer.ts'

/** Reach of the scene's filters: Lanczos shrinks (output pixels), Catmull-Rom enlarges (stored pixels). */
const SHRINKING_REACH_PX = 3
const ENLARGING_REACH_STORED_PX = 2

/**
 * Scales a lit scene again along the rims of a frame, into `scene`, with the mask's filter, in linear light.
 * There the scene is cut out and replaced by shade and mask; with other weights, an outline would appear
 * around transparent artwork (docs/decisions/sampling-and-light.md). `coverage`: the frame's, over `region`.
 */
export function scaleRims(
  scene: OpaquePixmap,
  stored: OpaquePixmap,
  tone: ToneTables,
  region: Rect,
  coverage: Uint8Array,
): void {
  const ratioX = stored.widthPx / scene.widthPx
  const ratioY = stored.heightPx / scene.heightPx
  const reachPx = Math.ceil(Math.max(SHRINKING_REACH_PX, ENLARGING_REACH_STORED_PX / Math.min(ratioX, ratioY)))
  const area = growRect(region, reachPx, scene)
  if (area.widthPx === 0 || area.heightPx === 0) return
  const isRim = findEdges(region, coverage, area)
  spread(isRim, area.heightPx, area.widthPx, area.widthPx, 1, reachPx)
  spread(isRim, area.widthPx, area.heightPx, 1, area.widthPx, reachPx)
  const across = buildAxisWeights(stored.widthPx, 0, scene.widthPx, area.left, area.widthPx, 'tent')
  const down = buildAxisWeights(stored.heightPx, 0, scene.heightPx, area.top, area.heightPx, 'tent')
  const { lightFromByte } = tone
  for (let y = 0, i = 0; y < area.heightPx; y++) {
    for (let x = 0; x < area.widthPx; x++, i++) {
      if (isRim[i] === 0) continue
      let r = 0
      let g = 0
      let b = 0
      for (let rowTap = y * down.tapCount; rowTap < (y + 1) * down.tapCount; rowTap++) {
        const rowShare = down.weight[rowTap] ?? 0
        if (rowShare === 0) continue
        const row = (down.index[rowTap] ?? 0) * stored.widthPx
        for (let tap = x * across.tapCount; tap < (x + 1) * across.tapCount; tap++) {
          const share = rowShare * (across.weight[tap] ?? 0)
          const from = (row + (across.index[tap] ?? 0)) * 3
          r += share * (lightFromByte[stored.data[from] ?? 0] ?? 0)
          g += share * (lightFromByte[stored.data[from + 1] ?? 0] ?? 0)
          b += share * (lightFromByte[stored.data[from + 2] ?? 0] ?? 0)
        }
      }
      const to = ((area.top + y) * scene.widthPx + area.left + x) * 3
      scene.data[to] = encodeLight(tone, r)
      scene.data[to + 1] = encodeLight(tone, g)
      scene.data[to + 2] = encodeLight(tone, b)
    }
  }
}

/** 1 for each pixel of `area` that a frame covers partly, or next to which its coverage changes. */
function findEdges(region: Rect, coverage: Uint8Array, area: Rect): Uint8Array {
  const { widthPx, heightPx } = area
  const shares = new Uint8Array(widthPx * heightPx)
  const shiftX = region.left - area.left
  const shiftY = region.top - area.top
  for (let y = 0; y < region.heightPx; y++) {
    const from = y * region.widthPx
    shares.set(coverage.subarray(from, from + region.widthPx), (shiftY + y) * widthPx + shiftX)
  }
  const isEdge = new Uint8Array(shares.length)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      const share = shares[i] ?? 0
      const right = x + 1 < widthPx ? (shares[i + 1] ?? 0) : share
      const below = y + 1 < heightPx ? (shares[i + widthPx] ?? 0) : share
      if ((share > 0 && share < 255) || right !== share || below !== share) isEdge[i] = 1
    }
  }
  return isEdge
}

/** Dilates marks by `reachPx` along lines `lineStep` apart, of pixels `pixelStep` apart. */
function spread(
  marks: Uint8Array,
  lineCount: number,
  length: number,
  lineStep: number,
  pixelStep: number,
  reachPx: number,
): void {
  for (let line = 0; line < lineCount; line++) {
    const start = line * lineStep
    const end = start + (length - 1) * pixelStep
    // New marks are 2 at first, so that they are not dilated again.
    for (const step of [-pixelStep, pixelStep]) {
      for (let left = 0, i = step < 0 ? end : start; i >= start && i <= end; i += step) {
        if (marks[i] === 1) left = reachPx
        else if (left-- > 0) marks[i] = 2
      }
    }
    for (let i = start; i <= end; i += pixelStep) if (marks[i] === 2) marks[i] = 1
  }
}
