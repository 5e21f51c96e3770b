import {
  GREATEST_LEVEL,
  GREATEST_OUTSIDE,
  LEAST_POSITION,
  LEVEL_THRESHOLD,
  LONGEST_CHUNK_PX,
  ORIGIN,
  PHASE_BITS,
  PHASE_COUNT,
} from '../../kernels/assembly/frame/constants.ts'
import type { Repeat } from '../geometry/artwork-placement.ts'
import type { Homography } from '../geometry/homography.ts'
import type { RgbColor } from '../hex-color.ts'
import { findKernelTable, kernelTables } from './kernel-tables.ts'
import { multiplyBytes } from './premultiply.ts'
import { findLength, type SamplingPlan } from './sampling-plan.ts'
import { getTextureLevel, type Texture, type TextureLevel, type TextureMapping } from './texture.ts'

/** Scratch memory for one chunk; one per renderer, never shared between threads. */
export type ChunkScratch = {
  /** byte offset of the first of each pixel's 4 x 4 texels */
  readonly texel: Int32Array
  /** index of the first weight, horizontally and vertically */
  readonly weightX: Int32Array
  readonly weightY: Int32Array
  /** the sampled artwork: premultiplied RGBA, sRGB-encoded */
  readonly color: Uint8Array
}

export function createChunkScratch(): ChunkScratch {
  return {
    texel: new Int32Array(LONGEST_CHUNK_PX),
    weightX: new Int32Array(LONGEST_CHUNK_PX),
    weightY: new Int32Array(LONGEST_CHUNK_PX),
    color: new Uint8Array(LONGEST_CHUNK_PX * 4),
  }
}

/** The mip level of an axis: halved until the remaining scale is below 3.2. */
export function chooseLevel(scale: number, sizePx: number): number {
  let level = 0
  for (let rest = scale; rest >= 2 * LEVEL_THRESHOLD && level < GREATEST_LEVEL && sizePx >> (level + 1) > 0; rest /= 2)
    level++
  return level
}

/** The greatest position on a level of that size. */
export function findGreatestPosition(sizePx: number): number {
  return ORIGIN + (sizePx + GREATEST_OUTSIDE) * PHASE_COUNT
}

/** Rounded and clamped, including NaN and infinities, which a map may contain. */
function toFixed(position: number, greatest: number): number {
  return position > LEAST_POSITION ? (position < greatest ? Math.floor(position + 0.5) : greatest) : LEAST_POSITION
}

/** Per axis: texels of the base level per output pixel, and the mip level. */
type Reduction = {
  readonly scaleX: number
  readonly scaleY: number
  readonly levelX: number
  readonly levelY: number
}

/** The reduction if u and v change by `scaleU` and `scaleV` per output pixel, at right angles. */
export function findReduction({ rect, toTexels: m }: TextureMapping, scaleU: number, scaleV: number): Reduction {
  const scaleX = findLength(m.xPerU * scaleU, m.xPerV * scaleV)
  const scaleY = findLength(m.yPerU * scaleU, m.yPerV * scaleV)
  return { scaleX, scaleY, levelX: chooseLevel(scaleX, rect.widthPx), levelY: chooseLevel(scaleY, rect.heightPx) }
}

/** Along one axis of a level: position = factorU * u + factorV * v + start. */
type Axis = { readonly factorU: number; readonly factorV: number; readonly start: number }

/** texel = perU * u + perV * v + texel0, all on the level. */
function buildAxis(perU: number, perV: number, texel0: number): Axis {
  return { factorU: perU * PHASE_COUNT, factorV: perV * PHASE_COUNT, start: texel0 * PHASE_COUNT + ORIGIN }
}

/** Wraps a position of a repeated texture. */
type Fold = (position: number) => number

