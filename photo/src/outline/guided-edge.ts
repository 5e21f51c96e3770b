import { guidedFilter } from '../filters/guided-filter.ts'
import type { Coverage, PhotoPixels } from '../photo-pixels.ts'
import { toFeatures } from './color-features.ts'
import type { ColorPlanes } from './color-mixture.ts'
import { sideGuide } from './side-guide.ts'

/** A cut is refined in tiles of this side, of which only those with an edge need work. */
const TILE_PX = 128

/** The radius of the guided filter, in pixels of the cut, if the photo is this many times larger than it. */
const RADIUS_OF_CUT_PX = 2
const LEAST_RADIUS_PX = 2

/** The variance below which the guide counts as flat; its two sides are 1 apart. */
const EPSILON = 0.01

/** The filter is repeated, each time from the last edge, to reach edges farther from that of the cut. */
const PASSES = 2
const STEEPNESS_BETWEEN = 4

/** The filter's soft edge is made steeper: an outline is a few pixels wide. */
const STEEPNESS = 1.6

/**
 * Turns a cut of a reduced photo into a coverage of the whole one, following its edges: the guided filter
 * (K. He, J. Sun, X. Tang, 2010). `inside`: 1 in the product, `widthPx` x `heightPx`.
 */
export function refineEdge(photo: PhotoPixels, inside: Uint8Array, widthPx: number, heightPx: number): Coverage {
  const data = new Uint8Array(photo.widthPx * photo.heightPx)
  const cut = { inside, widthPx, heightPx, scale: widthPx / photo.widthPx }
  for (let top = 0; top < photo.heightPx; top += TILE_PX) {
    for (let left = 0; left < photo.widthPx; left += TILE_PX) refineTile(photo, cut, left, top, data)
  }
  return { widthPx: photo.widthPx, heightPx: photo.heightPx, data }
}

type Cut = {
  readonly inside: Uint8Array
  readonly widthPx: number
  readonly heightPx: number
  /** pixels of the cut per pixel of the photo */
  readonly scale: number
}

function refineTile(photo: PhotoPixels, cut: Cut, left: number, top: number, data: Uint8Array): void {
  const radiusPx = Math.max(LEAST_RADIUS_PX, Math.round(RADIUS_OF_CUT_PX / cut.scale))
  const margin = 2 * radiusPx
  const [right, bottom] = [Math.min(photo.widthPx, left + TILE_PX), Math.min(photo.heightPx, top + TILE_PX)]
  const [fromX, fromY] = [Math.max(0, left - margin), Math.max(0, top - margin)]
  const width = Math.min(photo.widthPx, right + margin) - fromX
  const height = Math.min(photo.heightPx, bottom + margin) - fromY
  const side = sideOf(cut, photo, fromX, fromY, width, height)
  if (side !== null) {
    if (side === 1)
      for (let y = top; y < bottom; y++) data.fill(255, y * photo.widthPx + left, y * photo.widthPx + right)
    return
  }
  const planes: ColorPlanes = [
    new Float32Array(width * height),
    new Float32Array(width * height),
    new Float32Array(width * height),
  ]
  const soft = new Float32Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    let at = ((fromY + y) * photo.widthPx + fromX) * 3
    for (let x = 0; x < width; x++, i++, at += 3) {
      for (const [channel, plane] of planes.entries()) plane[i] = photo.data[at + channel] ?? 0
      soft[i] = sampleCut(
        cut,
        (fromX + x + 0.5) * cut.scale - 0.5,
        ((fromY + y + 0.5) * cut.heightPx) / photo.heightPx - 0.5,
      )
    }
  }
  toFeatures(planes)
  const guide = sideGuide(planes, soft)
  const refined = guide === null ? soft : followGuide(guide, soft, width, height, radiusPx)
  for (let y = top; y < bottom; y++) {
    let i = (y - fromY) * width + left - fromX
    for (let x = left; x < right; x++, i++) {
      data[y * photo.widthPx + x] = Math.round(255 * steepened(refined[i] ?? 0, STEEPNESS))
    }
  }
}

/** The soft edge of a cut, moved to the nearest edge of the guide. */
function followGuide(
  guide: Float32Array,
  soft: Float32Array,
  width: number,
  height: number,
  radiusPx: number,
): Float32Array {
  let refined = guidedFilter(guide, soft, width, height, radiusPx, EPSILON)
  for (let pass = 1; pass < PASSES; pass++) {
    const steep = refined.map(share => steepened(share, STEEPNESS_BETWEEN))
    refined = guidedFilter(guide, steep, width, height, radiusPx, EPSILON)
  }
  return refined
}

const steepened = (share: number, steepness: number): number =>
  Math.min(1, Math.max(0, 0.5 + (share - 0.5) * steepness))

/** The side of the cut on which a part of the photo lies; null: both. */
function sideOf(cut: Cut, photo: PhotoPixels, left: number, top: number, width: number, height: number): 0 | 1 | null {
  const column = (x: number): number => Math.min(cut.widthPx - 1, Math.max(0, Math.floor(x * cut.scale)))
  const row = (y: number): number =>
    Math.min(cut.heightPx - 1, Math.max(0, Math.floor((y * cut.heightPx) / photo.heightPx)))
  const [firstX, lastX, firstY, lastY] = [
    column(left) - 1,
    column(left + width) + 1,
    row(top) - 1,
    row(top + height) + 1,
  ]
  let [all, inside] = [0, 0]
  for (let y = Math.max(0, firstY); y <= Math.min(cut.heightPx - 1, lastY); y++) {
    for (let x = Math.max(0, firstX); x <= Math.min(cut.widthPx - 1, lastX); x++) {
      all++
      inside += cut.inside[y * cut.widthPx + x] ?? 0
    }
  }
  return inside === 0 ? 0 : inside === all ? 1 : null
}

/** The cut, interpolated between its pixels' centres. */
function sampleCut({ inside, widthPx, heightPx }: Cut, x: number, y: number): number {
  const left = Math.min(widthPx - 1, Math.max(0, Math.floor(x)))
  const top = Math.min(heightPx - 1, Math.max(0, Math.floor(y)))
  const right = Math.min(widthPx - 1, left + 1)
  const bottom = Math.min(heightPx - 1, top + 1)
  const fx = Math.min(1, Math.max(0, x - left))
  const fy = Math.min(1, Math.max(0, y - top))
  const first = top * widthPx
  const second = bottom * widthPx
  const above = (inside[first + left] ?? 0) * (1 - fx) + (inside[first + right] ?? 0) * fx
  const below = (inside[second + left] ?? 0) * (1 - fx) + (inside[second + right] ?? 0) * fx
  return above * (1 - fy) + below * fy
}
