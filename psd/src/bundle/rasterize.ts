import { intersectRects, type PngPicture, type Raster, type Rect } from '@vitrine/engine'
import { type Adjustment, adjustmentFormula } from '../adjusting/adjustment.ts'
import type { Rgb } from '../compositing/blend-formulas.ts'
import type { Weight } from '../compositing/layer-mask.ts'
import { drawAffine } from '../converting/fold.ts'
import type { AffineOperation, PictureOperation } from '../converting/operation.ts'
import type { Reach } from '../converting/reach.ts'
import { isEmpty, stripsOf } from '../rects.ts'

/** RGBA, limited to where artwork shows and trimmed to its visible part; null if nothing is visible. */
export function rasterizePicture({ draw, bounds }: PictureOperation, reach: Reach): Raster | null {
  const rect = intersectRects(bounds, reach.rect)
  if (isEmpty(rect)) return null
  const samples = new Uint8Array(rect.widthPx * rect.heightPx * 4)
  for (const strip of stripsOf(rect)) {
    const { rect: drawn, color, alpha } = draw(strip)
    for (let y = 0, from = 0; y < drawn.heightPx; y++) {
      let to = ((drawn.top + y - rect.top) * rect.widthPx + drawn.left - rect.left) * 4
      let at = (drawn.top + y - reach.rect.top) * reach.rect.widthPx + drawn.left - reach.rect.left
      for (let x = 0; x < drawn.widthPx; x++, from++, to += 4, at++) {
        const a = alpha[from] ?? 0
        if (a <= 0 || reach.bits[at] === 0) continue
        for (let c = 0; c < 3; c++) samples[to + c] = (color[3 * from + c] ?? 0) * 255 + 0.5
        samples[to + 3] = a * 255 + 0.5
      }
    }
  }
  return trim(
    { left: rect.left, top: rect.top, widthPx: rect.widthPx, heightPx: rect.heightPx, channels: 4, samples },
    3,
  )
}

/** A plane of 0..1 as bytes over a rectangle, trimmed if `isTrimmed`; null if it is 0 everywhere. */
export function rasterizePlane(rect: Rect, draw: (strip: Rect) => Float32Array, isTrimmed: boolean): Raster | null {
  if (isEmpty(rect)) return null
  const samples = new Uint8Array(rect.widthPx * rect.heightPx)
  for (const strip of stripsOf(rect)) {
    const plane = draw(strip)
    const to = (strip.top - rect.top) * rect.widthPx
    for (let k = 0; k < plane.length; k++) samples[to + k] = (plane[k] ?? 0) * 255 + 0.5
  }
  const raster: Raster = { ...rect, channels: 1, samples }
  return isTrimmed ? trim(raster, 0) : raster
}

/** A weight over the area where artwork shows; null if it is 1 everywhere. */
export function rasterizeWeight(weight: Weight, reach: Reach): Raster | null {
  const raster = weight && rasterizePlane(reach.rect, strip => weight(strip) ?? ones(strip), false)
  return raster && shrinkWhite(raster)
}

/** A weight that is 0 where no artwork shows: the scene already includes it there. Null if all of it is 0. */
export function rasterizeReach(weight: Weight, { rect, bits }: Reach): Raster | null {
  const draw = (strip: Rect): Float32Array => {
    const plane = weight?.(strip) ?? ones(strip)
    const from = (strip.top - rect.top) * rect.widthPx
    for (let k = 0; k < plane.length; k++) if (bits[from + k] === 0) plane[k] = 0
    return plane
  }
  const raster = rasterizePlane(rect, draw, true)
  return raster && shrinkWhite(raster)
}

/** Pixels per axis that are stored of a white mask: stretched, its filter reaches a few percent beyond it. */
const WHITE_PX = 64

/** A small mask to be stretched, if a mask shows all of its rectangle. */
function shrinkWhite(raster: Raster): Raster {
  const { left, top, widthPx, heightPx, samples } = raster
  if (widthPx * heightPx <= WHITE_PX ** 2 || samples.some(value => value !== 255)) return raster
  const size = { widthPx: Math.min(WHITE_PX, widthPx), heightPx: Math.min(WHITE_PX, heightPx) }
  const white = new Uint8Array(size.widthPx * size.heightPx).fill(255)
  return { left, top, ...size, channels: 1, samples: white, covers: { widthPx, heightPx } }
}

