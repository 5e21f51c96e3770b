import { intersectRects, type Rect, rectOf } from '@vitrine/engine'
import type { Layer, LayerMaskData } from 'ag-psd'
import type { FileBytes } from '../reading/file-bytes.ts'
import { hasChannel, openLayerChannel, REAL_USER_MASK, USER_MASK } from '../reading/layer-channel.ts'
import { isEmpty, spread } from '../rects.ts'
import { filterPlane, gaussianKernel } from './blur.ts'
import { cutPlane } from './float-picture.ts'
import { rasterizeVectorMask } from './vector-path.ts'

/** The greatest feather that is accepted from files. */
const MAX_FEATHER_PX = 250

/** How much of a layer its masks show in each pixel of a rectangle, 0..1; null if all of it is shown. */
export function readMask(file: FileBytes, layer: Layer, rect: Rect): Float32Array | null {
  const planes = [rasterMask(file, layer, rect), vectorMask(layer, rect)].filter(plane => plane !== null)
  const [first, second] = planes
  if (!first || !second) return first ?? null
  return first.map((value, k) => value * (second[k] ?? 0))
}

/** Whether a layer has an enabled mask. */
export function hasMask(layer: Layer): boolean {
  return chooseRaster(layer) !== null || usesPath(layer)
}

/** Whether the path of a shape has a density or a feather: its fill then shows beyond its stored pixels. */
export function isSoftShape({ vectorFill, vectorMask, mask }: Layer): boolean {
  if (!vectorFill || !vectorMask || vectorMask.disable) return false
  return (mask?.vectorMaskDensity ?? 1) < 1 || (mask?.vectorMaskFeather ?? 0) > 0
}

/** Photoshop stores what both kinds show together, without the density and feather that each has. */
function hasBoth({ mask, realMask, vectorMask }: Layer): boolean {
  if (!mask?.fromVectorData || mask.disabled || !realMask || realMask.disabled || !vectorMask || vectorMask.disable)
    return false
  const { userMaskDensity, userMaskFeather, vectorMaskDensity, vectorMaskFeather } = mask
  return [userMaskDensity, userMaskFeather, vectorMaskDensity, vectorMaskFeather].some(value => value !== undefined)
}

function chooseRaster(layer: Layer): { mask: LayerMaskData; channel: number; isOfVector: boolean } | null {
  const { mask, realMask } = layer
  if (realMask && hasBoth(layer)) return { mask: realMask, channel: REAL_USER_MASK, isOfVector: false }
  if (mask && !mask.disabled) return { mask, channel: USER_MASK, isOfVector: mask.fromVectorData === true }
  if (realMask && !realMask.disabled) return { mask: realMask, channel: REAL_USER_MASK, isOfVector: false }
  return null
}

function rasterMask(file: FileBytes, layer: Layer, rect: Rect): Float32Array | null {
  const chosen = chooseRaster(layer)
  if (!chosen) return null
  const { mask, channel, isOfVector } = chosen
  const parameters = layer.mask ?? mask
  const density = (isOfVector ? parameters.vectorMaskDensity : parameters.userMaskDensity) ?? 1
  const feather = Math.min(
    MAX_FEATHER_PX,
    (isOfVector ? parameters.vectorMaskFeather : parameters.userMaskFeather) ?? 0,
  )
  const plane = feathered(rect, feather, wide => readPlane(file, layer, mask, channel, wide))
  return density < 1 ? plane.map(value => 1 - density * (1 - value)) : plane
}

/** A plane with soft edges: read with a margin for the blur, then cropped. */
function feathered(rect: Rect, featherPx: number, read: (rect: Rect) => Float32Array): Float32Array {
  if (featherPx <= 0) return read(rect)
  const wide = spread(rect, Math.ceil(featherPx * 3))
  return cutPlane(filterPlane(read(wide), wide.widthPx, wide.heightPx, gaussianKernel(featherPx)), wide, rect)
}

function readPlane(file: FileBytes, layer: Layer, mask: LayerMaskData, id: number, rect: Rect): Float32Array {
  const outside = (mask.defaultColor ?? 0) / 255
  const plane = new Float32Array(rect.widthPx * rect.heightPx).fill(outside)
  const own = rectOf(mask.left ?? 0, mask.top ?? 0, mask.right ?? 0, mask.bottom ?? 0)
  const shared = intersectRects(own, rect)
  const rows = isEmpty(shared) ? null : openLayerChannel(file, layer, id, own)
  if (!rows) return plane
  const row = new Uint8Array(shared.widthPx)
  for (let y = 0; y < shared.heightPx; y++) {
    rows.read(shared.top + y - own.top, shared.left - own.left, row)
    const at = (shared.top + y - rect.top) * rect.widthPx + shared.left - rect.left
    for (let x = 0; x < row.length; x++) plane[at + x] = (row[x] ?? 0) / 255
  }
  return plane
}

/** A 0..1 weight per pixel of a rectangle; null: 1 everywhere. */
export type Weight = ((rect: Rect) => Float32Array | null) | null

/** What the masks of a layer show of it. */
export function weightOf(file: FileBytes, layer: Layer): Weight {
  return hasMask(layer) ? rect => readMask(file, layer, rect) : null
}

/** A path applies only if its raster is not stored, neither as a mask nor in the pixels of a shape. */
function usesPath(layer: Layer): boolean {
  const { vectorMask, mask } = layer
  if (!vectorMask || vectorMask.disable) return false
  if (hasBoth(layer)) return true
  if (mask && !mask.disabled && mask.fromVectorData) return false
  return !(layer.vectorFill && hasChannel(layer, 0)) || isSoftShape(layer)
}

function vectorMask(layer: Layer, rect: Rect): Float32Array | null {
  const path = layer.vectorMask
  if (!path || !usesPath(layer)) return null
  const feather = Math.min(MAX_FEATHER_PX, layer.mask?.vectorMaskFeather ?? 0)
  const plane = feathered(rect, feather, wide => rasterizeVectorMask(path, wide))
  const density = layer.mask?.vectorMaskDensity ?? 1
  return density < 1 ? plane.map(value => 1 - density * (1 - value)) : plane
}
