import type { Raster, Rect } from '@vitrine/engine'
import type { FrameGeometry } from '../converting/frame-geometry.ts'

/** A frame's map as 16-bit RGB: red = x, green = y of the content, 0..65535 = 0..1. */
export function rasterizeMap({ map, placement }: FrameGeometry, bounds: Rect, rect: Rect): Raster {
  const samples = new Uint16Array(rect.widthPx * rect.heightPx * 3)
  const { x, y } = map(bounds)
  const unit = (value: number, size: number): number =>
    Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value / size)) * 65_535 + 0.5
  for (let row = 0, to = 0; row < rect.heightPx; row++) {
    let from = (rect.top + row - bounds.top) * bounds.widthPx + rect.left - bounds.left
    for (let column = 0; column < rect.widthPx; column++, from++, to += 3) {
      samples[to] = unit(x[from] ?? NaN, placement.contentWidth)
      samples[to + 1] = unit(y[from] ?? NaN, placement.contentHeight)
    }
  }
  return { ...rect, channels: 3, samples }
}