/** Wraps a position into the first copy of a level of that size; odd copies are reversed if mirrored. */
function buildFold(repeat: Repeat, sizePx: number): Fold {
  if (repeat === 'none') return position => position
  const period = sizePx * PHASE_COUNT * (repeat === 'mirror' ? 2 : 1)
  const perPeriod = 1 / period
  const turn = repeat === 'mirror' ? period : Number.POSITIVE_INFINITY
  return position => {
    const from = position - ORIGIN
    const within = from - Math.floor(from * perPeriod) * period
    return Math.min(within, turn - within) + ORIGIN
  }
}

/** An axis with a homography, along a row of centres at `py`: position = (factor * px + offset) / w. */
function followRow({ factorU, factorV, start }: Axis, m: Homography, py: number): { factor: number; offset: number } {
  return {
    factor: m[0] * factorU + m[3] * factorV + start * m[6],
    offset: (m[1] * py + m[2]) * factorU + (m[4] * py + m[5]) * factorV + start * (m[7] * py + m[8]),
  }
}

/**
 * Samples the artwork at the centres of a chunk's pixels into `scratch.color`. From the rounded position on,
 * all arithmetic is in integers, so that the SIMD kernel gives identical bits.
 */
export function sampleChunk(plan: SamplingPlan, texture: Texture, chunk: number, scratch: ChunkScratch): void {
  const { mapping } = texture
  const reduction = findReduction(mapping, plan.chunkScaleU[chunk] ?? 0, plan.chunkScaleV[chunk] ?? 0)
  const level = getTextureLevel(texture, reduction.levelX, reduction.levelY)
  locatePixels(plan, texture, chunk, reduction, level, scratch)
  filterPixels(level, plan.chunkLength[chunk] ?? 0, scratch)
}

/** Finds the first of each pixel's 4 x 4 texels, and its weights. */
function locatePixels(
  { region, map, chunkStart, chunkLength }: SamplingPlan,
  { mapping: { toTexels }, repeat }: Texture,
  chunk: number,
  { scaleX, scaleY, levelX, levelY }: Reduction,
  { widthPx, heightPx, strideBytes }: TextureLevel,
  { texel, weightX, weightY }: ChunkScratch,
): void {
  const start = chunkStart[chunk] ?? 0
  const length = chunkLength[chunk] ?? 0
  const shrinkX = 1 / 2 ** levelX
  const shrinkY = 1 / 2 ** levelY
  const tableX = findKernelTable(scaleX * shrinkX, levelX > 0)
  const tableY = findKernelTable(scaleY * shrinkY, levelY > 0)
  const greatestX = findGreatestPosition(widthPx)
  const greatestY = findGreatestPosition(heightPx)
  const phaseMask = PHASE_COUNT - 1
  const foldX = buildFold(repeat, widthPx)
  const foldY = buildFold(repeat, heightPx)
  const locate = (i: number, positionX: number, positionY: number): void => {
    const x = toFixed(foldX(positionX), greatestX)
    const y = toFixed(foldY(positionY), greatestY)
    // The first tap is one texel before the position.
    texel[i] = ((y >> PHASE_BITS) - 1) * strideBytes + ((x >> PHASE_BITS) - 1) * 4
    weightX[i] = tableX + (x & phaseMask) * 4
    weightY[i] = tableY + (y & phaseMask) * 4
  }
  const across = buildAxis(toTexels.xPerU * shrinkX, toTexels.xPerV * shrinkX, toTexels.x0 * shrinkX)
  const down = buildAxis(toTexels.yPerU * shrinkY, toTexels.yPerV * shrinkY, toTexels.y0 * shrinkY)
  if (map.kind === 'grid') {
    for (let i = 0; i < length; i++) {
      const u = map.u[start + i] ?? 0
      const v = map.v[start + i] ?? 0
      const x = u * across.factorU + v * across.factorV + across.start
      locate(i, x, u * down.factorU + v * down.factorV + down.start)
    }
    return
  }
  const m = map.matrix
  const row = Math.floor(start / region.widthPx)
  const py = region.top + row + 0.5
  const rowX = followRow(across, m, py)
  const rowY = followRow(down, m, py)
  let px = region.left + (start - row * region.widthPx) + 0.5
  const constantW = m[7] * py + m[8]
  for (let i = 0; i < length; i++, px++) {
    const w = 1 / (m[6] * px + constantW)
    locate(i, (rowX.factor * px + rowX.offset) * w, (rowY.factor * px + rowY.offset) * w)
  }
}

