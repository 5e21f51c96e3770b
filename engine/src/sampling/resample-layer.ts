import type { Rect } from '../geometry/rect.ts'

/** Where a layer lies in the output, in continuous output pixels. */
export type Placement = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * `tent` never rings, as masks need (an overshoot would show as a rim); `catmull-rom` keeps detail, as light
 * and pictures need. Both widen with the reduction, so that shrinking averages instead of skipping.
 */
export type LayerFilter = 'tent' | 'catmull-rom'

const filters: Record<LayerFilter, { readonly reach: number; readonly weigh: (x: number) => number }> = {
  tent: { reach: 1, weigh: x => Math.max(0, 1 - Math.abs(x)) },
  'catmull-rom': {
    reach: 2,
    weigh: x => {
      const t = Math.abs(x)
      if (t < 1) return 1.5 * t * t * t - 2.5 * t * t + 1
      return t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0
    },
  },
}

/** For every output pixel of an axis: which source pixels it reads, with which weights (they sum to 1). */
type AxisWeights = {
  readonly tapCount: number
  /** tapCount source indices (clamped to the edge) and weights per output pixel */
  readonly index: Int32Array
  readonly weight: Float32Array
}

/**
 * Weights for the output pixels `regionStart` to `regionStart + regionPx` of an axis, of a layer of
 * `sourcePx` pixels that lies on `placementSize` output pixels from `placementStart` on.
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

/** The part of a pixel that lies inside the placement, per axis: 1 inside, a fraction at its edge. */
function overlap(pixel: number, start: number, size: number): number {
  return Math.max(0, Math.min(pixel + 1, start + size) - Math.max(pixel, start))
}

/**
 * A layer of bytes (1, 3 or 4 channels, four premultiplied) over a region of the output, in its stored space.
 * `extend` repeats its edges outwards; with `clear` what it does not cover is 0 and its rim is cut exactly.
 */
export function resampleLayer(
  source: { readonly widthPx: number; readonly heightPx: number; readonly data: Uint8Array },
  channelCount: 1 | 3 | 4,
  placement: Placement,
  region: Rect,
  filter: LayerFilter,
  outside: 'extend' | 'clear',
): Uint8Array {
  const across = buildAxisWeights(source.widthPx, placement.left, placement.width, region.left, region.widthPx, filter)
  const down = buildAxisWeights(source.heightPx, placement.top, placement.height, region.top, region.heightPx, filter)
  const result = new Uint8Array(region.widthPx * region.heightPx * channelCount)
  if (result.length === 0) return result
  const rowLength = region.widthPx * channelCount
  if (liesOnPixels(source, placement)) {
    // At its own size nothing needs a filter: the weights would be 0, 1, 0.
    for (let y = 0; y < region.heightPx; y++) {
      const row = Math.max(0, Math.min(source.heightPx - 1, region.top + y - placement.top)) * source.widthPx
      for (let x = 0; x < region.widthPx; x++) {
        const from = (row + Math.max(0, Math.min(source.widthPx - 1, region.left + x - placement.left))) * channelCount
        const to = y * rowLength + x * channelCount
        for (let channel = 0; channel < channelCount; channel++) result[to + channel] = source.data[from + channel] ?? 0
      }
    }
    if (outside === 'clear') clearOutside(result, channelCount, placement, region)
    return result
  }
  // Source rows are filtered across when first needed and kept while the next output rows need them.
  const kept = new Map<number, Float32Array>()
  const free: Float32Array[] = []
  const sum = new Float32Array(down.tapCount > 4 ? rowLength : 0)
  const rowAt = (row: number): Float32Array => {
    const known = kept.get(row)
    if (known) return known
    const values = free.pop() ?? new Float32Array(rowLength)
    filterRow(source.data, row * source.widthPx * channelCount, channelCount, across, values)
    kept.set(row, values)
    return values
  }
  for (let y = 0; y < region.heightPx; y++) {
    const firstTap = y * down.tapCount
    const lowest = down.index[firstTap] ?? 0
    for (const [row, values] of kept) {
      if (row < lowest) {
        kept.delete(row)
        free.push(values)
      }
    }
    const tap = (number: number): Tap => {
      const weight = number < down.tapCount ? (down.weight[firstTap + number] ?? 0) : 0
      return { row: rowAt(weight === 0 ? lowest : (down.index[firstTap + number] ?? 0)), weight }
    }
    const to = y * rowLength
    if (down.tapCount <= 2) writeTwo(result, to, tap(0), tap(1))
    else if (down.tapCount <= 4) writeFour(result, to, tap(0), tap(1), tap(2), tap(3))
    else {
      setSum(sum, tap(0), tap(1))
      let next = 2
      for (; next + 2 < down.tapCount; next += 2) addToSum(sum, tap(next), tap(next + 1))
      writeSum(result, to, sum, tap(next), tap(next + 1))
    }
  }
  if (outside === 'clear') clearOutside(result, channelCount, placement, region)
  return result
}

