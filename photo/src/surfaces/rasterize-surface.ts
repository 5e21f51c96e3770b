import { contentCoverage, type Rect } from '@vitrine/engine'
import type { ArtworkPoint } from './artwork-point.ts'
import type { Cloth } from './cloth.ts'
import type { SurfaceMap } from './frame-surface.ts'
import { fillMap, type MapPlanes, type SparseGrid, sparseGrid } from './sparse-map.ts'

/** A margin around the artwork, in pixels, for filters of light and half-size maps. */
export const MARGIN_PX = 12

/** Samples per side of a pixel, along a silhouette. */
const SILHOUETTE_POINTS = 4

type ToArtwork = (x: number, y: number) => ArtworkPoint

const isOnArtwork = ({ u, v }: Omit<ArtworkPoint, 'isSeen'>): boolean => u >= 0 && u <= 1 && v >= 0 && v <= 1

/** The map over a rectangle of a surface that gives the artwork's coordinates at each point of the photo. */
export function rasterizeSurface(toArtwork: ToArtwork, rect: Rect): SurfaceMap {
  const count = rect.widthPx * rect.heightPx
  const [u, v, unseen] = [new Float32Array(count), new Float32Array(count), new Uint8Array(count)]
  for (let y = 0, i = 0; y < rect.heightPx; y++) {
    for (let x = 0; x < rect.widthPx; x++, i++) {
      const point = toArtwork(rect.left + x + 0.5, rect.top + y + 0.5)
      u[i] = point.u
      v[i] = point.v
      unseen[i] = point.isSeen ? 0 : 1
    }
  }
  const coverage = coverageOf(rect, u, v)
  cutSilhouette(toArtwork, rect, unseen, coverage)
  return { rect, u, v, coverage }
}

/** A surface in two steps: a smooth one that is slow to compute, and a fast one, if any. */
export type SparseSurface = Omit<Cloth, 'onPlate'> & {
  readonly onPlate: ToArtwork
  /** the first step is exact at every `stepPx`-th pixel, and interpolated between them */
  readonly stepPx: number
}

/** The map of a surface from few points. Null if artwork reaches a silhouette, which no step may cross. */
export function rasterizeSparsely({ onPlate, swell, stepPx }: SparseSurface, rect: Rect): SurfaceMap | null {
  const grid = sparseGrid(rect, stepPx)
  const { columns, rows } = grid
  const points = { u: new Float32Array(columns * rows), v: new Float32Array(columns * rows) }
  for (let y = 0, k = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, k++) {
      const point = onPlate(rect.left + x * stepPx + 0.5, rect.top + y * stepPx + 0.5)
      points.u[k] = point.isSeen ? point.u : NaN
      points.v[k] = point.isSeen ? point.v : NaN
    }
  }
  if (meetsSilhouette(points, grid)) return null
  const { u, v } = fillMap(points, grid, rect)
  if (swell) {
    for (let i = 0; i < u.length; i++) {
      const point = swell(u[i] ?? NaN, v[i] ?? NaN)
      u[i] = point.u
      v[i] = point.v
    }
  }
  return { rect, u, v, coverage: coverageOf(rect, u, v) }
}

/** The number of points within which a surface turns too much for interpolation. */
const SILHOUETTE_REACH = 2

/** Whether an invisible part is near a point of the artwork. */
function meetsSilhouette({ u, v }: MapPlanes, { columns, rows }: SparseGrid): boolean {
  const [across, down] = [SILHOUETTE_REACH, SILHOUETTE_REACH * columns]
  for (let k = 0; k < columns * rows; k++) {
    if (!isOnArtwork({ u: u[k] ?? NaN, v: v[k] ?? NaN })) continue
    const sum = (u[k - across] ?? 0) + (u[k + across] ?? 0) + (u[k - down] ?? 0) + (u[k + down] ?? 0)
    if (Number.isNaN(sum)) return true
  }
  return false
}