/**
 * Finishes a chunk's sampled colours: applies `cut` (from `first` on) at the artwork's edges, and the
 * background. Rounded to the nearest byte; the SIMD kernel gives identical bits.
 */
export function finishColors(
  color: Uint8Array,
  length: number,
  cut: Uint8Array | null,
  first: number,
  background: RgbColor | null,
): void {
  for (let i = 0, at = 0; i < length; i++, at += 4) {
    const share = cut ? (cut[first + i] ?? 0) : 255
    for (let channel = at; channel < at + 4; channel++) color[channel] = multiplyBytes(color[channel] ?? 0, share)
    if (!background) continue
    const rest = 255 - (color[at + 3] ?? 0)
    color[at] = (color[at] ?? 0) + multiplyBytes(background.red, rest)
    color[at + 1] = (color[at + 1] ?? 0) + multiplyBytes(background.green, rest)
    color[at + 2] = (color[at + 2] ?? 0) + multiplyBytes(background.blue, rest)
    color[at + 3] = 255
  }
}

/** Vertical weights have 7 fractional bits, horizontal ones 14. */
const RESULT_SHIFT = 21
const RESULT_HALF = 1 << (RESULT_SHIFT - 1)

/** Filters vertically, then horizontally, to the nearest byte, clamped to alpha: the kernels overshoot. */
function filterPixels(level: TextureLevel, length: number, scratch: ChunkScratch): void {
  const { texel, weightX, weightY, color } = scratch
  const { data, strideBytes } = level
  const stride2 = 2 * strideBytes
  const stride3 = 3 * strideBytes
  const { across, down } = kernelTables()
  let to = 0
  for (let i = 0; i < length; i++, to += 4) {
    const wy = weightY[i] ?? 0
    const y0 = down[wy] ?? 0
    const y1 = down[wy + 1] ?? 0
    const y2 = down[wy + 2] ?? 0
    const y3 = down[wy + 3] ?? 0
    let wx = weightX[i] ?? 0
    let o = texel[i] ?? 0
    let r = RESULT_HALF
    let g = RESULT_HALF
    let b = RESULT_HALF
    let a = RESULT_HALF
    for (const end = o + 16; o < end; o += 4, wx++) {
      const x = across[wx] ?? 0
      const p = o + strideBytes
      const q = o + stride2
      const s = o + stride3
      r += ((data[o] ?? 0) * y0 + (data[p] ?? 0) * y1 + (data[q] ?? 0) * y2 + (data[s] ?? 0) * y3) * x
      g += ((data[o + 1] ?? 0) * y0 + (data[p + 1] ?? 0) * y1 + (data[q + 1] ?? 0) * y2 + (data[s + 1] ?? 0) * y3) * x
      b += ((data[o + 2] ?? 0) * y0 + (data[p + 2] ?? 0) * y1 + (data[q + 2] ?? 0) * y2 + (data[s + 2] ?? 0) * y3) * x
      a += ((data[o + 3] ?? 0) * y0 + (data[p + 3] ?? 0) * y1 + (data[q + 3] ?? 0) * y2 + (data[s + 3] ?? 0) * y3) * x
    }
    r >>= RESULT_SHIFT
    g >>= RESULT_SHIFT
    b >>= RESULT_SHIFT
    a >>= RESULT_SHIFT
    const alpha = a < 0 ? 0 : a > 255 ? 255 : a
    color[to] = r < 0 ? 0 : r > alpha ? alpha : r
    color[to + 1] = g < 0 ? 0 : g > alpha ? alpha : g
    color[to + 2] = b < 0 ? 0 : b > alpha ? alpha : b
    color[to + 3] = alpha
  }
}