function ones(rect: Rect): Float32Array {
  return new Float32Array(rect.widthPx * rect.heightPx).fill(1)
}

/** Factors and sums of an affine operation, 16 bits, where artwork shows; elsewhere they change nothing. */
export function rasterizeAffine(operation: AffineOperation, reach: Reach): { multiply: Raster; add: Raster } | null {
  const rect = intersectRects(operation.bounds, reach.rect)
  if (isEmpty(rect)) return null
  const count = rect.widthPx * rect.heightPx * 3
  const planes = { multiply: new Uint16Array(count).fill(65_535), add: new Uint16Array(count) }
  for (const strip of stripsOf(rect)) {
    const drawn = drawAffine(operation, strip)
    for (let y = 0, from = 0; y < strip.heightPx; y++) {
      let to = (strip.top + y - rect.top) * rect.widthPx * 3
      let at = (strip.top + y - reach.rect.top) * reach.rect.widthPx + rect.left - reach.rect.left
      for (let x = 0; x < strip.widthPx; x++, at++) {
        const isReached = reach.bits[at] !== 0
        for (let c = 0; c < 3; c++, from++, to++) {
          if (!isReached) continue
          planes.multiply[to] = (drawn.multiply[from] ?? 1) * 65_535 + 0.5
          planes.add[to] = (drawn.add[from] ?? 0) * 65_535 + 0.5
        }
      }
    }
  }
  const rasterOf = (samples: Uint16Array): Raster => ({ ...rect, channels: 3, samples })
  return { multiply: rasterOf(planes.multiply), add: rasterOf(planes.add) }
}

const CUBE_SIDE = 33

/** An adjustment's tables as 256 x 1, or its formula as a cube of 33 x 1,089, RGB of 16 bits. */
export function rasterizeAdjustment(adjustment: Exclude<Adjustment, { kind: 'threshold' }>): PngPicture {
  if (adjustment.kind === 'tables') {
    const samples = new Uint16Array(256 * 3)
    for (const [c, table] of adjustment.tables.entries()) {
      for (let i = 0; i < 256; i++) samples[3 * i + c] = (table[i] ?? 0) * 65_535 + 0.5
    }
    return { widthPx: 256, heightPx: 1, channels: 3, samples }
  }
  const formula = adjustmentFormula(adjustment)
  const samples = new Uint16Array(CUBE_SIDE ** 3 * 3)
  const step = 1 / (CUBE_SIDE - 1)
  for (let red = 0, to = 0; red < CUBE_SIDE; red++) {
    for (let green = 0; green < CUBE_SIDE; green++) {
      for (let blue = 0; blue < CUBE_SIDE; blue++) {
        const color: Rgb = [red * step, green * step, blue * step]
        for (const value of formula(color)) samples[to++] = Math.min(1, Math.max(0, value)) * 65_535 + 0.5
      }
    }
  }
  return { widthPx: CUBE_SIDE, heightPx: CUBE_SIDE ** 2, channels: 3, samples }
}

/** Cropped to the smallest rectangle outside which a channel is 0; null if it is 0 everywhere. */
function trim(raster: Raster, channel: number): Raster | null {
  const { widthPx, heightPx, channels, samples, left, top } = raster
  let [x0, y0, x1, y1] = [widthPx, heightPx, 0, 0]
  for (let y = 0, at = channel; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, at += channels) {
      if (samples[at] === 0) continue
      x0 = Math.min(x0, x)
      x1 = Math.max(x1, x + 1)
      y0 = Math.min(y0, y)
      y1 = y + 1
    }
  }
  if (x1 <= x0) return null
  const rowSamples = (x1 - x0) * channels
  const cut = new Uint8Array(rowSamples * (y1 - y0))
  for (let y = y0; y < y1; y++) {
    const from = (y * widthPx + x0) * channels
    cut.set(samples.subarray(from, from + rowSamples), (y - y0) * rowSamples)
  }
  return { left: left + x0, top: top + y0, widthPx: x1 - x0, heightPx: y1 - y0, channels, samples: cut }
}
