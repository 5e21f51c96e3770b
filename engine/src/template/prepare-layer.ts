import type { ImageCodec, LayerKind, LayerPixmaps } from '../codec.ts'
import { clipToPicture, type Rect } from '../geometry/rect.ts'
import type { CoveragePixmap, StraightPixmap, UvPixmap } from '../pixmap.ts'
import { type Placement, resampleLayer } from '../sampling/resample-layer.ts'
import type { LayerReference } from './template.ts'

/** The part of a bundle that rendering needs. */
export type LayerFiles = { read(path: string): Promise<Uint8Array> }

/** The output picture, and its scale relative to the scene, per axis. */
export type OutputSize = {
  readonly widthPx: number
  readonly heightPx: number
  readonly scaleX: number
  readonly scaleY: number
}

/** The output size of a scene at a width: the height keeps the scene's ratio and is at least 1. */
export function outputSizeOf(
  scene: { readonly widthPx: number; readonly heightPx: number },
  widthPx: number,
): OutputSize {
  const heightPx = Math.max(1, Math.round((scene.heightPx * widthPx) / scene.widthPx))
  return { widthPx, heightPx, scaleX: widthPx / scene.widthPx, scaleY: heightPx / scene.heightPx }
}

/** A layer's rectangle in the output: its region scaled, or the whole picture. */
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

export type PlacedLayer<K extends LayerKind> = { readonly layer: LayerPixmaps[K]; readonly placement: Placement }

export type ReadLayer = <K extends LayerKind>(reference: LayerReference, kind: K) => Promise<PlacedLayer<K>>

/** Creates a function that reads layers of a bundle and places them in an output. */
export function createLayerReader(output: OutputSize, files: LayerFiles, codec: ImageCodec): ReadLayer {
  return async (reference, kind) => ({
    layer: await codec.decodeLayer(await files.read(reference.image), kind),
    placement: placeLayer(reference, output),
  })
}

/** A mask resampled over a region of the output. */
export function resampleMask(mask: PlacedLayer<'coverage'>, region: Rect): Uint8Array {
  return resampleLayer(mask.layer, 1, mask.placement, region, 'tent', 'clear')
}

/** The channel that determines a layer's visible pixels, and the number of channels. */
const shownChannels = {
  coverage: { channel: 0, channelCount: 1 },
  uv: { channel: 2, channelCount: 3 },
  straight: { channel: 3, channelCount: 4 },
} as const

type ShapedLayer = CoveragePixmap | UvPixmap | StraightPixmap

/** The smallest rectangle that contains all visible pixels of a layer; empty if there are none. */
export function findShown(layer: ShapedLayer): Rect {
  const { channel, channelCount } = shownChannels[layer.alpha]
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
  return { left, top, widthPx: right + 1 - left, heightPx: bottom + 1 - top }
}

/** The output pixels that a layer can change: those under its visible part, and the filter's reach around. */
export function findReach(layer: ShapedLayer, placement: Placement, output: OutputSize): Rect {
  return reachOf(findShown(layer), layer, placement, output)
}

/** The same from a layer's size and visible part. */
export function reachOf(
  shown: Rect,
  layer: { readonly widthPx: number; readonly heightPx: number },
  placement: Placement,
  output: OutputSize,
): Rect {
  if (shown.widthPx === 0) return { left: 0, top: 0, widthPx: 0, heightPx: 0 }
  const pixelX = placement.width / layer.widthPx
  const pixelY = placement.height / layer.heightPx
  // Filters reach two pixels of the coarser of the two grids.
  const reachX = 2 * Math.max(1, pixelX)
  const reachY = 2 * Math.max(1, pixelY)
  return clipToPicture(
    placement.left + shown.left * pixelX - reachX,
    placement.top + shown.top * pixelY - reachY,
    placement.left + (shown.left + shown.widthPx) * pixelX + reachX,
    placement.top + (shown.top + shown.heightPx) * pixelY + reachY,
    output.widthPx,
    output.heightPx,
  )
}
