import { intersectRects, type Rect, rectOf } from '@vitrine/engine'
import type { Layer } from 'ag-psd'
import type { FileBytes } from '../reading/file-bytes.ts'
import { hasChannel, openLayerChannel, TRANSPARENCY } from '../reading/layer-channel.ts'
import { isEmpty } from '../rects.ts'
import { createPicture, type FloatPicture, fillPicture } from './float-picture.ts'
import { drawGradient } from './gradient.ts'
import { isSoftShape } from './layer-mask.ts'
import { readColor } from './read-color.ts'

const GREY = 1

/** The rectangle of a layer's own pixels. */
export function layerRect(layer: Layer): Rect {
  return rectOf(layer.left ?? 0, layer.top ?? 0, layer.right ?? 0, layer.bottom ?? 0)
}

/** Whether a layer has pixels of its own in the file. */
export function hasPixels(layer: Layer): boolean {
  return !isEmpty(layerRect(layer)) && hasChannel(layer, 0)
}

/** Whether a layer is drawn from its fill, everywhere, and its mask says where it shows. */
export function isDrawnByFill(layer: Layer): boolean {
  const { vectorFill, vectorStroke } = layer
  const isDrawable = vectorFill?.type === 'color' || vectorFill?.type === 'solid'
  if (!isDrawable || !hasPixels(layer)) return isDrawable
  return isSoftShape(layer) && !vectorStroke?.strokeEnabled && vectorStroke?.fillEnabled !== false
}

/**
 * A layer's own colour and alpha in the part of a rectangle that it reaches, without its masks. Null for
 * layers without stored pixels, such as adjustments and groups.
 */
export function readSource(file: FileBytes, layer: Layer, rect: Rect, canvas: Rect): FloatPicture | null {
  const fill = isDrawnByFill(layer) ? layer.vectorFill : null
  if (!fill) return hasPixels(layer) ? readPixels(file, layer, intersectRects(rect, layerRect(layer))) : null
  if (fill.type === 'color') {
    return fillPicture(rect, readColor(fill.color), new Float32Array(rect.widthPx * rect.heightPx).fill(1))
  }
  if (fill.type === 'solid')
    return drawGradient({ ...fill, type: fill.style ?? 'linear', gradient: fill }, rect, fillBox(layer, canvas), canvas)
  return null
}

/** What a gradient fill spans: the shape of its path, or all. */
function fillBox({ vectorMask }: Layer, canvas: Rect): Rect {
  const knots = vectorMask && !vectorMask.disable ? vectorMask.paths.flatMap(path => path.knots) : []
  if (knots.length === 0) return canvas
  const [xs, ys] = [knots.map(({ points }) => points[2] ?? 0), knots.map(({ points }) => points[3] ?? 0)]
  const [left, top] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))]
  const box = rectOf(left, top, Math.ceil(Math.max(...xs)), Math.ceil(Math.max(...ys)))
  return isEmpty(box) ? canvas : box
}

/** The alpha of a layer's stored pixels over a rectangle, without its masks; 0 where there are none. */
export function readAlpha(file: FileBytes, layer: Layer, rect: Rect): Float32Array {
  const out = new Float32Array(rect.widthPx * rect.heightPx)
  const own = layerRect(layer)
  const part = intersectRects(rect, own)
  if (!hasPixels(layer) || isEmpty(part)) return out
  const alpha = openLayerChannel(file, layer, TRANSPARENCY, own)
  const row = new Uint8Array(part.widthPx).fill(255)
  for (let y = 0; y < part.heightPx; y++) {
    alpha?.read(part.top + y - own.top, part.left - own.left, row)
    const to = (part.top + y - rect.top) * rect.widthPx + part.left - rect.left
    for (let i = 0; i < row.length; i++) out[to + i] = (row[i] ?? 0) / 255
  }
  return out
}

/** Whether `readSource` can draw a layer. */
export function hasSource(layer: Layer): boolean {
  return hasPixels(layer) || isDrawnByFill(layer)
}

function readPixels(file: FileBytes, layer: Layer, rect: Rect): FloatPicture {
  const picture = createPicture(rect)
  if (isEmpty(rect)) return picture
  const own = layerRect(layer)
  const open = (id: number) => openLayerChannel(file, layer, id, own)
  const isGrey = Number(layer.rawData?.colorMode) === GREY
  const red = open(0)
  const channels = isGrey ? [red, red, red] : [red, open(1), open(2)]
  const row = new Uint8Array(rect.widthPx)
  for (let y = 0; y < rect.heightPx; y++) {
    const [at, documentY, x] = [y * rect.widthPx, rect.top + y - own.top, rect.left - own.left]
    for (const [c, rows] of channels.entries()) {
      if (!rows) continue
      if (!(isGrey && c > 0)) rows.read(documentY, x, row)
      for (let i = 0, to = at * 3 + c; i < row.length; i++, to += 3) picture.color[to] = (row[i] ?? 0) / 255
    }
  }
  picture.alpha.set(readAlpha(file, layer, rect))
  return picture
}
