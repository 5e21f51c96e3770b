import type { Point, Rect } from '@vitrine/engine'
import type { Filter, PlacedLayer } from 'ag-psd'
import { MAX_SCENE_PIXELS } from '../limits.ts'
import type { FileBytes } from '../reading/file-bytes.ts'
import type { FilterMask } from '../reading/filter-mask.ts'
import { openDocument } from '../reading/open-document.ts'
import { stripsOf } from '../rects.ts'
import { PsdRefusedError } from '../refused-error.ts'

type DisplaceFilter = Extract<Filter, { readonly type: 'displace' }>

/** A document whose colours tell how far pixels move: two bytes each, across and down; 128 moves nothing. */
export type DisplacementMap = { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array }

/** Maps by the names that `mapNameOf` returns, in lower case. */
export type DisplacementMaps = ReadonlyMap<string, DisplacementMap>

/** How the smart filters of a layer move its content. */
export type Displacement = {
  /** the point whose content a point of the document shows */
  readonly from: (x: number, y: number) => Point
  /** the greatest distance, along an axis */
  readonly reachPx: number
}

/** Photoshop's own limit, in percent. */
const GREATEST_SCALE = 999

/** Reads a map. @throws PsdRefusedError */
export function readDisplacementMap(name: string, bytes: FileBytes): DisplacementMap {
  const refuse = (reason: string): PsdRefusedError => new PsdRefusedError(`The displacement map "${name}": ${reason}`)
  const document = openMap(bytes, refuse)
  const { widthPx, heightPx, merged } = document
  if (!merged) throw refuse('it has no picture of the whole. Choose Layer > Flatten Image and save again.')
  if (widthPx * heightPx > MAX_SCENE_PIXELS) {
    throw refuse(`it has more than ${MAX_SCENE_PIXELS / 1e6} megapixels. Choose Image > Image Size and save again.`)
  }
  const data = new Uint8Array(widthPx * heightPx * 2)
  for (const strip of stripsOf({ left: 0, top: 0, widthPx, heightPx })) {
    // A grey document has one channel, which moves along both axes.
    const colors = merged.read(strip, [128, 128, 128])
    const to = strip.top * widthPx * 2
    for (let from = 0, k = to; from < colors.length; from += 3, k += 2) {
      data[k] = colors[from] ?? 128
      data[k + 1] = colors[from + 1] ?? 128
    }
  }
  return { widthPx, heightPx, data }
}

function openMap(bytes: FileBytes, refuse: (reason: string) => PsdRefusedError): ReturnType<typeof openDocument> {
  try {
    return openDocument(bytes)
  } catch (error) {
    throw error instanceof PsdRefusedError ? refuse(error.message) : error
  }
}

/** Whether a smart filter is a Displace at full opacity, which is drawn if its map is available. */
export function isWholeDisplace(filter: Filter): filter is DisplaceFilter {
  if (filter.type !== 'displace') return false
  const { enabled, opacity, blendMode } = filter
  const { horizontalScale, verticalScale } = filter.filter
  const isScale = (scale: number): boolean => Math.abs(scale) <= GREATEST_SCALE
  return enabled && opacity >= 1 && blendMode === 'normal' && isScale(horizontalScale) && isScale(verticalScale)
}

/** The name of a filter's map without its folders, which are those of the designer's machine. */
export function mapNameOf({ filter }: DisplaceFilter): string {
  // A descriptor may lack fields that are required in ag-psd's types.
  const path: string | undefined = filter.displacementFile.path
  return (
    (path ?? '')
      .replaceAll(/\p{Cc}/gu, '')
      .split(/[\\/:]/)
      .at(-1)
      ?.slice(0, 255) ?? ''
  )
}

/** Names of the maps that a smart object's filters need. */
export function neededMaps({ filter }: PlacedLayer): readonly string[] {
  const filters = filter?.enabled ? filter.list.filter(isWholeDisplace) : []
  return [...new Set(filters.map(mapNameOf).filter(name => name !== ''))]
}

/** Whether a smart filter is a Displace whose map is available. */
export function isDrawnDisplace(filter: Filter, maps: DisplacementMaps): filter is DisplaceFilter {
  return isWholeDisplace(filter) && maps.has(mapNameOf(filter).toLowerCase())
}

