import type { Bounds, Rect } from '../geometry/rect.ts'
import { catmullRom } from './catmull-rom.ts'

/** A layer's rectangle in the output, in continuous output pixels. */
export type Placement = Bounds

/** A layer's bytes in 1, 3 or 4 channels; four channels must be premultiplied. */
type Layer = { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array }

/**
 * `tent` never rings: in masks, overshoot would be visible as a rim. `catmull-rom` preserves the detail of
 * light and pictures. Both widen with the reduction, so that shrinking averages and does not skip.
 */
export type LayerFilter = 'tent' | 'catmull-rom'

const filters: Record<LayerFilter, { readonly reach: number; readonly weigh: (x: number) => number }> = {
  tent: { reach: 1, weigh: x => Math.max(0, 1 - Math.abs(x)) },
  'catmull-rom': { reach: 2, weigh: catmullRom },
}

/** For every output pixel along an axis: its source pixels and their weights, which sum to 1. */
type AxisWeights = {
  readonly tapCount: number
  /** tapCount source indices (clamped to the edge) and weights per output pixel */
  readonly index: Int32Array
  readonly weight: Float32Array
}

/**
 * Weights along an axis of a layer with `sourcePx` pixels that covers `placementSize` output pixels from
 * `placementStart`, for `regionPx` output pixels from `regionStart`.
 */
export function buildAxisWeights(
  sourcePx: number,
  placementStart: number,
  placementSize: number,
  regionStart: number,
  regionPx: number,
  filter: LayerFilter,
): AxisWeights {
  const ratio = sourcePx / placementSize
  const stretch = Math.max(1, ratio)
  const { reach, weigh } = filters[filter]
  const tapCount = Math.max(1, Math.ceil(2 * reach * stretch))
  const index = new Int32Array(regionPx * tapCount)
  const weight = new Float32Array(regionPx * tapCount)
  for (let i = 0; i < regionPx; i++) {
    const centre = (regionStart + i + 0.5 - placementStart) * ratio - 0.5
    const first = Math.ceil(centre - reach * stretch)
    let sum = 0
    for (let tap = 0; tap < tapCount; tap++) sum += weigh((first + tap - centre) / stretch)
    for (let tap = 0; tap < tapCount; tap++) {
      index[i * tapCount + tap] = Math.max(0, Math.min(sourcePx - 1, first + tap))
      weight[i * tapCount + tap] = weigh((first + tap - centre) / stretch) / sum
    }
  }
  return { tapCount, index, weight }
}

/** The share of a pixel inside the placement, along one axis. */
function overlap(pixel: number, start: number, size: number): number {
  return Math.max(0, Math.min(pixel + 1, start + size) - Math.max(pixel, start))
}

/**
 * The layer's bytes over a region of the output, in the layer's colour space. Outside the layer its edges
 * repeat (`extend`), or it is 0 with an anti-aliased edge (`clear`).
 */
export function resampleLayer(
  source: Layer,
  channelCount: 1 | 3 | 4,
  placement: Placement,
  region: Rect,
  filter: LayerFilter,
  outside: 'extend' | 'clear',
): Uint8Array {
  const result = new Uint8Array(region.widthPx * region.heightPx * channelCount)
  resampleInto(result, 255, source, channelCount, placement, region, filter)
  if (outside === 'clear') clearOutside(result, channelCount, placement, region)
  return result
}

/** The same for 16-bit RGB, 0 outside. */
export function resampleWide(
  source: { readonly widthPx: number; readonly heightPx: number; readonly data: Uint16Array },
  placement: Placement,
  region: Rect,
): Uint16Array {
  const result = new Uint16Array(region.widthPx * region.heightPx * 3)
  resampleInto(result, 65_535, source, 3, placement, region, 'catmull-rom')
  clearOutside(result, 3, placement, region)
  return result
}

type Samples = Uint8Array | Uint16Array

function resampleInto(
  result: Samples,
  greatest: number,
  source: { readonly widthPx: number; readonly heightPx: number; readonly data: Samples },
  channelCount: number,
  placement: Placement,
  region: Rect,
  filter: LayerFilter,
): void {
  if (result.length === 0) return
  const across = buildAxisWeights(source.widthPx, placement.left, placement.width, region.left, region.widthPx, filter)
  const down = buildAxisWeights(source.heightPx, placement.top, placement.height, region.top, region.heightPx, filter)
  const rowLength = region.widthPx * channelCount
  if (liesOnPixels(source, placement)) {
    // At its own size no filter is needed: the weights would be 0, 1, 0.
    for (let y = 0; y < region.heightPx; y++) {
      const row = Math.max(0, Math.min(source.heightPx - 1, region.top + y - placement.top)) * source.widthPx
      for (let x = 0; x < region.widthPx; x++) {
        const from = (row + Math.max(0, Math.min(source.widthPx - 1, region.left + x - placement.left))) * channelCount
        const to = y * rowLength + x * channelCount
        for (let channel = 0; channel < channelCount; channel++) result[to + channel] = source.data[from + channel] ?? 0
      }
    }
  } else filterLayer(source, channelCount, across, down, result, greatest)
}

