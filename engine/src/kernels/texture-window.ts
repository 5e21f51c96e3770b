import { EXTENDS_EDGE, TEXTURE_PAD } from '../../kernels/assembly/frame/constants.ts'
import type { DecodedArtwork } from '../codec.ts'
import type { AffineMap } from '../geometry/affine-map.ts'
import type { Rect } from '../geometry/rect.ts'
import type { PlacedArtwork } from '../sampling/placed-artwork.ts'
import { findReduction } from '../sampling/sample-chunk.ts'
import type { SamplingPlan } from '../sampling/sampling-plan.ts'
import type { TextureMapping } from '../sampling/texture.ts'
import type { KernelInstance } from '../webassembly/kernel-instance.ts'
import type { KernelLevel } from './kernel-level.ts'

/** About the size of a second-level cache. */
const WINDOW_BYTES = 2 * 1024 * 1024

/** A window holds at most this many times what a band reads: more would write to uncached memory. */
const MOST_BANDS_HELD = 4

/** Artwork of at most this size is held whole, so that its next frame or mockup copies nothing. */
const HELD_BYTES = 4 * 1024 * 1024

/** Artwork is held whole if a window would hold fewer bands than this: it would move at each band. */
const LEAST_BANDS_HELD = 1.5

/** Rows after the window that the kernel prefetches, or reads in a vector's unused lanes. */
const ROWS_AHEAD = 6

/** The kernel locates pixels in groups of four. */
const PIXELS_LOCATED_AHEAD = 3

/** Positions here may differ from the sampled ones by rounding. */
const ROWS_OF_SLACK = 1

/** Rows of texels, including padding: `first` is -TEXTURE_PAD or more. */
export type Rows = { readonly first: number; readonly end: number }

/** The rows of texels that each band of a frame reads; `first` and `end` never decrease from band to band. */
export type WindowPlan = {
  readonly rect: Rect
  readonly strideBytes: number
  /** rows that are held at once */
  readonly capacity: number
  readonly bands: readonly Rows[]
}

/**
 * How a frame's texels are loaded while it is drawn in bands of `bandRows` rows; null if the whole texture
 * must be loaded first: for mip levels, maps, artwork with alpha or repeated artwork.
 */
export function planWindow(
  { artwork, across, down }: PlacedArtwork,
  mapping: TextureMapping,
  plan: SamplingPlan,
  bandRows: number,
): WindowPlan | null {
  const { rect, toTexels } = mapping
  const strideBytes = (rect.widthPx + 2 * TEXTURE_PAD) * 4
  const isContinued = across !== EXTENDS_EDGE || down !== EXTENDS_EDGE
  if (!artwork.isOpaque || isContinued || plan.map.kind === 'grid') return null
  const { levelX, levelY } = findReduction(mapping, plan.greatestScaleU, plan.greatestScaleV)
  if (levelX > 0 || levelY > 0) return null
  const bands: Rows[] = []
  let end = 0
  for (let from = 0; from < plan.region.heightPx; from += bandRows) {
    const rows = findRows(plan, rect.heightPx, toTexels, from, Math.min(plan.region.heightPx, from + bandRows))
    if (rows === null) return null
    end = Math.max(end, rows.end)
    bands.push({ first: rows.first, end })
  }
  let first = rect.heightPx
  let greatest = 0
  for (let index = bands.length - 1; index >= 0; index--) {
    const band = bands[index] ?? { first, end: 0 }
    first = Math.min(first, band.first)
    greatest = Math.max(greatest, band.end - first)
    bands[index] = { first, end: band.end }
  }
  const capacity = Math.min(Math.floor(WINDOW_BYTES / strideBytes), greatest * MOST_BANDS_HELD)
  const all = rect.heightPx + 2 * TEXTURE_PAD
  const isWhole = all * strideBytes <= HELD_BYTES || greatest * LEAST_BANDS_HELD > capacity
  return { rect, strideBytes, capacity: isWhole ? all : Math.min(capacity, all), bands }
}

/** Whether a window may start with these rows loaded: no band needs an earlier row, and none will move. */
export function canGoOn(rows: Rows, { rect, capacity, bands }: WindowPlan): boolean {
  const first = Math.min(...bands.map(band => (band.first < band.end ? band.first : rect.heightPx)))
  return capacity === rect.heightPx + 2 * TEXTURE_PAD && rows.first <= first
}

