import { clipToPicture, type Rect } from '../geometry/rect.ts'
import type { Placement } from '../sampling/resample-layer.ts'
import type { LayerReference } from './template.ts'

/** What rendering needs of a bundle. */
export type LayerFiles = { read(path: string): Promise<Uint8Array> }

/** The output picture, and how many of its pixels a pixel of the scene becomes, per axis. */
export type OutputSize = {
  readonly widthPx: number
  readonly heightPx: number
  readonly scaleX: number
  readonly scaleY: number
}

/** Where a layer lies in the output: its region scaled, or the whole picture. */
export function placeLayer(layer: LayerReference, output: OutputSize): Placement {
  if (!layer.region) return { left: 0, top: 0, width: output.widthPx, height: output.heightPx }
  const { x, y, width, height } = layer.region
  return {
    left: x * output.scaleX,
    top: y * output.scaleY,
    width: width * output.scaleX,
    height: height * output.scaleY,
  }
}

/**
 * The output pixels that a layer can change: those under its pixels whose `channel` of `channelCount` is not
 * 0, and the filter's reach around them. Empty for an empty layer.
 */
export function findReach(
  layer: { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array | Uint16Array },
  channel: number,
  channelCount: number,
  placement: Placement,
  output: OutputSize,
): Rect {
  const { widthPx, heightPx, data } = layer
  let left = widthPx
  let right = -1
  let top = heightPx
  let bottom = -1
  for (let y = 0, i = channel; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i += channelCount) {
      if ((data[i] ?? 0) === 0) continue
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      if (y > bottom) bottom = y
    }
  }
  if (right < 0) return { left: 0, top: 0, widthPx: 0, heightPx: 0 }
  const pixelX = placement.width / widthPx
  const pixelY = placement.height / heightPx
  // A filter reaches two pixels of the coarser of the two grids.
  const reachX = 2 * Math.max(1, pixelX)
  const reachY = 2 * Math.max(1, pixelY)
  return clipToPicture(
    placement.left + left * pixelX - reachX,
    placement.top + top * pixelY - reachY,
    placement.left + (right + 1) * pixelX + reachX,
    placement.top + (bottom + 1) * pixelY + reachY,
    output.widthPx,
    output.heightPx,
  )
}
