import { LONGEST_CHUNK_PX } from '../../kernels/assembly/frame/constants.ts'
import type { Homography } from '../geometry/homography.ts'
import type { Rect } from '../geometry/rect.ts'
import { ChunkList, type Chunks } from './chunk-list.ts'

/** Where output pixels' centres lie in the artwork: a homography, or u and v for each pixel of the region. */
export type ArtworkMap = { readonly kind: 'homography'; readonly matrix: Homography } | GridMap

/** `wrapsU`: it runs all the way round, so that u jumps from 1 to 0 between neighbours. */
export type GridMap = {
  readonly kind: 'grid'
  readonly u: Float32Array
  readonly v: Float32Array
  readonly wrapsU: boolean
}

/** Offsets to add to a map's u and v. */
export type PixelMoves = {
  /** indices within the region, ascending */
  readonly pixels: Int32Array
  readonly u: Float32Array
  readonly v: Float32Array
}

/**
 * A frame's pixels split into runs along the rows ("chunks") within which the local scale hardly varies, so
 * that one kernel per axis serves a whole chunk. Scales are in artwork widths (heights) per output pixel.
 */
export type SamplingPlan = Chunks & {
  readonly region: Rect
  readonly map: ArtworkMap
  /** pixels of a map that are sampled at other points than their centres */
  readonly moves: PixelMoves | null
  /** see `findChunkBounds`; empty with a homography, and for repeated artwork along a rim */
  readonly chunkBounds: Float32Array
  /** first chunk of every row of the region, with an additional entry at the end */
  readonly rowChunk: Int32Array
  /** per row of the region: the first drawn column and the one after the last; both 0 if there is none */
  readonly rowStart: Int32Array
  readonly rowEnd: Int32Array
  /** of all chunks; 0 if there are none */
  readonly greatestScaleU: number
  readonly greatestScaleV: number
  /** texels across (down) that give one texel per output pixel where the frame is densest */
  readonly densityU: number
  readonly densityV: number
}

/** Scales are computed every so many pixels. */
const GROUP_PX = 4

/** The greatest ratio between a chunk's greatest and least scale. */
const SCALE_TOLERANCE = 1.12

/** Scale differences cut no chunk shorter than this: it would cost more than it gains. */
const SHORTEST_CHUNK_PX = 8

/** Scales are clamped to this (artworks per pixel, at jumps of a map), far beyond the last mip level. */
const GREATEST_SCALE = 1e9

/** The share of a map's pixels that may be denser than the artwork: folds and noise have any density. */
const DENSITY_QUANTILE = 0.01

/** The density that all but a share of the pixels stay below; 1 for a frame without pixels. */
class DensityList {
  readonly #share: number
  /** used only if they are sorted */
  #densities = new Float64Array(1024)
  #count = 0
  #greatest = 0

  constructor(share: number) {
    this.#share = share
  }

