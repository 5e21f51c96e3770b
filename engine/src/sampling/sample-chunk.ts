import { findKernelTable, KERNEL_TABLES, PHASE_BITS, PHASE_COUNT } from './kernel-tables.ts'
import { LONGEST_CHUNK_PX, type SamplingPlan } from './sampling-plan.ts'
import { GREATEST_LEVEL, getTextureLevel, TEXTURE_PAD, type Texture, type TextureLevel } from './texture.ts'

/** A halved level is read from twice this local scale on: up to there 4 taps filter well enough, and no scale below this is left over. */
const LEVEL_THRESHOLD = 1.6

/** Room for one chunk between the steps of a render; one per renderer, never shared between threads. */
export type ChunkScratch = {
  /** byte of the first of the 4 x 4 texels of each pixel */
  readonly texel: Int32Array
  /** index of the first weight, across and down */
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

/** How many times an axis is halved before sampling: so often that the scale left over is in [1.6, 3.2), or not at all. */
export function chooseLevel(scale: number, sizePx: number): number {
  let level = 0
  for (let rest = scale; rest >= 2 * LEVEL_THRESHOLD && level < GREATEST_LEVEL && sizePx >> (level + 1) > 0; rest /= 2)
    level++
  return level
}

/**
 * Position -> fixed point with PHASE_BITS of fraction, counted from the level's padding, clamped to 2 texels outside the level.
 * Written so that NaN and infinities clamp as well: whatever a map says, every tap stays inside the padded level.
 */
function toFixed(position: number, sizePx: number): number {
  const clamped = position > -2 ? (position < sizePx + 2 ? position : sizePx + 2) : -2
  return Math.floor((clamped + (TEXTURE_PAD - 0.5)) * PHASE_COUNT + 0.5)
}

/**
 * Samples the artwork at the centres of a chunk's pixels into `scratch.color`.
 * All arithmetic from the rounded position on is in whole numbers, so that a SIMD kernel can be equal to it bit by bit.
 */
export function sampleChunk(plan: SamplingPlan, texture: Texture, chunk: number, scratch: ChunkScratch): void {
  const length = plan.chunkLength[chunk] ?? 0
  const scaleU = (plan.chunkScaleU[chunk] ?? 0) * texture.place.scaleU
  const scaleV = (plan.chunkScaleV[chunk] ?? 0) * texture.place.scaleV
  const levelU = chooseLevel(scaleU, texture.base.widthPx)
  const levelV = chooseLevel(scaleV, texture.base.heightPx)
  const level = getTextureLevel(texture, levelU, levelV)
  const tableX = findKernelTable(scaleU / 2 ** levelU, levelU > 0)
  const tableY = findKernelTable(scaleV / 2 ** levelV, levelV > 0)
  locatePixels(
    plan,
    texture,
    plan.chunkStart[chunk] ?? 0,
    length,
    level,
    1 / 2 ** levelU,
    1 / 2 ** levelV,
    tableX,
    tableY,
    scratch,
  )
  if (texture.isOpaque) filterOpaque(level, length, scratch)
  else filterPremultiplied(level, length, scratch)
}

/** First step: where each pixel's 4 x 4 texels begin and which weights they get. */
function locatePixels(
  plan: SamplingPlan,
  texture: Texture,
  start: number,
  length: number,
  level: TextureLevel,
  shrinkU: number,
  shrinkV: number,
  tableX: number,
  tableY: number,
  scratch: ChunkScratch,
): void {
  const { texel, weightX, weightY } = scratch
  const { widthPx, heightPx, strideBytes } = level
  const scaleU = texture.place.scaleU * shrinkU
  const offsetU = texture.place.offsetU * shrinkU
  const scaleV = texture.place.scaleV * shrinkV
  const offsetV = texture.place.offsetV * shrinkV
  const phaseMask = PHASE_COUNT - 1
  if (plan.map.kind === 'grid') {
    const { u, v } = plan.map
    for (let i = 0; i < length; i++) {
      const x = toFixed((u[start + i] ?? 0) * scaleU + offsetU, widthPx)
      const y = toFixed((v[start + i] ?? 0) * scaleV + offsetV, heightPx)
      // The first tap is one texel before the one at the position.
      texel[i] = ((y >> PHASE_BITS) - 1) * strideBytes + ((x >> PHASE_BITS) - 1) * 4
      weightX[i] = tableX + (x & phaseMask) * 4
      weightY[i] = tableY + (y & phaseMask) * 4
    }
    return
  }
  const m = plan.map.matrix
  const row = Math.floor(start / plan.region.widthPx)
  const py = plan.region.top + row + 0.5
  let px = plan.region.left + (start - row * plan.region.widthPx) + 0.5
  const constantU = m[1] * py + m[2]
  const constantV = m[4] * py + m[5]
  const constantW = m[7] * py + m[8]
  for (let i = 0; i < length; i++, px++) {
    const w = 1 / (m[6] * px + constantW)
    const x = toFixed((m[0] * px + constantU) * w * scaleU + offsetU, widthPx)
    const y = toFixed((m[3] * px + constantV) * w * scaleV + offsetV, heightPx)
    texel[i] = ((y >> PHASE_BITS) - 1) * strideBytes + ((x >> PHASE_BITS) - 1) * 4
    weightX[i] = tableX + (x & phaseMask) * 4
    weightY[i] = tableY + (y & phaseMask) * 4
  }
}

/** Fractional bits kept between the vertical and the horizontal pass: the sums then fit 16 bits, as SIMD wants them. */
const COLUMN_SHIFT = 8
/** Two weights of 14 bits make 28; the first pass gave up 8. */
const RESULT_SHIFT = 20
const RESULT_HALF = 1 << (RESULT_SHIFT - 1)

/** Second step for artwork without alpha: columns first, then across, rounded to the nearest byte; alpha is 255. */
function filterOpaque(level: TextureLevel, length: number, scratch: ChunkScratch): void {
  const { texel, weightX, weightY, color } = scratch
  const { data, strideBytes } = level
  const stride2 = 2 * strideBytes
  const stride3 = 3 * strideBytes
  const weights = KERNEL_TABLES
  let to = 0
  for (let i = 0; i < length; i++, to += 4) {
    const wy = weightY[i] ?? 0
    const y0 = weights[wy] ?? 0
    const y1 = weights[wy + 1] ?? 0
    const y2 = weights[wy + 2] ?? 0
    const y3 = weights[wy + 3] ?? 0
    let wx = weightX[i] ?? 0
    let o = texel[i] ?? 0
    let r = RESULT_HALF
    let g = RESULT_HALF
    let b = RESULT_HALF
    for (const end = o + 16; o < end; o += 4, wx++) {
      const x = weights[wx] ?? 0
      const p = o + strideBytes
      const q = o + stride2
      const s = o + stride3
      r += (((data[o] ?? 0) * y0 + (data[p] ?? 0) * y1 + (data[q] ?? 0) * y2 + (data[s] ?? 0) * y3) >> COLUMN_SHIFT) * x
      g +=
        (((data[o + 1] ?? 0) * y0 + (data[p + 1] ?? 0) * y1 + (data[q + 1] ?? 0) * y2 + (data[s + 1] ?? 0) * y3) >>
          COLUMN_SHIFT) *
        x
      b +=
        (((data[o + 2] ?? 0) * y0 + (data[p + 2] ?? 0) * y1 + (data[q + 2] ?? 0) * y2 + (data[s + 2] ?? 0) * y3) >>
          COLUMN_SHIFT) *
        x
    }
    r >>= RESULT_SHIFT
    g >>= RESULT_SHIFT
    b >>= RESULT_SHIFT
    color[to] = r < 0 ? 0 : r > 255 ? 255 : r
    color[to + 1] = g < 0 ? 0 : g > 255 ? 255 : g
    color[to + 2] = b < 0 ? 0 : b > 255 ? 255 : b
    color[to + 3] = 255
  }
}

/** The same with alpha: filtered premultiplied, and no channel may exceed alpha (the kernels overshoot). */
function filterPremultiplied(level: TextureLevel, length: number, scratch: ChunkScratch): void {
  const { texel, weightX, weightY, color } = scratch
  const { data, strideBytes } = level
  const stride2 = 2 * strideBytes
  const stride3 = 3 * strideBytes
  const weights = KERNEL_TABLES
  let to = 0
  for (let i = 0; i < length; i++, to += 4) {
    const wy = weightY[i] ?? 0
    const y0 = weights[wy] ?? 0
    const y1 = weights[wy + 1] ?? 0
    const y2 = weights[wy + 2] ?? 0
    const y3 = weights[wy + 3] ?? 0
    let wx = weightX[i] ?? 0
    let o = texel[i] ?? 0
    let r = RESULT_HALF
    let g = RESULT_HALF
    let b = RESULT_HALF
    let a = RESULT_HALF
    for (const end = o + 16; o < end; o += 4, wx++) {
      const x = weights[wx] ?? 0
      const p = o + strideBytes
      const q = o + stride2
      const s = o + stride3
      r += (((data[o] ?? 0) * y0 + (data[p] ?? 0) * y1 + (data[q] ?? 0) * y2 + (data[s] ?? 0) * y3) >> COLUMN_SHIFT) * x
      g +=
        (((data[o + 1] ?? 0) * y0 + (data[p + 1] ?? 0) * y1 + (data[q + 1] ?? 0) * y2 + (data[s + 1] ?? 0) * y3) >>
          COLUMN_SHIFT) *
        x
      b +=
        (((data[o + 2] ?? 0) * y0 + (data[p + 2] ?? 0) * y1 + (data[q + 2] ?? 0) * y2 + (data[s + 2] ?? 0) * y3) >>
          COLUMN_SHIFT) *
        x
      a +=
        (((data[o + 3] ?? 0) * y0 + (data[p + 3] ?? 0) * y1 + (data[q + 3] ?? 0) * y2 + (data[s + 3] ?? 0) * y3) >>
          COLUMN_SHIFT) *
        x
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