/** Null if no filter of a smart object moves its pixels by an available map. `mask`: that of its filters. */
export function displacementOf(
  { filter }: PlacedLayer,
  maps: DisplacementMaps,
  canvas: Rect,
  mask: FilterMask | null,
): Displacement | null {
  const drawn = filter?.enabled ? filter.list.filter(each => isDrawnDisplace(each, maps)) : []
  const steps = drawn.flatMap(each => {
    const map = maps.get(mapNameOf(each).toLowerCase())
    return map ? [stepOf(each, map, canvas)] : []
  })
  if (steps.length === 0) return null
  // The pixels that the last filter moves were already moved by those before it.
  const from = (x: number, y: number): Point =>
    steps.reduceRight<Point>(([atX, atY], step) => step.from(atX, atY), [x, y])
  return {
    from: mask ? limitBy(mask, canvas, from) : from,
    reachPx: steps.reduce((sum, { reachPx }) => sum + reachPx, 0),
  }
}

/** Moves a point as far as a mask allows: fully, partly or not at all. */
function limitBy({ plane }: FilterMask, canvas: Rect, from: Displacement['from']): Displacement['from'] {
  let row: { readonly y: number; readonly weights: Float32Array } | null = null
  return (x, y) => {
    const top = Math.floor(y)
    if (row?.y !== top) row = { y: top, weights: plane({ ...canvas, top, heightPx: 1 }) }
    const share = row.weights[Math.floor(x) - canvas.left] ?? 0
    const [atX, atY] = from(x, y)
    return [x + share * (atX - x), y + share * (atY - y)]
  }
}

/**
 * At 100 % a pixel shows the content that many pixels to the right and below by which its map is above 128.
 * That maps cover the whole document is assumed: no file of Photoshop was found to measure it.
 */
function stepOf({ filter }: DisplaceFilter, map: DisplacementMap, { widthPx, heightPx }: Rect): Displacement {
  const { horizontalScale, verticalScale, displacementMap, undefinedAreas } = filter
  const isTiled = displacementMap === 'tile'
  const [toMapX, toMapY] = isTiled ? [1, 1] : [map.widthPx / widthPx, map.heightPx / heightPx]
  const settle = undefinedAreas === 'wrap around' ? wrap : clampToPixels
  const [across, down] = greatestOf(map)
  const [shareX, shareY] = [horizontalScale / 100, verticalScale / 100]
  const isWrapped = undefinedAreas === 'wrap around'
  const reachPx = Math.max(across * Math.abs(shareX), down * Math.abs(shareY))
  return {
    from: (x, y) => {
      const [byX, byY] = sample(map, x * toMapX - 0.5, y * toMapY - 0.5, isTiled)
      return [settle(x + byX * shareX, widthPx), settle(y + byY * shareY, heightPx)]
    },
    // What leaves the document on one side appears on the other.
    reachPx: isWrapped && reachPx > 0 ? Math.max(widthPx, heightPx) : Math.ceil(reachPx),
  }
}

function wrap(value: number, size: number): number {
  return value - size * Math.floor(value / size)
}

function clampToPixels(value: number, size: number): number {
  return Math.min(size - 0.5, Math.max(0.5, value))
}

/** How far the values of a map differ from 128, across and down. */
function greatestOf({ data }: DisplacementMap): Point {
  let [across, down] = [0, 0]
  for (let k = 0; k < data.length; k += 2) {
    across = Math.max(across, Math.abs((data[k] ?? 128) - 128))
    down = Math.max(down, Math.abs((data[k + 1] ?? 128) - 128))
  }
  return [across, down]
}

/** The mean of the four pixels around a point, less 128. The map is extended by its edges, or repeats. */
function sample({ widthPx, heightPx, data }: DisplacementMap, x: number, y: number, isTiled: boolean): Point {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [shareX, shareY] = [x - left, y - top]
  const at = (value: number, size: number): number =>
    isTiled ? wrap(value, size) : Math.min(size - 1, Math.max(0, value))
  const [x0, x1] = [at(left, widthPx), at(left + 1, widthPx)]
  const [y0, y1] = [at(top, heightPx) * widthPx, at(top + 1, heightPx) * widthPx]
  const mix = (c: 0 | 1): number => {
    const upper = (data[2 * (y0 + x0) + c] ?? 128) * (1 - shareX) + (data[2 * (y0 + x1) + c] ?? 128) * shareX
    const lower = (data[2 * (y1 + x0) + c] ?? 128) * (1 - shareX) + (data[2 * (y1 + x1) + c] ?? 128) * shareX
    return upper * (1 - shareY) + lower * shareY - 128
  }
  return [mix(0), mix(1)]
}