  /** @param density above 0 */
  add(density: number): void {
    if (this.#share === 0) {
      if (density > this.#greatest) this.#greatest = density
      return
    }
    if (this.#count === this.#densities.length) {
      const densities = this.#densities
      this.#densities = new Float64Array(2 * this.#count)
      this.#densities.set(densities)
    }
    this.#densities[this.#count++] = density
  }

  read(): number {
    if (this.#share === 0) return this.#greatest === 0 ? 1 : this.#greatest
    const values = this.#densities.subarray(0, this.#count)
    return select(values, Math.floor((values.length - 1) * (1 - this.#share)))
  }
}

/** The value that would be at an index if all were sorted; reorders them (C. A. R. Hoare, Find, 1961). */
function select(values: Float64Array, index: number): number {
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0
    let [i, j] = [low, high]
    while (i <= j) {
      while ((values[i] ?? 0) < pivot) i++
      while ((values[j] ?? 0) > pivot) j--
      if (i > j) break
      const value = values[i] ?? 0
      values[i++] = values[j] ?? 0
      values[j--] = value
    }
    if (index <= j) high = j
    else if (index >= i) low = i
    else break
  }
  return values[index] ?? 1
}

/** Wrap-aware difference: the shorter way round. */
function difference(a: number, b: number, wraps: boolean): number {
  const d = a - b
  return wraps ? d - Math.round(d) : d
}

/** Not Math.hypot, which is ten times slower: the kernel does the same operations. Exact if x or y is 0. */
export function findLength(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}

/** The slope along an axis, from the neighbours that have values; an index below 0 has none. */
function slopeAt(values: Float32Array, index: number, before: number, after: number, wraps: boolean): number {
  const here = values[index] ?? Number.NaN
  const a = before < 0 ? Number.NaN : difference(here, values[before] ?? Number.NaN, wraps)
  const b = after < 0 ? Number.NaN : difference(values[after] ?? Number.NaN, here, wraps)
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : b
  return Number.isNaN(b) ? a : (a + b) / 2
}

/**
 * How much u changes per pixel to the right and down, then v, at a pixel of a map. Written into an array: an
 * object for each pixel would be garbage.
 */
export function readGradient(
  { u, v, wrapsU }: GridMap,
  { widthPx, heightPx }: Pick<Rect, 'widthPx' | 'heightPx'>,
  x: number,
  y: number,
  to: Float64Array,
): void {
  const index = y * widthPx + x
  const west = x > 0 ? index - 1 : -1
  const east = x < widthPx - 1 ? index + 1 : -1
  const north = y > 0 ? index - widthPx : -1
  const south = y < heightPx - 1 ? index + widthPx : -1
  if (!wrapsU && west >= 0 && east >= 0 && north >= 0 && south >= 0) {
    const uHere = u[index] ?? Number.NaN
    const vHere = v[index] ?? Number.NaN
    const uAcross = (uHere - (u[west] ?? Number.NaN) + ((u[east] ?? Number.NaN) - uHere)) / 2
    const uDown = (uHere - (u[north] ?? Number.NaN) + ((u[south] ?? Number.NaN) - uHere)) / 2
    const vAcross = (vHere - (v[west] ?? Number.NaN) + ((v[east] ?? Number.NaN) - vHere)) / 2
    const vDown = (vHere - (v[north] ?? Number.NaN) + ((v[south] ?? Number.NaN) - vHere)) / 2
    to[0] = uAcross
    to[1] = uDown
    to[2] = vAcross
    to[3] = vDown
    if (!Number.isNaN(uAcross + uDown + vAcross + vDown)) return
  }
  to[0] = slopeAt(u, index, west, east, wrapsU)
  to[1] = slopeAt(u, index, north, south, wrapsU)
  to[2] = slopeAt(v, index, west, east, false)
  to[3] = slopeAt(v, index, north, south, false)
}

/** The scales of u and v at a pixel of a map: the lengths of their gradients. */
function readGridScales(map: GridMap, region: Rect, x: number, y: number, gradient: Float64Array, to: Float64Array) {
  readGradient(map, region, x, y, gradient)
  to[0] = findLength(gradient[0] ?? 0, gradient[1] ?? 0)
  to[1] = findLength(gradient[2] ?? 0, gradient[3] ?? 0)
}

/** The same of a homography. */
function readHomographyScales(m: Homography, { left, top }: Rect, x: number, y: number, to: Float64Array): void {
  const px = left + x + 0.5
  const py = top + y + 0.5
  const w = m[6] * px + m[7] * py + m[8]
  const u = (m[0] * px + m[1] * py + m[2]) / w
  const v = (m[3] * px + m[4] * py + m[5]) / w
  to[0] = findLength(m[0] - u * m[6], m[1] - u * m[7]) / Math.abs(w)
  to[1] = findLength(m[3] - v * m[6], m[4] - v * m[7]) / Math.abs(w)
}

/** Cuts a frame into chunks. `coverage` (region-sized) is 0 for pixels that are not drawn. */
export function buildSamplingPlan(region: Rect, map: ArtworkMap, coverage: Uint8Array): SamplingPlan {
  const { widthPx, heightPx } = region
  const scales = new Float64Array(2)
  const gradient = new Float64Array(4)
  const chunks = new ChunkList()
  const rowStart = new Int32Array(heightPx)
  const rowEnd = new Int32Array(heightPx)
  const rowChunk = new Int32Array(heightPx + 1)
  const quantile = map.kind === 'homography' ? 0 : DENSITY_QUANTILE
  const densitiesU = new DensityList(quantile)
  const densitiesV = new DensityList(quantile)

  for (let y = 0; y < heightPx; y++) {
    rowChunk[y] = chunks.count
    const row = y * widthPx
    let x = 0
    while (x < widthPx) {
      if ((coverage[row + x] ?? 0) === 0) {
        x++
        continue
      }
      const start = x
      let leastU = Number.POSITIVE_INFINITY
      let greatestU = 0
      let leastV = Number.POSITIVE_INFINITY
      let greatestV = 0
      while (x < widthPx && x - start < LONGEST_CHUNK_PX && (coverage[row + x] ?? 0) > 0) {
        const column = Math.min(widthPx - 1, x + (GROUP_PX >> 1))
        if (map.kind === 'homography') readHomographyScales(map.matrix, region, column, y, scales)
        else readGridScales(map, region, column, y, gradient, scales)
        const readU = scales[0] ?? 0
        const readV = scales[1] ?? 0
        const scaleU = Number.isFinite(readU) ? readU : 0
        const scaleV = Number.isFinite(readV) ? readV : 0
        const lowU = Math.min(leastU, scaleU)
        const highU = Math.max(greatestU, scaleU)
        const lowV = Math.min(leastV, scaleV)
        const highV = Math.max(greatestV, scaleV)
        const strays = highU > lowU * SCALE_TOLERANCE || highV > lowV * SCALE_TOLERANCE
        if (strays && x - start >= SHORTEST_CHUNK_PX) break
        if (!strays || x === start) {
          leastU = lowU
          greatestU = highU
          leastV = lowV
          greatestV = highV
        }
        if ((y & 3) === 0) {
          if (scaleU > 0) densitiesU.add(1 / scaleU)
          if (scaleV > 0) densitiesV.add(1 / scaleV)
        }
        x += Math.min(GROUP_PX, widthPx - x)
      }
      while (x > start + 1 && (coverage[row + x - 1] ?? 0) === 0) x--
      if (rowChunk[y] === chunks.count) rowStart[y] = start
      rowEnd[y] = x
      const middleU = Math.min(GREATEST_SCALE, Math.sqrt(leastU * greatestU))
      const middleV = Math.min(GREATEST_SCALE, Math.sqrt(leastV * greatestV))
      chunks.push(row + start, x - start, middleU, middleV)
    }
  }
  rowChunk[heightPx] = chunks.count
  const arrays = chunks.toArrays()
  return {
    region,
    map,
    moves: null,
    ...arrays,
    chunkBounds: map.kind === 'grid' ? findChunkBounds(map, arrays) : new Float32Array(0),
    rowChunk,
    rowStart,
    rowEnd,
    greatestScaleU: arrays.chunkScaleU.reduce((greatest, scale) => Math.max(greatest, scale), 0),
    greatestScaleV: arrays.chunkScaleV.reduce((greatest, scale) => Math.max(greatest, scale), 0),
    densityU: densitiesU.read(),
    densityV: densitiesV.read(),
  }
}

/** Values per chunk: the least and greatest u, the least and greatest v. */
export const BOUNDS_PER_CHUNK = 4

/** The range of the map's values within each chunk; NaN if one of them is. */
export function findChunkBounds(
  { u, v }: GridMap,
  { chunkStart, chunkLength }: Pick<Chunks, 'chunkStart' | 'chunkLength'>,
): Float32Array {
  const bounds = new Float32Array(chunkStart.length * BOUNDS_PER_CHUNK)
  const write = (values: Float32Array, start: number, end: number, at: number): void => {
    let least = values[start] ?? Number.NaN
    let greatest = least
    for (let i = start + 1; i < end; i++) {
      const value = values[i] ?? Number.NaN
      if (value < least) least = value
      else if (value > greatest) greatest = value
      else if (Number.isNaN(value)) least = greatest = value
    }
    bounds[at] = least
    bounds[at + 1] = greatest
  }
  for (let chunk = 0; chunk < chunkStart.length; chunk++) {
    const start = chunkStart[chunk] ?? 0
    const end = start + (chunkLength[chunk] ?? 0)
    write(u, start, end, chunk * BOUNDS_PER_CHUNK)
    write(v, start, end, chunk * BOUNDS_PER_CHUNK + 2)
  }
  return bounds
}

/** Memory of a plan, in bytes. */
export function measureSamplingPlan(plan: SamplingPlan): number {
  const grid = plan.map.kind === 'grid' ? plan.map.u.byteLength + plan.map.v.byteLength : 0
  return grid + plan.chunkCount * 16 + plan.chunkBounds.byteLength + 3 * plan.rowChunk.byteLength
}
