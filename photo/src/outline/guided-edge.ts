import type { Rect } from '@vitrine/engine'
import { gaussianFilter } from '../filters/gaussian-filter.ts'
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

/** Noise and a JPEG's blocks fray the edge: it is smoothed, in pixels of the cut, and made steep again. */
const SMOOTH_OF_CUT_PX = 0.8
const STEEPNESS_OF_SMOOTH = 3

/** Photos that are hardly larger than their cut are not smoothed: what was erased finely would be lost. */
const MOST_SMOOTHED_SCALE = 0.7

/** What a cut says about each pixel of a reduced photo. */
type CutPixels = {
  /** 1 in the product */
  readonly inside: Uint8Array
  /** 1 where it is certainly erased, however narrow that is and whatever the photo shows */
  readonly erased: Uint8Array
}

/** A cut of a reduced photo, and the coverage of the whole one that was found from it. */
export type RefinedCut = CutPixels & { readonly coverage: Coverage }

/**
 * A cut of a reduced photo as the coverage of the whole one, whose edges it follows: the guided filter
 * (K. He, J. Sun, X. Tang, 2010). `former`: of another cut of the photo, from which tiles are taken where
 * both are the same.
 */
export function refineEdge(
  photo: PhotoPixels,
  reduced: CutPixels & { readonly widthPx: number; readonly heightPx: number },
  former: RefinedCut | null,
): Coverage {
  const data = new Uint8Array(photo.widthPx * photo.heightPx)
  const cut = { ...reduced, scale: reduced.widthPx / photo.widthPx }
  for (let top = 0; top < photo.heightPx; top += TILE_PX) {
    for (let left = 0; left < photo.widthPx; left += TILE_PX) refineTile(photo, cut, former, left, top, data)
  }
  return { widthPx: photo.widthPx, heightPx: photo.heightPx, data }
}

type Cut = CutPixels & {
  readonly widthPx: number
  readonly heightPx: number
  /** pixels of the cut per pixel of the photo */
  readonly scale: number
}