/** A filtered source row and its share in an output row. */
type Tap = { readonly row: Float32Array; readonly weight: number }

// Rows are added two at a time and rounded to 32 bits in between: few passes over memory.

function clampToByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value
}

function writeTwo(
  result: Uint8Array,
  to: number,
  { row: a, weight: weightA }: Tap,
  { row: b, weight: weightB }: Tap,
): void {
  for (let i = 0; i < a.length; i++) {
    result[to + i] = clampToByte(Math.fround((a[i] ?? 0) * weightA + (b[i] ?? 0) * weightB) + 0.5)
  }
}

function writeFour(
  result: Uint8Array,
  to: number,
  { row: a, weight: weightA }: Tap,
  { row: b, weight: weightB }: Tap,
  { row: c, weight: weightC }: Tap,
  { row: d, weight: weightD }: Tap,
): void {
  for (let i = 0; i < a.length; i++) {
    const sum = Math.fround((a[i] ?? 0) * weightA + (b[i] ?? 0) * weightB)
    result[to + i] = clampToByte(Math.fround(sum + (c[i] ?? 0) * weightC + (d[i] ?? 0) * weightD) + 0.5)
  }
}

function setSum(sum: Float32Array, { row: a, weight: weightA }: Tap, { row: b, weight: weightB }: Tap): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (a[i] ?? 0) * weightA + (b[i] ?? 0) * weightB
}

function addToSum(sum: Float32Array, { row: a, weight: weightA }: Tap, { row: b, weight: weightB }: Tap): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (a[i] ?? 0) * weightA + (b[i] ?? 0) * weightB
}

function writeSum(
  result: Uint8Array,
  to: number,
  sum: Float32Array,
  { row: a, weight: weightA }: Tap,
  { row: b, weight: weightB }: Tap,
): void {
  for (let i = 0; i < sum.length; i++) {
    const whole = Math.fround((sum[i] ?? 0) + (a[i] ?? 0) * weightA + (b[i] ?? 0) * weightB)
    result[to + i] = clampToByte(whole + 0.5)
  }
}

/** Whether every pixel of a layer lies exactly on one of the output's. */
function liesOnPixels(source: { readonly widthPx: number; readonly heightPx: number }, placement: Placement): boolean {
  const isWhole = Number.isInteger(placement.left) && Number.isInteger(placement.top)
  return isWhole && placement.width === source.widthPx && placement.height === source.heightPx
}

function filterRow(
  data: Uint8Array,
  start: number,
  channelCount: number,
  axis: AxisWeights,
  values: Float32Array,
): void {
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

function clearOutside(result: Uint8Array, channelCount: number, placement: Placement, region: Rect): void {
  const { left, top, width, height } = placement
  const isInside = left <= region.left && top <= region.top
  if (isInside && left + width >= region.left + region.widthPx && top + height >= region.top + region.heightPx) return
  const inX = Float32Array.from({ length: region.widthPx }, (_, x) =>
    overlap(region.left + x, placement.left, placement.width),
  )
  for (let y = 0, i = 0; y < region.heightPx; y++) {
    const inY = overlap(region.top + y, placement.top, placement.height)
    for (let x = 0; x < region.widthPx; x++) {
      const share = inY * (inX[x] ?? 0)
      for (let channel = 0; channel < channelCount; channel++, i++) {
        if (share < 1 - 1e-6) result[i] = Math.round((result[i] ?? 0) * share)
      }
    }
  }
}
