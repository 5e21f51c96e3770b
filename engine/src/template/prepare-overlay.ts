import type { BlendMode } from '../blending/blend-modes.ts'
import type { ImageCodec } from '../codec.ts'
import { intersectRects, type Rect } from '../geometry/rect.ts'
import { premultiply } from '../sampling/premultiply.ts'
import { resampleLayer } from '../sampling/resample-layer.ts'
import { findReach, type LayerFiles, type OutputSize, placeLayer } from './prepare-layer.ts'
import type { Overlay } from './template.ts'

/** An overlay at the output's size, trimmed to where it shows anything: premultiplied RGBA, sRGB-encoded. */
export type PreparedOverlay = {
  readonly region: Rect
  readonly data: Uint8Array
  readonly blendMode: BlendMode
  readonly opacity: number
}

/** Reads and scales an overlay. Filtered premultiplied, so that colours of clear pixels do not show. */
export async function prepareOverlay(
  overlay: Overlay,
  output: OutputSize,
  files: LayerFiles,
  codec: ImageCodec,
): Promise<PreparedOverlay> {
  const stored = await codec.decodeLayer(await files.read(overlay.layer.image), 'rgba')
  const placement = placeLayer(overlay.layer, output)
  const region = findReach(stored, placement, output)
  const data = resampleLayer(premultiply(stored), 4, placement, region, 'catmull-rom', 'clear')
  // The filter overshoots: no premultiplied channel may exceed its alpha.
  for (let i = 0; i < data.length; i++) data[i] = Math.min(data[i] ?? 0, data[i | 3] ?? 0)
  return { region, data, blendMode: overlay.blendMode, opacity: overlay.opacity }
}

/** The part of an overlay inside a rectangle. */
export function trimOverlay(overlay: PreparedOverlay, to: Rect): PreparedOverlay {
  const region = intersectRects(overlay.region, to)
  const { left, top, widthPx, heightPx } = region
  if (widthPx === overlay.region.widthPx && heightPx === overlay.region.heightPx) return overlay
  const data = new Uint8Array(widthPx * heightPx * 4)
  for (let y = 0; y < heightPx; y++) {
    const from = ((top + y - overlay.region.top) * overlay.region.widthPx + left - overlay.region.left) * 4
    data.set(overlay.data.subarray(from, from + widthPx * 4), y * widthPx * 4)
  }
  return { ...overlay, region, data }
}