function refineTile(
  photo: PhotoPixels,
  cut: Cut,
  former: RefinedCut | null,
  left: number,
  top: number,
  data: Uint8Array,
): void {
  const radiusPx = Math.max(LEAST_RADIUS_PX, Math.round(RADIUS_OF_CUT_PX / cut.scale))
  const margin = 2 * radiusPx
  const [right, bottom] = [Math.min(photo.widthPx, left + TILE_PX), Math.min(photo.heightPx, top + TILE_PX)]
  const [fromX, fromY] = [Math.max(0, left - margin), Math.max(0, top - margin)]
  const width = Math.min(photo.widthPx, right + margin) - fromX
  const height = Math.min(photo.heightPx, bottom + margin) - fromY
  const seen = partOf(cut, photo, fromX, fromY, width, height)
  const side = sideOf(cut, seen)
  if (side !== null) {
    if (side === 1)
      for (let y = top; y < bottom; y++) data.fill(255, y * photo.widthPx + left, y * photo.widthPx + right)
    return
  }
  if (former && isSame(cut, former, seen)) {
    for (let y = top; y < bottom; y++) {
      const [from, to] = [y * photo.widthPx + left, y * photo.widthPx + right]
      data.set(former.coverage.data.subarray(from, to), from)
    }
    return
  }
  /** A plane of the cut at a pixel of the photo. */
  const sampleAt = (plane: Uint8Array, x: number, y: number): number =>
    samplePlane(plane, cut, (x + 0.5) * cut.scale - 0.5, ((y + 0.5) * cut.heightPx) / photo.heightPx - 0.5)
  const plane = (): Float32Array => new Float32Array(width * height)
  const [red, green, blue, soft] = [plane(), plane(), plane(), plane()]
  for (let y = 0, i = 0; y < height; y++) {
    let at = ((fromY + y) * photo.widthPx + fromX) * 3
    for (let x = 0; x < width; x++, i++, at += 3) {
      red[i] = photo.data[at] ?? 0
      green[i] = photo.data[at + 1] ?? 0
      blue[i] = photo.data[at + 2] ?? 0
      soft[i] = sampleAt(cut.inside, fromX + x, fromY + y)
    }
  }
  const planes: ColorPlanes = [red, green, blue]
  toFeatures(planes)
  const guide = sideGuide(planes, soft)
  const followed = guide === null ? soft : followGuide(guide, soft, width, height, radiusPx)
  for (let i = 0; i < followed.length; i++) followed[i] = steepened(followed[i] ?? 0, STEEPNESS)
  const isSmoothed = cut.scale < MOST_SMOOTHED_SCALE
  const refined = isSmoothed ? gaussianFilter(followed, width, height, SMOOTH_OF_CUT_PX / cut.scale) : followed
  const steepness = isSmoothed ? STEEPNESS_OF_SMOOTH : 1
  const hasErased = hasErasure(cut, seen)
  for (let y = top; y < bottom; y++) {
    let i = (y - fromY) * width + left - fromX
    for (let x = left; x < right; x++, i++) {
      const share = steepened(refined[i] ?? 0, steepness)
      const kept = hasErased ? 1 - steepened(sampleAt(cut.erased, x, y), STEEPNESS) : 1
      data[y * photo.widthPx + x] = Math.round(255 * Math.min(share, kept))
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
    for (let i = 0; i < refined.length; i++) refined[i] = steepened(refined[i] ?? 0, STEEPNESS_BETWEEN)
    refined = guidedFilter(guide, refined, width, height, radiusPx, EPSILON)
  }
  return refined
}

const steepened = (share: number, steepness: number): number =>
  Math.min(1, Math.max(0, 0.5 + (share - 0.5) * steepness))

/** The pixels of the cut that a part of the photo is refined from. */
function partOf(cut: Cut, photo: PhotoPixels, left: number, top: number, width: number, height: number): Rect {
  const column = (x: number): number => Math.min(cut.widthPx - 1, Math.max(0, Math.floor(x * cut.scale)))
  const row = (y: number): number =>
    Math.min(cut.heightPx - 1, Math.max(0, Math.floor((y * cut.heightPx) / photo.heightPx)))
  const [fromX, fromY] = [Math.max(0, column(left) - 1), Math.max(0, row(top) - 1)]
  const [toX, toY] = [column(left + width) + 2, row(top + height) + 2]
  return {
    left: fromX,
    top: fromY,
    widthPx: Math.min(cut.widthPx, toX) - fromX,
    heightPx: Math.min(cut.heightPx, toY) - fromY,
  }
}

/** The side of the cut that a part of it lies on; null: on both. */
function sideOf(cut: Cut, { left, top, widthPx, heightPx }: Rect): 0 | 1 | null {
  let inside = 0
  for (let y = top; y < top + heightPx; y++) {
    for (let x = left; x < left + widthPx; x++) inside += cut.inside[y * cut.widthPx + x] ?? 0
  }
  return inside === 0 ? 0 : inside === widthPx * heightPx ? 1 : null
}

function isSame({ inside, erased, ...cut }: Cut, former: CutPixels, { left, top, widthPx, heightPx }: Rect): boolean {
  for (let y = top; y < top + heightPx; y++) {
    const first = y * cut.widthPx + left
    for (let i = first; i < first + widthPx; i++) {
      if (inside[i] !== former.inside[i] || erased[i] !== former.erased[i]) return false
    }
  }
  return true
}

/** Whether anything of a part of the cut is erased. */
function hasErasure({ erased, widthPx: stride }: Cut, { left, top, widthPx, heightPx }: Rect): boolean {
  for (let y = top; y < top + heightPx; y++) {
    if (erased.subarray(y * stride + left, y * stride + left + widthPx).includes(1)) return true
  }
  return false
}

/** A plane of the cut, interpolated between its pixels' centres. */
function samplePlane(plane: Uint8Array, { widthPx, heightPx }: Cut, x: number, y: number): number {
  const left = Math.min(widthPx - 1, Math.max(0, Math.floor(x)))
  const top = Math.min(heightPx - 1, Math.max(0, Math.floor(y)))
  const right = Math.min(widthPx - 1, left + 1)
  const bottom = Math.min(heightPx - 1, top + 1)
  const fx = Math.min(1, Math.max(0, x - left))
  const fy = Math.min(1, Math.max(0, y - top))
  const first = top * widthPx
  const second = bottom * widthPx
  const above = (plane[first + left] ?? 0) * (1 - fx) + (plane[first + right] ?? 0) * fx
  const below = (plane[second + left] ?? 0) * (1 - fx) + (plane[second + right] ?? 0) * fx
  return above * (1 - fy) + below * fy
}
