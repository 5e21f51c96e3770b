import type { BlendMode } from '../blending/blend-modes.ts'
import type { ImageCodec } from '../codec.ts'
import { intersectRects, type Rect } from '../geometry/rect.ts'
import { cropPixels } from '../sampling/crop-pixels.ts'
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
  return { ...overlay, region, data: cropPixels(overlay.data, 4, overlay.region, region) }
}