/** Texel rows that rows [from, end) of the region read; empty if nothing is drawn, null at the horizon. */
function findRows(
  { map, region, rowStart, rowEnd }: SamplingPlan,
  textureHeightPx: number,
  { yPerU, yPerV, y0 }: AffineMap,
  from: number,
  end: number,
): Rows | null {
  if (map.kind === 'grid') return null
  let left = Number.POSITIVE_INFINITY
  let right = 0
  for (let row = from; row < end; row++) {
    if ((rowEnd[row] ?? 0) === 0) continue
    left = Math.min(left, rowStart[row] ?? 0)
    right = Math.max(right, rowEnd[row] ?? 0)
  }
  if (right === 0) return { first: textureHeightPx, end: 0 }
  // If w is positive all over a rectangle, the texel row has its extremes at the corners.
  const m = map.matrix
  let least = Number.POSITIVE_INFINITY
  let greatest = Number.NEGATIVE_INFINITY
  for (const x of [region.left + left + 0.5, region.left + right - 0.5 + PIXELS_LOCATED_AHEAD]) {
    for (const y of [region.top + from + 0.5, region.top + end - 0.5]) {
      const w = m[6] * x + m[7] * y + m[8]
      if (!(w > 0)) return null
      const u = (m[0] * x + m[1] * y + m[2]) / w
      const v = (m[3] * x + m[4] * y + m[5]) / w
      const row = y0 + u * yPerU + v * yPerV
      least = Math.min(least, row)
      greatest = Math.max(greatest, row)
    }
  }
  if (!Number.isFinite(least) || !Number.isFinite(greatest)) return null
  // Taps: from one texel before to two after the last one whose centre is not after the position.
  return {
    first: Math.max(-TEXTURE_PAD, Math.min(textureHeightPx, Math.floor(least - 0.5) - 1 - ROWS_OF_SLACK)),
    end: Math.max(0, Math.min(textureHeightPx + TEXTURE_PAD, Math.floor(greatest - 0.5) + 3 + ROWS_OF_SLACK)),
  }
}

/**
 * The rows of an opaque artwork's texels that a band reads, in the kernel's memory from `start` on. A whole
 * artwork copied there first would leave the second-level cache before it is read.
 */
export class TextureWindow {
  readonly #instance: KernelInstance
  readonly #start: number
  readonly #padRows
  readonly #artwork: DecodedArtwork
  readonly #plan: WindowPlan
  #rows: Rows

  /** `rows`: those in memory already. */
  constructor(instance: KernelInstance, start: number, artwork: DecodedArtwork, plan: WindowPlan, rows: Rows) {
    this.#instance = instance
    this.#start = start
    this.#padRows = instance.function('padRows')
    this.#artwork = artwork
    this.#plan = plan
    this.#rows = rows
    instance.reserve(start + (plan.capacity + ROWS_AHEAD) * plan.strideBytes)
  }

  /** The rows in memory; the first of them is at `start`. */
  get rows(): Rows {
    return this.#rows
  }

  /** Loads a band's rows. Returns the level as if all of it were in memory: it may start below address 0. */
  moveTo(band: number): KernelLevel {
    const { rect, strideBytes, capacity, bands } = this.#plan
    const wanted = bands[band]
    const held = this.#rows
    if (wanted !== undefined && wanted.first < wanted.end) {
      let { first, end } = held
      if (first === end) {
        first = wanted.first
        end = first
      } else if (wanted.end - first > capacity) {
        const keptFrom = this.#start + (wanted.first - first) * strideBytes
        const keptEnd = this.#start + (end - first) * strideBytes
        if (keptFrom < keptEnd) this.#instance.bytes.copyWithin(this.#start, keptFrom, keptEnd)
        first = wanted.first
        end = Math.max(end, first)
      }
      this.#load(first, end, wanted.end)
      this.#rows = { first, end: Math.max(end, wanted.end) }
    }
    const start = this.#start - (this.#rows.first + TEXTURE_PAD) * strideBytes
    return { widthPx: rect.widthPx, heightPx: rect.heightPx, strideBytes, start }
  }

  /** Copies rows [from, end) of the texture, with their padding, into a window that begins at row `first`. */
  #load(first: number, from: number, end: number): void {
    const { rect, strideBytes } = this.#plan
    const { bytes } = this.#instance
    const { data, widthPx } = this.#artwork
    const origin = this.#start + TEXTURE_PAD * 4 + (from - first) * strideBytes
    const rowBytes = rect.widthPx * 4
    for (let row = from, to = origin; row < end; row++, to += strideBytes) {
      const y = Math.max(0, Math.min(rect.heightPx - 1, row))
      const at = ((rect.top + y) * widthPx + rect.left) * 4
      bytes.set(data.subarray(at, at + rowBytes), to)
    }
    if (end > from) this.#padRows(origin, strideBytes, rect.widthPx, end - from, EXTENDS_EDGE)
  }
}