/** Coverage by the artwork's four edges. */
export function coverageOf(rect: Rect, u: Float32Array, v: Float32Array): Float32Array {
  return contentCoverage({ contentWidth: 1, contentHeight: 1 }, { rect, x: u, y: v })
}

/**
 * The part of the photo that shows artwork, with a margin; even sides, so that half-size maps fit. It is
 * searched for on a grid of about `searchedPoints` a side.
 */
export function findReach(toArtwork: ToArtwork, widthPx: number, heightPx: number, searchedPoints: number): Rect {
  const step = Math.max(1, Math.max(widthPx, heightPx) / searchedPoints)
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let y = step / 2; y < heightPx; y += step) {
    for (let x = step / 2; x < widthPx; x += step) {
      const point = toArtwork(x, y)
      if (!point.isSeen || !isOnArtwork(point)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  }
  return clampReach(left - step, top - step, right + step, bottom + step, widthPx, heightPx)
}

/** A part of the photo with a margin, on even pixels. */
export function clampReach(
  left: number,
  top: number,
  right: number,
  bottom: number,
  widthPx: number,
  heightPx: number,
): Rect {
  if (!(right > left && bottom > top)) return { left: 0, top: 0, widthPx: 0, heightPx: 0 }
  const from = (value: number): number => Math.max(0, Math.floor((value - MARGIN_PX) / 2) * 2)
  const to = (value: number, first: number, size: number): number =>
    Math.max(0, Math.min(Math.floor((size - first) / 2), Math.ceil((value + MARGIN_PX - first) / 2)) * 2)
  const [x, y] = [from(left), from(top)]
  return { left: x, top: y, widthPx: to(right, x, widthPx), heightPx: to(bottom, y, heightPx) }
}

/** Where a surface turns away from the camera, pixels count by the share of them that still shows it. */
function cutSilhouette(toArtwork: ToArtwork, rect: Rect, unseen: Uint8Array, coverage: Float32Array): void {
  if (!unseen.includes(1)) return
  const { widthPx, heightPx } = rect
  const isBeside = besideUnseen(unseen, rect)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i++) {
      if (isBeside[i] === 0 || (coverage[i] ?? 0) === 0) continue
      let [count, all] = [0, 0]
      for (let j = Math.max(0, y - 1); j <= Math.min(heightPx - 1, y + 1); j++) {
        for (let k = Math.max(0, x - 1); k <= Math.min(widthPx - 1, x + 1); k++, all++) {
          count += unseen[j * widthPx + k] ?? 0
        }
      }
      if (count === all) {
        coverage[i] = 0
        continue
      }
      let seen = 0
      for (let b = 0; b < SILHOUETTE_POINTS; b++) {
        for (let a = 0; a < SILHOUETTE_POINTS; a++) {
          const [dx, dy] = [(a + 0.5) / SILHOUETTE_POINTS, (b + 0.5) / SILHOUETTE_POINTS]
          if (toArtwork(rect.left + x + dx, rect.top + y + dy).isSeen) seen++
        }
      }
      coverage[i] = (coverage[i] ?? 0) * (seen / SILHOUETTE_POINTS ** 2)
    }
  }
}

/** 1 if a pixel or one of its neighbours is not visible. */
function besideUnseen(unseen: Uint8Array, { widthPx, heightPx }: Rect): Uint8Array {
  const isBeside = new Uint8Array(unseen.length)
  for (let i = unseen.indexOf(1); i >= 0; i = unseen.indexOf(1, i + 1)) {
    const x = i % widthPx
    const y = (i - x) / widthPx
    const [left, right] = [Math.max(0, x - 1), Math.min(widthPx, x + 2)]
    for (let j = Math.max(0, y - 1); j < Math.min(heightPx, y + 2); j++) {
      isBeside.fill(1, j * widthPx + left, j * widthPx + right)
    }
  }
  return isBeside
}