function filterLayer(
  source: { readonly widthPx: number; readonly data: Samples },
  channelCount: number,
  across: AxisWeights,
  down: AxisWeights,
  result: Samples,
  greatest: number,
): void {
  const rowLength = (across.index.length / across.tapCount) * channelCount
  // Source rows are filtered horizontally when first needed and cached while following output rows need them.
  const cached = new Map<number, Float32Array>()
  const free: Float32Array[] = []
  const sums = new Float32Array(rowLength)
  const rowAt = (row: number): Float32Array => {
    const known = cached.get(row)
    if (known) return known
    const values = free.pop() ?? new Float32Array(rowLength)
    filterRow(source.data, row * source.widthPx * channelCount, channelCount, across, values)
    cached.set(row, values)
    return values
  }
  for (let firstTap = 0, to = 0; firstTap < down.index.length; firstTap += down.tapCount, to += rowLength) {
    const lowest = down.index[firstTap] ?? 0
    for (const [row, values] of cached) {
      if (row < lowest) {
        cached.delete(row)
        free.push(values)
      }
    }
    const tapAt = (tap: number): Tap => {
      const weight = tap < down.tapCount ? (down.weight[firstTap + tap] ?? 0) : 0
      return { row: rowAt(weight === 0 ? lowest : (down.index[firstTap + tap] ?? 0)), weight }
    }
    const isLong = down.tapCount > 4
    if (isLong) sums.fill(0)
    for (let tap = 0; tap < down.tapCount - 4; tap += 2) addTwo(sums, tapAt(tap), tapAt(tap + 1))
    const last = isLong ? down.tapCount - 4 + (down.tapCount % 2) : 0
    storeRow(result, to, greatest, isLong ? sums : null, [
      tapAt(last),
      tapAt(last + 1),
      tapAt(last + 2),
      tapAt(last + 3),
    ])
  }
}

/** A filtered source row and its weight in an output row. */
type Tap = { readonly row: Float32Array; readonly weight: number }

/** Sums are rounded to 32 bits after every two rows. */
function addTwo(sums: Float32Array, { row: a, weight: weightA }: Tap, { row: b, weight: weightB }: Tap): void {
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + (a[i] ?? 0) * weightA + (b[i] ?? 0) * weightB
}

/** Adds the last four rows like `addTwo` twice, then rounds and stores the result. */
function storeRow(
  result: Samples,
  to: number,
  greatest: number,
  sums: Float32Array | null,
  [a, b, c, d]: readonly [Tap, Tap, Tap, Tap],
): void {
  const [rowA, rowB, rowC, rowD] = [a.row, b.row, c.row, d.row]
  const [weightA, weightB, weightC, weightD] = [a.weight, b.weight, c.weight, d.weight]
  const half = Math.fround(0.5)
  for (let i = 0; i < rowA.length; i++) {
    const start = sums === null ? 0 : (sums[i] ?? 0)
    const two = Math.fround(start + (rowA[i] ?? 0) * weightA + (rowB[i] ?? 0) * weightB)
    const sum = Math.fround(two + (rowC[i] ?? 0) * weightC + (rowD[i] ?? 0) * weightD) + half
    result[to + i] = sum < 0 ? 0 : sum > greatest ? greatest : sum
  }
}

/** Whether every pixel of a layer coincides with an output pixel. */
export function liesOnPixels(
  source: { readonly widthPx: number; readonly heightPx: number },
  placement: Placement,
): boolean {
  const isWhole = Number.isInteger(placement.left) && Number.isInteger(placement.top)
  return isWhole && placement.width === source.widthPx && placement.height === source.heightPx
}

function filterRow(data: Samples, start: number, channelCount: number, axis: AxisWeights, values: Float32Array): void {
  const { tapCount, index, weight } = axis
  if (channelCount === 3) {
    for (let to = 0, tapStart = 0; to < values.length; to += 3, tapStart += tapCount) {
      let r = 0
      let g = 0
      let b = 0
      for (let tap = tapStart; tap < tapStart + tapCount; tap++) {
        const from = start + (index[tap] ?? 0) * 3
        const share = weight[tap] ?? 0
        r += (data[from] ?? 0) * share
        g += (data[from + 1] ?? 0) * share
        b += (data[from + 2] ?? 0) * share
      }
      values[to] = r
      values[to + 1] = g
      values[to + 2] = b
    }
    return
  }
  if (channelCount === 4) {
    for (let to = 0, tapStart = 0; to < values.length; to += 4, tapStart += tapCount) {
      let r = 0
      let g = 0
      let b = 0
      let a = 0
      for (let tap = tapStart; tap < tapStart + tapCount; tap++) {
        const from = start + (index[tap] ?? 0) * 4
        const share = weight[tap] ?? 0
        r += (data[from] ?? 0) * share
        g += (data[from + 1] ?? 0) * share
        b += (data[from + 2] ?? 0) * share
        a += (data[from + 3] ?? 0) * share
      }
      values[to] = r
      values[to + 1] = g
      values[to + 2] = b
      values[to + 3] = a
    }
    return
  }
  for (let to = 0, tapStart = 0; to < values.length; tapStart += tapCount) {
    for (let channel = start; channel < start + channelCount; channel++, to++) {
      let sum = 0
      for (let tap = tapStart; tap < tapStart + tapCount; tap++) {
        sum += (data[channel + (index[tap] ?? 0) * channelCount] ?? 0) * (weight[tap] ?? 0)
      }
      values[to] = sum
    }
  }
}

function clearOutside(result: Samples, channelCount: number, placement: Placement, region: Rect): void {
  const { left, top, width, height } = placement
  const isInside = left <= region.left && top <= region.top
  if (isInside && left + width >= region.left + region.widthPx && top + height >= region.top + region.heightPx) return
  const inX = Float32Array.from({ length: region.widthPx }, (_, x) => overlap(region.left + x, left, width))
  for (let y = 0, i = 0; y < region.heightPx; y++) {
    const inY = overlap(region.top + y, top, height)
    for (let x = 0; x < region.widthPx; x++) {
      const share = inY * (inX[x] ?? 0)
      for (let channel = 0; channel < channelCount; channel++, i++) {
        if (share < 1 - 1e-6) result[i] = Math.round((result[i] ?? 0) * share)
      }
    }
  }
}
